"""Upcalls: what fills them fits their declarations, and their use before that is an error."""

import ast
import inspect
import pathlib

import pytest

from msgrad import _upcalls, dataset
from msgrad.nn.probability import distribution

DECLARED = [
    node for node in ast.parse(pathlib.Path(_upcalls.__file__).read_text()).body
    if node.__class__ in (ast.FunctionDef, ast.ClassDef) and node.name in _upcalls.FILLED_BY
]  # fmt: skip
SEVERAL_PROCESSES = {"ProcessesExecutable", "resharded", "of_first_process", "gathered", "check_before_read"}
assert dataset and distribution  # which fill some


@pytest.mark.parametrize("declared", DECLARED, ids=lambda node: node.name)
def test_upcall_fits_its_declaration(declared):
    filled = getattr(_upcalls, declared.name)
    if isinstance(filled, _upcalls._Unfilled) or filled is None:
        assert declared.name in SEVERAL_PROCESSES
    elif isinstance(declared, ast.ClassDef):
        names = [each.target.id for each in declared.body if isinstance(each, ast.AnnAssign)]
        assert isinstance(filled, type) and all(hasattr(filled, name) for name in names)
    else:
        takes, named = list(inspect.signature(filled).parameters.values()), [each.arg for each in declared.args.args]
        assert [each.name for each in takes[: len(named)]] == named
        assert all(each.default is not each.empty for each in takes[len(named) :])


@pytest.mark.parametrize("use", [lambda each: each(1), lambda each: each._wrap], ids=["called", "an attribute"])
def test_upcall_that_is_not_filled_says_which_file_is_missing(use):
    with pytest.raises(RuntimeError, match="'_upcalls.Result' was used before 'msgrad/tensor/tensor.py' was imported"):
        use(_upcalls._Unfilled("Result"))


def test_only_declared_upcalls_are_filled():
    with pytest.raises(NameError, match="'results' is no upcall: declare it"):
        _upcalls.fill(results=int)
    assert not hasattr(_upcalls, "results")
