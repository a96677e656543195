"""The commands that build lists: their command lines are those that their modules document."""

from __future__ import annotations

import importlib
import re

import pytest
import typer.main
from typer.testing import CliRunner

MODULES = (
    "adapter.train.augment.lexicons",
    "adapter.train.lexicons.english",
    "adapter.train.lexicons.german",
    "adapter.train.lexicons.spanish",
    "adapter.train.lexicons.surrogates",
)


@pytest.fixture(params=MODULES)
def module(request):
    """A module with a command."""
    return importlib.import_module(request.param)


def documented(module):
    """Arguments and options of the call that the module's docstring shows, and its defaults."""
    call = re.search(rf"``python -m {re.escape(module.__name__)} ([^`]+)``", module.__doc__)[1]
    arguments, *options = call.split(" --")
    return arguments.split(), dict(option.split(" ") for option in options)


def test_the_command_takes_what_its_module_documents(module):
    """As many arguments stand there as are needed, the last repeated where it may be."""
    arguments, options = documented(module)
    taken = typer.main.get_command(module.app).params
    needed = [p for p in taken if p.param_type_name == "argument"]
    assert len(arguments) == len(needed)
    assert [argument.endswith("...") for argument in arguments] == [p.nargs == -1 for p in needed]
    defaults = {p.name: str(p.default) for p in taken if p.param_type_name == "option"}
    assert options.items() <= defaults.items()


def test_a_folder_that_is_not_there_is_refused(module, tmp_path):
    """The command ends with the status of a wrong call, before it writes anything."""
    arguments, _ = documented(module)
    out = tmp_path / "out"
    missing = [str(tmp_path / "missing")] * len(arguments)
    result = CliRunner().invoke(module.app, [*missing, "--out", str(out)])
    assert 2 == result.exit_code
    assert not out.exists()


def test_an_error_is_told_without_values_of_texts(module):
    """No frame of a traceback is printed with its local values, which may be of a corpus."""
    assert not module.app.pretty_exceptions_enable
