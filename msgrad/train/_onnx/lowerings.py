"""ONNX lowerings of operations that jax2onnx 0.17 refuses, or converts to a form that onnxruntime does not run."""

import contextlib


@contextlib.contextmanager
def added():
    """A context in which jax2onnx uses the lowerings of this file.

    If one of them does not apply, jax2onnx's own is used.
    """
    from jax2onnx.plugins import plugin_system

    plugin_system.import_all_plugins()
    registry = plugin_system.PLUGIN_REGISTRY
    theirs = {name: registry[name] for name in _LOWERINGS}
    for name, lower in _LOWERINGS.items():
        methods = {"lower": staticmethod(_either(lower, theirs[name]))}
        registry[name] = type("Lowering", (plugin_system.PrimitiveLeafPlugin,), methods)()
    try:
        yield
    finally:
        registry.update(theirs)


def _either(lower, theirs):
    def either(ctx, eqn):
        return lower(ctx, eqn) or theirs.lower(ctx, eqn)

    return either


def _max_pool(ctx, eqn):
    """Max pooling with windows over the spatial axes only; jax2onnx makes every axis a window axis."""
    (images,), params = eqn.invars, eqn.params
    windows, strides, padding = (params[f] for f in ("window_dimensions", "window_strides", "padding"))
    over_lengths = windows[:2] == (1, 1) and strides[:2] == (1, 1) and not any(map(any, padding[:2]))
    if len(windows) < 3 or not over_lengths or any(step != 1 for step in params["base_dilation"]):
        return False
    dilation = params["window_dilation"][2:]
    _bind(ctx, eqn, ctx.builder.MaxPool, [images], windows[2:], strides[2:], padding[2:], dilation)
    return True


def _convolution(ctx, eqn):
    """Convolutions of any number of spatial axes, in ONNX's order; jax2onnx supports one and two."""
    params = eqn.params
    standard = all(tuple(spec) == tuple(range(len(spec))) for spec in params["dimension_numbers"])
    if not standard or any(step != 1 for step in params["lhs_dilation"]) or params["batch_group_count"] != 1:
        return False
    lengths = eqn.invars[1].aval.shape[2:]
    options = {"group": params["feature_group_count"]}
    _bind(
        ctx, eqn, ctx.builder.Conv, eqn.invars, lengths,
        params["window_strides"], params["padding"], params["rhs_dilation"], **options,
    )  # fmt: skip
    return True


def _bind(ctx, eqn, node, operands, windows, strides, padding, dilation, **options):
    """Adds a node with sliding windows over the spatial axes."""
    (result,) = eqn.outvars
    expected = ctx.get_value_for_var(result, name_hint=ctx.fresh_name("result"))
    values = [ctx.get_value_for_var(operand, name_hint=ctx.fresh_name("operand")) for operand in operands]
    value = node(
        *values,
        kernel_shape=list(windows),
        strides=list(strides),
        pads=[low for low, _ in padding] + [high for _, high in padding],
        dilations=list(dilation),
        _outputs=[expected.name],
        **options,
    )
    value.type, value.shape = values[0].type, expected.shape
    ctx.bind_value_for_var(result, value)


_LOWERINGS = {"reduce_window_max": _max_pool, "conv_general_dilated": _convolution}
