"""The shape of the program: imports go down only, the core does no I/O, reprs show no text."""

from __future__ import annotations

import ast
import dataclasses
import re
import typing
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from adapter import types
from adapter.mart.store.registry import DATABASES
from adapter.review.store.registry import REVIEWS
from adapter.vault.registry import STORES

PACKAGE = Path(__file__).resolve().parent.parent / "adapter"

L0 = {"types", "errors", "headers", "normalize", "priorities", "checkdigits"}
L1 = {
    "codecs",
    "fields",
    "phrases",
    "taggers",
    "resolve",
    "surrogates",
    "leakcheck",
    "values",
}
L2 = {"pipeline"}
L4 = {"cli", "console", "__main__"}
LANGUAGES = {"languages"}
"""Between the two: any part of L1 may read what the rules say of languages."""
CORE = L0 | LANGUAGES | L1 | L2
IMPURE = {
    "asyncio", "logging", "socket", "threading", "random", "time", "os", "pathlib", "io",
    "subprocess", "shutil", "tempfile", "secrets", "multiprocessing", "concurrent", "aiokafka",
    "structlog", "pydantic", "prometheus_client", "http", "urllib",
}  # fmt: skip
ALLOWED = {("train", "taggers"), ("evaluate", "taggers")}


def modules() -> dict[str, Path]:
    """Module name below the package -> file."""
    names = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return names


MODULES = modules()


@cache
def imports(name: str, *, typing_too: bool = True) -> frozenset[str]:
    """What a module imports, lazily or not; own modules without the package's name."""
    tree = ast.parse(MODULES[name].read_text("utf-8"))
    found: set[str] = set()
    skipped = set() if typing_too else _typing_only(tree)
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(_own(item) for item in found)


def _typing_only(tree: ast.AST) -> set[ast.AST]:
    blocks = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
    )
    return {inner for block in blocks for part in block.body for inner in ast.walk(part)}


def _own(dotted: str) -> str:
    """Turn adapter.taggers.document.tokens.Tokens into taggers.tokens; foreign names stay."""
    if not dotted.startswith("adapter."):
        return f"foreign:{dotted}"
    inner = dotted.removeprefix("adapter.")
    while inner and inner not in MODULES:
        inner = inner.rpartition(".")[0]
    return inner


def layer(name: str) -> float:
    """The layer of a module, by its first part."""
    top = name.partition(".")[0]
    for level, members in ((0, L0), (0.5, LANGUAGES), (1, L1), (2, L2), (4, L4)):
        if top in members:
            return level
    return 3


OWN = [name for name in MODULES if name]


@pytest.mark.parametrize("name", OWN)
def test_imports_go_down_only(name):
    """A module imports its own part or lower layers; parts of the core know no sibling."""
    top = name.partition(".")[0]
    for target in imports(name) & set(OWN):
        other = target.partition(".")[0]
        if other == top or (top, other) in ALLOWED:
            continue
        assert layer(other) <= layer(name), f"{name} -> {target}"
        assert not (layer(name) == 1 and layer(other) == 1), f"{name} -> {target}"


def test_no_import_cycle():
    """Modules form no cycle, lazy and typing-only imports counted."""
    graph = {name: imports(name) & set(OWN) - {name} for name in OWN}
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path, name))
        if name in done:
            return
        for target in graph[name]:
            visit(target, (*path, name))
        done.add(name)

    for name in graph:
        visit(name, ())


def _sides(node: ast.AST) -> list[ast.expr]:
    """What a comparison or a match looks at."""
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    return [node.subject] if isinstance(node, ast.Match) else []


def test_nothing_branches_on_a_transports_name():
    """What differs between transports is their registry's to say."""
    asked = [
        f"{name}:{node.lineno}"
        for name in OWN
        for node in ast.walk(ast.parse(MODULES[name].read_text("utf-8")))
        if name != "transports.registry"
        and any(getattr(side, "attr", "") == "transport" for side in _sides(node))
    ]
    assert [] == asked


OF_ADDRESSES = {
    "vault.registry", "mart.store.registry", "config.mart",
    "review.store.registry", "config.review",
}  # fmt: skip
"""Modules that may name a store's scheme: registries, and settings with a default address."""


