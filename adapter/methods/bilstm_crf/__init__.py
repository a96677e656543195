"""Characters and words, a BiLSTM and a CRF (Saluja 2019; Ma & Hovy 2016).

`method` is the entry point. Learning (`network`, `training`, `graph`) needs the extra
``train-neural``; tagging (`tagger`) needs only onnxruntime and numpy.
"""

from __future__ import annotations
