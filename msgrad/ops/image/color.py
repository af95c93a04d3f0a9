"""Color spaces of images whose channels are the last axis: RGB and HSV."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array
from .._core.define import op
from .._core.families import body


def _check(owner, name, x, rank):
    check.dtype(x, "f", name, owner)
    if x.ndim < rank or x.shape[-1] != 3:
        check.refuse(ValueError, owner, name, f"of at least {rank} axes, the last of length 3", x.shape)
    return x


def _hsv(rgb):
    red, green, blue = (rgb[..., k] for k in range(3))
    value = rgb.max(-1)
    span = value - rgb.min(-1)
    safe = jnp.where(span > 0, span, 1)
    sector = jnp.where(
        red == value,
        (green - blue) / safe,
        jnp.where(green == value, (blue - red) / safe + 2, (red - green) / safe + 4),
    )
    hue = jnp.where(span > 0, jnp.mod(sector / 6, 1), 0)
    saturation = jnp.where(value > 0, span / jnp.where(value > 0, value, 1), 0)
    return jnp.stack([hue, saturation, value], -1)


def _rgb(hsv):
    hue, saturation, value = (hsv[..., k] for k in range(3))
    shares = [jnp.abs(hue * 6 - 3) - 1, 2 - jnp.abs(hue * 6 - 2), 2 - jnp.abs(hue * 6 - 4)]
    return jnp.stack([((jnp.clip(share, 0, 1) - 1) * saturation + 1) * value for share in shares], -1)


_CONVERTED = """{first}, each from 0 to 1, of {second}.

    Args:
        {argument} (Tensor): shape ``(*, 3)``, a float dtype, values from 0 to 1.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``{argument}`` is not a Tensor of floats.  ValueError: if its last length is not 3.
    Example:
        >>> ops.{primitive}()(Tensor([{pixel}])){shown}.tolist()
        [{value}]
    Source: mindspore.ops.{primitive}
    """


def _conversion(name, primitive, argument, convert, **fields):
    def compute(x):
        return convert(_check(primitive, argument, x, 1)).astype(x.dtype)

    text = f"{name}({argument}: Array)"
    return op(f"{primitive}()", name=name)(
        body(text, compute, _CONVERTED, primitive=primitive, argument=argument, **fields)
    )


_rgb_to_hsv = _conversion(
    "_rgb_to_hsv",
    "RGBToHSV",
    "images",
    _hsv,
    first="Hue, saturation and value",
    second="red, green and blue",
    pixel="[0.0, 0.5, 0.0]",
    shown=".asnumpy().round(3)",
    value="[0.3330000042915344, 1.0, 0.5]",
)
_hsv_to_rgb = _conversion(
    "_hsv_to_rgb",
    "HSVToRGB",
    "x",
    _rgb,
    first="Red, green and blue",
    second="hue, saturation and value",
    pixel="[0.0, 1.0, 0.5]",
    shown="",
    value="[0.5, 0.0, 0.0]",
)


def _check_number(owner, arg_name, value):
    if value.ndim:
        check.refuse(ValueError, owner, arg_name, "a Tensor without axes", value.shape)


@op("AdjustHue()", name="_adjust_hue")
def _adjust_hue(image: Array, delta: Array):
    """Adjusts the hue of images by an angle.

    Args:
        image (Tensor): shape ``(*, 3)``, at least three axes, float16 or float32.
        delta (Tensor): what is added to the hue, a number of float32.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument is not a Tensor of floats.  ValueError: if the shape does not fit.
    Example:
        >>> ops.AdjustHue()(Tensor([[[0.5, 0.0, 0.0]]]), Tensor(0.5)).tolist()
        [[[0.0, 0.5, 0.5]]]
    Source: mindspore.ops.AdjustHue
    """
    _check_number("AdjustHue", "delta", delta)
    hsv = _hsv(_check("AdjustHue", "image", image, 3).astype(jnp.float32))
    return _rgb(hsv.at[..., 0].set(jnp.mod(hsv[..., 0] + delta, 1))).astype(image.dtype)


@op("AdjustSaturation()", name="_adjust_saturation")
def _adjust_saturation(image: Array, scale: Array):
    """Multiplies the saturation of images.

    Args:
        image (Tensor): shape ``(*, 3)``, at least three axes, float16 or float32.
        scale (Tensor): the factor, a number of float32; the product is kept from 0 to 1.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument is not a Tensor of floats.  ValueError: if the shape does not fit.
    Example:
        >>> ops.AdjustSaturation()(Tensor([[[0.5, 0.0, 0.0]]]), Tensor(0.0)).tolist()
        [[[0.5, 0.5, 0.5]]]
    Source: mindspore.ops.AdjustSaturation
    """
    _check_number("AdjustSaturation", "scale", scale)
    hsv = _hsv(_check("AdjustSaturation", "image", image, 3).astype(jnp.float32))
    return _rgb(hsv.at[..., 1].set(jnp.clip(hsv[..., 1] * scale, 0, 1))).astype(image.dtype)
