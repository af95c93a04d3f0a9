"""The docstrings of the modules beside ``ops`` and ``nn``: complete, with examples that give what they show."""

import importlib
import types

import pytest

from msgrad.ops.legacy.left_out import LeftOut

from .examples import complaints
from .helpers import assert_each

MODULES = (
    "amp boost communication communication.comm_func experimental.optim experimental.optim.lr_scheduler hal mint "
    "mint.distributed mint.linalg mint.nn mint.nn.functional mint.optim mint.special nn.dynamic_lr "
    "nn.probability.bijector nn.probability.bnn_layers nn.probability.distribution nn.utils numpy numpy.fft onnx "
    "parallel profiler runtime scipy.fft scipy.linalg scipy.ops scipy.optimize train utils"
)
NAMES = {
    f"{place}.{name}": getattr(module, name)
    for place, module in [(place, importlib.import_module(f"msgrad.{place}")) for place in MODULES.split()]
    for name in module.__all__
    if callable(getattr(module, name)) and not isinstance(getattr(module, name), (types.ModuleType, LeftOut))
}


def test_docstrings_say_what_the_names_stand_for():
    assert_each(check_source, {name: (face.__doc__ or "",) for name, face in NAMES.items()})


def check_source(text):
    assert text.strip()
    assert "Source: mindspore." in text


@pytest.mark.parametrize("name", NAMES)
def test_example_gives_what_it_shows(name):
    assert not complaints(name, NAMES[name].__doc__)
