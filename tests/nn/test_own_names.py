"""Names of msgrad's own on objects and classes of users: `_so_`, or `_so`, so that a user's name never hides one."""

import json

import pytest

import msgrad as ms
from tests.golden import make_class_members as class_golden
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


DEFINED = {
    name: names for classes, names in json.loads(class_golden.FILE.read_text()).items() for name in classes.split()
}
CLASSES = class_golden.found_in_msgrad(DEFINED)
_BASES = "cast_base checktensor dtype_base shape_base"
# What a class of msgrad defines, and MindSpore's constructors or attribute look-ups.
SET_LATER = {
    "nn.probability.distribution.": f"{_BASES} checktuple exp_base log_base sq_base sqrt_base",
    "nn.probability.bijector.": f"{_BASES} common_dtype",
    "nn.probability.bnn_layers.WithBNNLossCell": "kl_loss",
    "dataset.IterSampler": "dataset_size",
    "dataset.Sampler": "dataset_size",
    "dataset.RandomDataset": "add_sampler use_sampler",
    "nn.SequentialCell": "cell_list",
    "ops.Custom": "vm_impl",
    "ops.PrimitiveWith": "infer_dtype infer_shape infer_value",
}
OBJECTS = ("ops.DataType", "ops.Tensor", "experimental.optim.lr_scheduler.Parameter")  # the test above compares Tensors


@pytest.mark.parametrize("name", [name for name in CLASSES if name not in OBJECTS])
def test_classes_define_no_public_names_that_mindspore_lacks(name):
    known = " ".join([DEFINED[name], *[names for start, names in SET_LATER.items() if name.startswith(start)]])
    of_python = {*dir(int)} if issubclass(CLASSES[name], int) else set()  # later versions have more
    assert sorted(class_golden.own_names(name, CLASSES) - {*known.split()} - of_python) == []


def test_most_classes_are_compared():
    assert len(CLASSES) > 1200
