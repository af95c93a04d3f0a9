"""Pipelines begin each test without a seed."""

import pytest

import msgrad.dataset as ds


@pytest.fixture(autouse=True)
def _no_seed():
    """The seed of another test, which `mindspore.set_seed` sets, too, does not hold."""
    ds.config._set_seed(5489)
