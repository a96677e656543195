"""A small network that knows its labels by the words alone, as a function and as an ONNX file."""

from __future__ import annotations

import hashlib

import numpy as np
import onnx

from adapter.taggers.crf.tokens import sequence_tokens
from adapter.taggers.neural.model import NeuralModel
from adapter.taggers.neural.network import NETWORK, VOCABULARY, Network, written_vocabulary
from adapter.taggers.neural.vocabulary import UNKNOWN, Vocabulary
from tests.taggers.texts import document

NAME, SEX = "NOMBRE_SUJETO_ASISTENCIA", "SEXO_SUJETO_ASISTENCIA"
"""Labels of the Spanish corpus; ours has none for the second."""
LABELS = ("O", f"B-{NAME}", f"I-{NAME}", f"B-{SEX}", f"I-{SEX}")
SMALL = Vocabulary.of(
    ["jarnol", "queldrano", "mujer", "de"], "abcdefghijklmnopqrstuvwxyzJQ", LABELS
)
TABLE = np.zeros((len(SMALL.words) + UNKNOWN + 1, len(LABELS)), np.float32)
TABLE[:, 0] = 4
for _word, _label in (("jarnol", 1), ("queldrano", 2), ("mujer", 3)):
    TABLE[SMALL.words[_word], _label] = 9
MOVES = np.zeros((len(LABELS), len(LABELS)), np.float32)
MOVES[[0, 0, 3, 4, 1, 2], [2, 4, 2, 2, 4, 4]] = -1e4
CARD = """\
language = "es"
method = "bilstm-crf"

[use]
share = 0.9

[thresholds."0.95"]
all = 0.5

[digest]
"""


def scored(given):
    """The scores of labels by the words alone."""
    return TABLE[given["words"]]


def tokens(text):
    """The tokens of a text."""
    return sequence_tokens(document(text))


def network(moves=MOVES):
    """The network as the core gets it; nothing is installed for it."""
    return Network(scored, SMALL, moves)


def model(**more):
    """A model of the network, which decides nearly alone."""
    said = {"share": 0.9, "thresholds": {"0.95": {"all": 0.5}}}
    return NeuralModel(network(), **(said | more))


def onnx_file(table=TABLE, *, elsewhere=""):
    """The network as the bytes of an ONNX file, its table ``elsewhere`` if that names a file."""
    helper, numbers = onnx.helper, onnx.TensorProto.INT32
    tensor = onnx.numpy_helper.from_array(table, "table")
    if elsewhere:
        onnx.external_data_helper.set_external_data(tensor, elsewhere)
        tensor.ClearField("raw_data")
    shapes = {
        "words": ["t", "s"], "forms": ["t", "s"], "spellings": ["f", "c"], "lengths": ["s"],
    }  # fmt: skip
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "words"], ["scores"])],
        "small",
        [helper.make_tensor_value_info(name, numbers, shape) for name, shape in shapes.items()],
        [helper.make_tensor_value_info("scores", onnx.TensorProto.FLOAT, ["t", "s", len(LABELS)])],
        [tensor],
    )
    opset = helper.make_opsetid("", 17)
    return helper.make_model(graph, opset_imports=[opset], ir_version=8).SerializeToString()


def written(models, code="es", content=None, card=CARD):
    """A model of the network in a language's folder of models, which is returned."""
    folder = models / code / "neural"
    folder.mkdir(parents=True)
    files = {NETWORK: content or onnx_file(), VOCABULARY: written_vocabulary(SMALL, MOVES)}
    digests = ""
    for name, each in files.items():
        (folder / name).write_bytes(each)
        digests += f'"{name}" = "sha256:{hashlib.sha256(each).hexdigest()}"\n'
    (folder / "card.toml").write_text(card + digests)
    return folder.parent
