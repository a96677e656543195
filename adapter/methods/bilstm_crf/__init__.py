"""Characters and words, a BiLSTM and a CRF (Saluja 2019; Ma & Hovy 2016).

`method` is the way in. Learning (`network`, `training`, `graph`) needs the extra
``train-neural``; tagging (`tagger`) needs onnxruntime and numpy alone.
"""

from __future__ import annotations
