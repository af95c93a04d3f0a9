"""Hints for kinds of devices, which have no effect."""

import pytest

from msgrad.device_context import ascend, cpu, gpu


def test_counts():
    assert cpu.device_count() == 1 and cpu.is_available() and not ascend.is_available()
    with pytest.raises(RuntimeError, match="there is no device of type Ascend"):
        ascend.device_count()


def test_hints():
    assert ascend.precision_mode("force_fp16") is cpu.threads_num(2) is gpu.conv_fprop_algo("normal") is None
    with pytest.raises(ValueError, match="the 'num' must be a positive int"):
        cpu.threads_num(0)
    with pytest.raises(TypeError, match="the 'value' must be a bool"):
        gpu.matmul_allow_tf32(1)
