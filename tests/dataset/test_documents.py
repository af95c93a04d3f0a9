"""The examples in the docstrings of `mindspore.dataset` give the results that they show."""

import inspect

import pytest

import msgrad.dataset as ds

from ..examples import complaints

MODULES = {
    "dataset": ds,
    "audio": ds.audio,
    "config": ds.config,
    "text": ds.text,
    "transforms": ds.transforms,
    "vision": ds.vision,
}


def _documented():
    for path, module in MODULES.items():
        for name in getattr(module, "__all__", dir(module)):
            value = getattr(module, name)
            is_ours = str(getattr(value, "__module__", None)).startswith("msgrad.dataset")
            if is_ours and "Example:" in (inspect.getdoc(value) or ""):
                yield f"{path}.{name}", value
    for name, value in vars(ds.Dataset).items():
        if "Example:" in (inspect.getdoc(value) or ""):
            yield f"Dataset.{name}", value


@pytest.mark.parametrize("name, value", list(_documented()), ids=lambda part: part if isinstance(part, str) else "")
def test_example_shows_what_it_gives(name, value):
    faults = complaints(name, inspect.getdoc(value))
    assert not faults, faults
