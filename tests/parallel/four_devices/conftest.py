"""Ends what a test has set up for several devices."""

import pytest

import msgrad as ms
import msgrad.sharding


@pytest.fixture(autouse=True)
def _on_one_device():
    yield
    ms.reset_auto_parallel_context()
    msgrad.sharding.stop()
