"""Error messages for arguments show the value itself, never prose that looks like one."""

import ast
import pathlib

import pytest

import msgrad
from msgrad.engine.refusal import InWords, refuse

_GOT = 4  # the position of `got` among the arguments of `refuse`


def _shows_text(node):
    if not isinstance(node, ast.Call) or getattr(node.func, "attr", getattr(node.func, "id", None)) != "refuse":
        return False
    named = [keyword.value for keyword in node.keywords if keyword.arg == "got"]
    return any(map(_is_text, named or node.args[_GOT : _GOT + 1]))


def _is_text(node):
    return isinstance(node, ast.JoinedStr) or isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_no_refusal_shows_a_literal_text_as_the_value():
    root = pathlib.Path(msgrad.__file__).parent
    wrong = [
        f"{path.relative_to(root)}:{node.lineno}"
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if _shows_text(node)
    ]
    assert not wrong


def test_words_are_shown_without_quotes_and_type():
    with pytest.raises(ValueError, match=r"^For 'Load', the 'key' must be None, but got a key\.$"):
        refuse(ValueError, "Load", "key", "None", InWords("a key"))
