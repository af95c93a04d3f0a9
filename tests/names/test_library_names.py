"""Names that libraries use (mindnlp, Golden Stick): their behaviour. Numbers without a formula are MindSpore's."""

import subprocess
import sys

import numpy as np
import pytest

import msgrad as ms
from msgrad import QuantDtype, Tensor, ops
from msgrad._compat import checkparam
from msgrad._compat.compiler import c_expression
from msgrad._compat.modules import rewrite
from msgrad._compat.nn import layers
from msgrad._compat.ops import attention, inner_primitives, quantization
from msgrad._compat.rewrite import common
from msgrad._compat.train import event_files, graph_files, precision
from msgrad.context import K_CONTEXT

from ..helpers import assert_close

FILLED = [
    (c_expression._random_normal, (0.5, 2.0),
     [-0.03442299738526344, 0.9172766208648682, -0.5312971472740173, 0.6659990549087524]),
    (c_expression._random_uniform, (-1.0, 2.0),
     [0.9449852705001831, -0.38245415687561035, 0.14769043028354645, -0.29995352029800415]),
    (c_expression._truncated_normal, (-2.0, 2.0, 0.0, 1.0),
     [0.3626837730407715, -0.7747876048088074, -0.2847786247730255, -0.6887778639793396]),
]  # fmt: skip


@pytest.mark.parametrize("fill, numbers, expected", FILLED)
def test_arrays_are_filled_with_the_numbers_of_a_seed(fill, numbers, expected):
    array = np.zeros((2, 3), np.float32)
    fill(12345, array, *numbers)
    assert array.ravel()[:4].tolist() == expected


def test_length_of_a_transposed_convolution():
    arguments = [(5, 3, 2, 1, 0), (5, 3, 2, 2, 1), (4, 1, 3, 1, 2), (7, 5, 1, 3, 4)]
    lengths = layers._deconv_output_length
    actual = [lengths(mode == 0, mode == 1, mode == 2, *each) for mode in range(4) for each in arguments]
    assert actual == [11, 13, 12, 19, 10, 10, 12, 7, 11, 12, 8, 15, 0, 0, 0, 0]


@pytest.mark.parametrize(
    "value, options, expected",
    [
        (2, {}, (2, 2, 2)),
        ((1, 2, 3, 4, 5), {"allow_five": True}, (3, 4, 5)),
        ((1, 2, 3), {"ret_five": True}, (1, 1, 1, 2, 3)),
        ((1, 2, 3, 4, 5), {"allow_five": True, "ret_five": True}, (1, 2, 3, 4, 5)),
        (0, {"greater_zero": False}, (0, 0, 0)),
        (0, {}, ValueError),
        ((1, 2), {}, ValueError),
        ((1, 2, 3, 4, 5), {}, ValueError),
        ((1.0, 2, 3), {}, ValueError),
        ("a", {}, TypeError),
        ((2, 2, 2), {"third_one": True}, ValueError),
        (2, {"ret_five": True, "pad_value": 0}, ValueError),
    ],
)
def test_three_ints(value, options, expected):
    if isinstance(expected, tuple):
        assert checkparam._check_3d_int_or_tuple("kernel_size", value, "Pool", **options) == expected
    else:
        with pytest.raises(expected, match="For 'Pool', the 'kernel_size' must be"):
            checkparam._check_3d_int_or_tuple("kernel_size", value, "Pool", **options)


def test_axes_are_counted_from_the_first():
    assert checkparam.check_and_canonicalize_axes((0, -1), 3) == (0, 2)
    assert checkparam.check_and_canonicalize_axes(-1, 3) == (2,)
    for axes, error in (((0, 1, -2), ValueError), (5, ValueError), ((1.0,), TypeError)):
        with pytest.raises(error):
            checkparam.check_and_canonicalize_axes(axes, 3)


@pytest.mark.parametrize("is_causal", [False, True])
def test_attention(is_causal):
    query, key, value = (np.cos(np.arange(12) + k).reshape(1, 3, 4).astype(np.float32) for k in range(3))
    scores = query @ key.swapaxes(1, 2) / 2 + (np.tril(np.ones((3, 3))) if is_causal else 0)
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    arguments = (*map(Tensor, (query, key, value)), None, 0.0, is_causal, False, ms.float32)
    actual = attention._scaled_dot_product_attention(*arguments)
    assert_close(actual[1].asnumpy(), weights.astype(np.float32))
    assert_close(actual[0].asnumpy(), (weights @ value).astype(np.float32))


