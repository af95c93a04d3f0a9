"""The docstrings of the modules beside ``ops`` and ``nn``: complete, with examples that give what they show."""

import pytest

from msgrad import amp, communication, experimental, train

from .examples import complaints

NAMES = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (amp, communication, train, experimental.optim, experimental.optim.lr_scheduler)
    for name in module.__all__
    if callable(getattr(module, name))
}


@pytest.mark.parametrize("name", NAMES)
def test_says_what_it_stands_for(name):
    text = NAMES[name].__doc__
    assert text.strip()
    assert "Source: mindspore." in text


@pytest.mark.parametrize("name", NAMES)
def test_example_gives_what_it_shows(name):
    assert not complaints(name, NAMES[name].__doc__)
