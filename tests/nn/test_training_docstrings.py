"""The docstrings of mixed precision and of what is beside nn for training: complete, with examples that run."""

import importlib
import inspect

import pytest

from msgrad import boost, nn
from msgrad.experimental import optim

from ..examples import complaints, training

PLACES = "amp boost experimental.optim experimental.optim.lr_scheduler nn.dynamic_lr nn.utils"
MODULES = {place: importlib.import_module(f"msgrad.{place}") for place in PLACES.split()}
PUBLIC = {
    f"{place}.{name}": getattr(module, name)
    for place, module in MODULES.items()
    for name in module.__all__
    if not inspect.ismodule(getattr(module, name))
}


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_docstring_is_complete_and_its_example_runs(name):
    text = PUBLIC[name].__doc__ or ""
    assert "Source: mindspore." in text
    more = training() | {"boost": boost, "optim": optim}
    if "lr_scheduler" in name:
        more["optimizer"] = optim.SGD(nn.Dense(2, 1).trainable_params(), 0.1)
    assert not complaints(name, text, more)
