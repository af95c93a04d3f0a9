"""Python's garbage collector waits while an operation is traced, planned and compiled, and no longer."""

import gc

import pytest

import msgrad as ms
from msgrad import Tensor
from msgrad._contracts.contracts import Array
from msgrad.ops._core.define import op
from msgrad.ops._core.faces import Dialect


@pytest.mark.parametrize("is_on", [True, False])
def test_collector_is_as_before_after_a_trace(is_on, mode):
    was_on = []

    @op(dialect=Dialect("users"))
    def halved(x: Array):
        """Half of the elements; an error for an odd number of them."""
        was_on.append(gc.isenabled())
        return x.reshape(2, x.size // 2)[0]

    run = ms.jit(lambda x: halved(x * 2.0))
    try:
        gc.enable() if is_on else gc.disable()
        for length in (30, 34, 35):
            if length % 2:
                with pytest.raises(TypeError):
                    run(Tensor([0.5] * length))
            else:
                assert run(Tensor([0.5] * length)).shape == (length // 2,)
            assert gc.isenabled() == is_on
    finally:
        gc.enable()
    assert was_on and not any(was_on)