def test_nothing_branches_on_a_stores_scheme():
    """What an address of a vault or a mart means is its registry's to say."""
    schemes = tuple(f"{scheme}:" for scheme in (*STORES, *DATABASES, *REVIEWS))
    asked = [
        f"{name}:{node.lineno}"
        for name in OWN
        for node in ast.walk(ast.parse(MODULES[name].read_text("utf-8")))
        if name not in OF_ADDRESSES
        and isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.startswith(schemes)
    ]
    assert [] == asked


@pytest.mark.parametrize("name", [n for n in OWN if n.partition(".")[0] in CORE])
def test_core_is_pure(name):
    """The core imports nothing that reads, writes, waits or draws lots."""
    foreign = {item.removeprefix("foreign:") for item in imports(name, typing_too=False)}
    impure = {item.partition(".")[0] for item in foreign} & IMPURE
    assert impure == set()
    calls = {
        node.func.id
        for node in ast.walk(ast.parse(MODULES[name].read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert calls & {"open", "print", "input", "eval", "exec"} == set()


@pytest.mark.parametrize("name", [n for n in OWN if n.startswith(("transports", "config"))])
def test_transports_and_config_do_not_know_the_product(name):
    """Transports and settings never import process; the runner joins them."""
    assert not {item for item in imports(name) if item.partition(".")[0] == "pipeline"}


@pytest.mark.parametrize(
    "name", [n for n in OWN if n.startswith(("transports.files", "transports.listener.to_files"))]
)
def test_folders_need_no_broker(name):
    """What writes to a folder imports nothing of Kafka."""
    assert not [each for each in imports(name) if "kafka" in each and not each.startswith("config")]


CANARY = "Zzyzx-Canary-4711"


def _dataclasses() -> list[type]:
    return [c for c in vars(types).values() if dataclasses.is_dataclass(c)]


@pytest.mark.parametrize("kind", _dataclasses(), ids=lambda c: c.__name__)
def test_repr_shows_no_text(kind):
    """Types are frozen and slotted, and no field that can hold a message's text is in the repr."""
    assert kind.__dataclass_params__.frozen
    assert "__slots__" in vars(kind)
    public = {
        "format", "kind", "counts", "ruleset_digest", "stage", "code", "topic", "source", "role",
        "form", "datatype", "id", "entity", "rule", "part", "scope",
    }  # fmt: skip
    hints = typing.get_type_hints(kind)
    for item in dataclasses.fields(kind):
        texts = {"str", "bytes", "str | None", "bytes | None"} & {
            str(hints[item.name]),
            getattr(hints[item.name], "__name__", ""),
        }
        if texts and item.name not in public:
            assert not item.repr, f"{kind.__name__}.{item.name}"


@pytest.mark.parametrize("name", OWN)
def test_functions_are_short_and_modules_small(name):
    """No function's body is over 38 lines, and no module over 400."""
    text = MODULES[name].read_text("utf-8")
    assert len(text.splitlines()) <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[ast.get_docstring(node) is not None :] or node.body
            assert (body[-1].end_lineno or 0) - body[0].lineno < 38, node.name


def test_no_folder_is_crowded():
    """A package has at most 16 modules, and the root at most 8 beside its `__init__`."""
    counts = Counter(path.parent for path in PACKAGE.rglob("*.py"))
    assert counts.pop(PACKAGE) - 1 <= 8
    assert {} == {folder.name: count for folder, count in counts.items() if count > 16}


def test_every_test_has_a_sentence():
    """Every test says in a docstring what behaviour it shows."""
    silent = [
        f"{path.name}:{node.name}"
        for path in sorted(Path(__file__).parent.rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not ast.get_docstring(node)
    ]
    assert silent == []


SUITES = {
    "bench", "chaos", "conformance", "corpus", "deploy", "e2e", "evaluation", "golden",
    "hostile", "integration", "story",
}  # fmt: skip
"""Folders of tests that are about the whole program or what it shows, not about one package."""


def test_tests_mirror_the_tree():
    """Every folder of tests is that of a package, or of a suite over the whole program."""
    root = Path(__file__).parent
    folders = {path.parent.relative_to(root) for path in root.rglob("test_*.py")}
    packages = {path.parent.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")}
    assert [] == sorted(f for f in folders - packages if f.parts[0] not in SUITES)


def test_no_group_is_possessive_for_the_standard_library():
    """Before Python 3.11.5 `re` gives up too early in one; the regex package reads it right."""
    group = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+|\(\?>")
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text("utf-8")
        if "import regex" not in source:
            assert group.search(source) is None, path.name
