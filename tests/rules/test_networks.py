"""Opening a neural model: sealed files, no data elsewhere, no thread, and only with its extra."""

from __future__ import annotations

import hashlib
import multiprocessing
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

from adapter.errors import RuleError
from adapter.rules.folder import shipped
from adapter.rules.networks import has_neural, load_neural, opened
from adapter.taggers.neural.network import NETWORK, VOCABULARY
from adapter.taggers.neural.vectors import VECTORS, Vectors
from tests.taggers.neural.networks import (
    CARD,
    TABLE,
    onnx_file,
    tokens,
    written,
)


@pytest.fixture
def folder(tmp_path):
    """A language's folder with a neural model."""
    return written(tmp_path)


TEXT = "mujer Jarnol Queldrano de Jarnol\nmujer\n"


def test_a_model_is_what_its_card_says(folder):
    """Share and thresholds are the card's."""
    made = load_neural(folder)
    assert (0.9, {"0.95": {"all": 0.5}}) == (made.share, made.thresholds)
    assert [3, 1, 2, 0, 1, 0, 3] == made.network.labels(tokens(TEXT.strip()))


def test_the_shipped_spanish_model_opens_and_finds_a_name():
    """Its digests are those of its card, and it tells a patient's name from other words."""
    made = load_neural(shipped("models") / "es")
    read = tokens(
        "Datos del paciente.\nNombre: Jarnol Villarroya Cebrián.\nAcude por dolor de pecho."
    )
    names = [made.network.vocabulary.labels[number][2:] for number in made.network.labels(read)]
    found = [form for form, name in zip(read.forms, names, strict=True) if name]
    assert ["Jarnol", "Villarroya", "Cebrián"] == found
    assert "NOMBRE_SUJETO_ASISTENCIA" == names[read.forms.index("Jarnol")]


def test_no_card_is_no_model(tmp_path):
    """A language may go without."""
    assert load_neural(tmp_path / "es") is None
    assert not has_neural(tmp_path / "es")


@pytest.mark.parametrize("name", [NETWORK, VOCABULARY])
def test_a_file_that_is_not_what_the_card_names_is_refused(folder, name):
    """One byte more, and the model is not opened; a missing file is named too."""
    with (folder / "neural" / name).open("ab") as file:
        file.write(b" ")
    with pytest.raises(RuleError, match=r"does not match the digest") as refused:
        load_neural(folder)
    assert f"models/es/neural/{name}" == refused.value.place
    (folder / "neural" / name).unlink()
    with pytest.raises(RuleError, match=r"cannot be read \(FileNotFoundError\)"):
        load_neural(folder)


def test_vectors_belong_to_a_network_that_takes_them(folder):
    """A card that names vectors beside another network is refused, and so are other vectors."""
    content = Vectors.of(["jarnol"], np.ones((1, 2), np.float32)).written()
    (folder / "neural" / VECTORS).write_bytes(content)
    with (folder / "neural" / "card.toml").open("a") as card:
        card.write(f'"{VECTORS}" = "sha256:{hashlib.sha256(content).hexdigest()}"\n')
    with pytest.raises(RuleError, match="does not fit"):
        load_neural(folder)
    (folder / "neural" / VECTORS).write_bytes(content + b" ")
    with pytest.raises(RuleError, match="does not match the digest"):
        load_neural(folder)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[digest]", "[digests]", "model card"), ("share = 0.9", "", "model card"),
        ('[thresholds."0.95"]', "", "model card"), ("all = 0.5", "= 0.5", "model card"),
        ("share = 0.9", 'share = "much"', "model card"),
        ("all = 0.5", "all = nan", "at least 0, below 1"),
        ("all = 0.5", "all = inf", "at least 0, below 1"),
        ("all = 0.5", "all = 1.0", "at least 0, below 1"),
        ("all = 0.5", "all = -0.1", "at least 0, below 1"),
        ("share = 0.9", "share = 1", "at least 0, below 1"),
        ("share = 0.9", "share = nan", "at least 0, below 1"),
    ],
)  # fmt: skip
def test_a_card_that_lacks_something_is_refused(tmp_path, old, new, problem):
    """Its place is named, and nothing of the model used; no card makes the model certain."""
    assert old in CARD
    folder = written(tmp_path, card=CARD.replace(old, new))
    with pytest.raises(RuleError, match=problem) as refused:
        load_neural(folder)
    assert "models/es/neural/card.toml" == refused.value.place


@pytest.mark.parametrize("where", ["weights.bin", "/etc/hostname", "../weights.bin"])
def test_a_network_with_data_in_another_file_is_refused(where):
    """Whatever file it names, and whether or not there is one: it is never read."""
    with pytest.raises(RuleError, match="keeps data in another file"):
        opened(onnx_file(elsewhere=where))


def test_data_elsewhere_is_found_in_an_inner_graph():
    """Graphs within operators are searched too."""
    inner = onnx.load_from_string(onnx_file(elsewhere="weights.bin")).graph
    model = onnx.load_from_string(onnx_file())
    model.graph.node.append(
        onnx.helper.make_node("If", ["x"], ["y"], then_branch=inner, else_branch=inner)
    )
    with pytest.raises(RuleError, match="keeps data in another file"):
        opened(model.SerializeToString())


@pytest.mark.parametrize("content", [b"", b"\x00\xff broken", None])
def test_what_is_no_network_is_refused(content):
    """An empty file as well, and one that is cut."""
    with pytest.raises(RuleError, match="is not a network"):
        opened(onnx_file()[:-9] if content is None else content)


def test_a_network_of_other_labels_is_refused(tmp_path):
    """The network must score the labels that its vocabulary has."""
    folder = written(tmp_path, content=onnx_file(TABLE[:, :4]))
    with pytest.raises(RuleError, match="does not fit its vocabulary"):
        load_neural(folder)


def test_a_network_that_scores_no_numbers_is_refused(tmp_path):
    """It would protect nothing, and say nothing."""
    folder = written(tmp_path, content=onnx_file(TABLE * np.float32(np.nan)))
    with pytest.raises(RuleError, match="does not fit its vocabulary"):
        load_neural(folder)


def _labels(made, pipe):
    pipe.send(made.network.labels(tokens(TEXT)))


def test_a_forked_worker_runs_what_its_parent_opened(folder):
    """Opening and running start no thread, so nothing is lost in a fork: all workers agree."""
    before = len(list(Path("/proc/self/task").iterdir()))
    made = load_neural(folder)
    expected = made.network.labels(tokens(TEXT))
    assert before == len(list(Path("/proc/self/task").iterdir()))
    context = multiprocessing.get_context("fork")
    for _ in range(2):
        ours, theirs = context.Pipe()
        worker = context.Process(target=_labels, args=(made, theirs))
        worker.start()
        assert ours.poll(60)
        assert expected == ours.recv()
        worker.join(60)
        assert 0 == worker.exitcode


def test_a_network_runs_on_one_core(monkeypatch):
    """Its figures do not depend on the machine, and no thread is lost in a fork."""
    said = []

    open_session = onnxruntime.InferenceSession

    def session(content, options, providers):
        said.append((options.intra_op_num_threads, options.inter_op_num_threads, providers))
        return open_session(content, options, providers=providers)

    monkeypatch.setattr(onnxruntime, "InferenceSession", session)
    run = opened(onnx_file())
    assert [(1, 1, ["CPUExecutionProvider"])] == said
    given = {name: np.zeros((1, 1), np.int32) for name in ("words", "forms", "spellings")}
    assert (1, 1, 5) == run(given | {"lengths": np.ones(1, np.int32)}).shape