def test_the_primitive_of_flash_attention():
    random = np.random.RandomState(0)
    query, key, value = (Tensor(random.randn(2, 5, 8).astype(np.float32)) for _ in range(3))
    mask = np.triu(np.ones((5, 5)), 1)
    flash = inner_primitives.FlashAttentionScore(2, scale_value=0.5)
    largest, total, _, attended = flash(query, key, value, attn_mask=Tensor(mask.astype(np.uint8)))
    heads = [each.asnumpy().reshape(2, 5, 2, 4) for each in (query, key, value)]
    scores = np.where(mask > 0, -np.inf, np.einsum("bsnd,btnd->bnst", *heads[:2]) * 0.5)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    weights = powers / powers.sum(-1, keepdims=True)
    assert_close(attended, np.einsum("bnst,btnd->bsnd", weights, heads[2]).reshape(2, 5, 8), rtol=1e-5)
    assert_close(largest, np.repeat(scores.max(-1, keepdims=True), 8, -1), rtol=1e-5)  # 8 times, as on Ascend
    assert_close(total, np.repeat(powers.sum(-1, keepdims=True), 8, -1), rtol=1e-5)


def test_parameters_of_quantisation_pass_tensors_on():
    made = quantization.FakeQuantParam.linear_quant_param(QuantDtype.INT8, 0.5, 1)
    x = Tensor([1.0])
    assert made(x) is x
    assert made.attrs["linear_quant_scale"] == [0.5] and made.attrs["linear_quant_zero_point"] == [1]
    assert made.attrs["quant_algo_name"] == "linear_quant_algo" and made.attrs["quant_dtype"] == QuantDtype.INT8.value()
    with pytest.raises(TypeError, match="For 'FakeQuantParam', the 'scale' must be"):
        quantization.FakeQuantParam.linear_quant_param(QuantDtype.INT8, "a", 1)
    with pytest.raises(NotImplementedError, match="'operations._quant_ops.BatchNormFold' is left out"):
        quantization.BatchNormFold()(x)


def test_bases_of_rewrite_may_have_subclasses_that_raise_when_made():
    class Fuse(rewrite.Replacement):
        pass

    with pytest.raises(NotImplementedError, match="'rewrite.Replacement' is left out of msgrad"):
        Fuse()
    common._subtree_black_list.append(Fuse)
    assert common._subtree_black_list.pop() is Fuse
    for make in (graph_files.ModelProto, event_files.Event, precision._insert_cast_for_operators):
        with pytest.raises(NotImplementedError, match="'train.[a-z_0-9]+.[_a-zA-Z]+' is left out"):
            make()


def test_hints_and_old_signatures():
    assert K_CONTEXT.set_backend_policy("ge") is None
    x = Tensor([[1, 2]])
    assert x.repeat(2, axis=0).tolist() == [[1, 2], [1, 2]] and x.repeat(2, axis=1).tolist() == [[1, 1, 2, 2]]
    assert x.repeat(2, 3).shape == x.repeat((2, 3)).shape == (2, 6)


REPLACED = """
import sys, msgrad.alias; msgrad.alias.install()
import mindspore as ms
before = ms.ops.repeat_interleave
modules = set(sys.modules)
ms.ops.repeat_interleave = lambda *args, **kwargs: before(*args, **kwargs)
ms.ops.bmm = lambda *args, **kwargs: None
print(*[name for name in set(sys.modules) - modules if not name.startswith(("msgrad.ops.", "mindspore.ops."))])
import mindspore.numpy as mnp
from mindspore.ops import functional as F
print(mnp.repeat(ms.Tensor([1, 2]), 2).tolist(), ms.mint.bmm.__name__, F.bmm(1), ms.ops.bmm(1))
del ms.ops.bmm
print(ms.ops.bmm.__name__)
"""


def test_a_program_may_replace_functions_of_ops():
    done = subprocess.run([sys.executable, "-c", REPLACED], capture_output=True, text=True, timeout=300)
    assert done.stdout == "\n[1, 1, 2, 2] bmm None None\nbmm\n", done.stderr[-2000:]
    assert ops.bmm is not None
