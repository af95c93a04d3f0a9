"""Names of msgrad's own on objects that users give attributes: `_so_`, so that a user's name never hides one."""

import json

import pytest

import msgrad as ms
from tests.golden import make_members as golden

MEMBERS = {kind: names.split() for kind, names in json.loads(golden.FILE.read_text()).items()}
# JAX's name, and methods of MindSpore 2.0.
KNOWN = ["aval", *[f"tensor_scatter_{kind}" for kind in ("add", "div", "max", "min", "mul", "sub", "update")]]


def is_reserved(name, kind):
    """Whether MindSpore's users do not use a name; none of Tensors has an underscore in front."""
    return name[0] == "_" and (name[-1] == "_" or kind in ("Tensor", "Parameter"))


@pytest.mark.parametrize("kind", MEMBERS)
def test_names_that_mindspore_lacks_are_reserved_ones(kind):
    names = {*golden.names(golden.objects(ms), kind)} - {*MEMBERS[kind], *KNOWN}
    assert [name for name in sorted(names) if not is_reserved(name, kind)] == []
