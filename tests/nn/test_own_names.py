"""Names of msgrad's own on objects that users give attributes: `_so_`, so that a user's name never hides one."""

import json

import pytest

import msgrad as ms
from tests.golden import make_members as golden

MEMBERS = {kind: names.split() for kind, names in json.loads(golden.FILE.read_text()).items()}


@pytest.mark.parametrize("kind", list(MEMBERS)[2:])
def test_names_that_mindspore_lacks_are_reserved_ones(kind):
    names = set(dir(golden.objects(ms)[kind])) - {*MEMBERS[kind], *dir(object)}
    assert [name for name in sorted(names) if not (name[0] == name[-1] == "_")] == []
