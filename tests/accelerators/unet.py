"""U-Net: its training step in MindSpore and in JAX."""

import numpy as np

FULL = {"batch": 8, "side": 256, "width": 64, "levels": 4}


def data(sizes):
    random, shape = np.random.default_rng(0), (sizes["batch"], 1, sizes["side"], sizes["side"])
    return random.standard_normal(shape, np.float32), random.integers(0, 2, (shape[0], *shape[2:])).astype(np.int32)


def mindspore_loss(sizes):
    """The network, and the loss as a function of it, images and labels."""
    import msgrad as ms

    from ..networks import unet

    network = unet.build(sizes["width"])
    return network, lambda network, images, labels: ms.ops.cross_entropy(network(images).astype(ms.float32), labels)


def jax_loss(sizes, precision):
    """Parameters, state, and the loss as a function of both, images and labels; it returns the next state, too."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    from ..benchmarks.accelerator.precision import dtype_of_jax

    random, dtype = np.random.default_rng(0), dtype_of_jax(precision)
    width, levels = sizes["width"], sizes["levels"]
    p, state = {}, {}

    def add(name, outer, inner, size, is_normalized=True):
        """Weights of a convolution, and of the normalization after it."""
        p[name] = jnp.asarray(0.06 * random.standard_normal((outer, inner, size, size), np.float32))
        p[f"{name}.bias"] = jnp.zeros(outer)
        if is_normalized:
            p[f"{name}.scale"], p[f"{name}.shift"] = jnp.ones(outer), jnp.zeros(outer)
            state[f"{name}.mean"], state[f"{name}.variance"] = jnp.zeros(outer), jnp.ones(outer)

    def add_two(name, outer, inner):
        add(f"{name}.1", outer, inner, 3)
        add(f"{name}.2", outer, outer, 3)

    add_two("down0", width, 1)
    for k in range(levels):
        add_two(f"down{k + 1}", width * 2 ** (k + 1), width * 2**k)
        add(f"wider{k}", width * 2**k, width * 2 ** (k + 1), 2, is_normalized=False)
        add_two(f"up{k}", width * 2**k, width * 2 ** (k + 1))
    add("head", 2, width, 1, is_normalized=False)

    def loss(p, state, images, labels):
        following = {}

        def conv(x, name, **options):
            layout = ("NCHW", "OIHW", "NCHW")
            y = lax.conv_general_dilated(
                x, p[name].astype(dtype), (1, 1), **{"padding": "SAME"} | options, dimension_numbers=layout
            )
            return y + p[f"{name}.bias"].astype(dtype)[:, None, None]

        def normalized(x, name):
            x = x.astype(jnp.float32)
            mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3))
            following[f"{name}.mean"] = 0.9 * state[f"{name}.mean"] + 0.1 * mean
            following[f"{name}.variance"] = 0.9 * state[f"{name}.variance"] + 0.1 * variance
            scale = lax.rsqrt(variance + 1e-5) * p[f"{name}.scale"]
            shift = p[f"{name}.shift"] - mean * scale
            return (x * scale[:, None, None] + shift[:, None, None]).astype(dtype)

        def two(x, name):
            for k in (1, 2):
                x = jax.nn.relu(normalized(conv(x, f"{name}.{k}"), f"{name}.{k}"))
            return x

        kept = [two(images.astype(dtype), "down0")]
        for k in range(levels):
            pooled = lax.reduce_window(kept[-1], np.array(-np.inf, dtype), lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
            kept.append(two(pooled, f"down{k + 1}"))
        x = kept[-1]
        for k in reversed(range(levels)):
            wider = jax.nn.relu(conv(x, f"wider{k}", lhs_dilation=(2, 2), padding=[(1, 1), (1, 1)]))
            x = two(jnp.concatenate([wider, kept[k]], 1), f"up{k}")
        logits = conv(x, "head").astype(jnp.float32)
        return -jnp.take_along_axis(jax.nn.log_softmax(logits, 1), labels[:, None], 1).mean(), following

    return p, state, loss
