"""Draws the gallery's pictures: runs each program of ``compat_examples``, and plots what it has computed.

    msgrad run docs/site/draw.py [NAME ...]

The tutorials' pictures are drawn by their own code: ``docs/site/run.py --write``.
"""

import contextlib
import io
import os
import runpy
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

sys.path.insert(0, os.path.dirname(__file__))
from gallery import EXAMPLES, FIGURES  # noqa: E402

plt.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "msgrad", "figure.figsize": (4.8, 3), "axes.grid": True}
plt.rcParams |= {"grid.alpha": 0.3}


def main(names):
    """Draws the pictures of the programs ``names``; of all that have one, if there are none."""
    for name in names or _PICTURES:
        draw, kind = _PICTURES[name]
        draw(_computed_by(name))
        metadata = {"Date": None} if kind == "svg" else None
        plt.savefig(FIGURES / f"gallery_{name}.{kind}", bbox_inches="tight", metadata=metadata, dpi=80)
        plt.close("all")


def _computed_by(name):
    """The variables of a program after its run, those of its function ``main`` included."""
    inner = {}

    def profile(frame, event, result):
        if event == "return" and frame.f_code.co_name == "main" and frame.f_globals.get("__name__") == "__main__":
            inner.update(frame.f_locals)

    with contextlib.redirect_stdout(io.StringIO()):
        sys.setprofile(profile)
        try:
            names = runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
        finally:
            sys.setprofile(None)
    return {**names, **inner}


def _loss(names):
    losses = np.array([np.mean(each) for each in names["losses"]])
    plt.plot(losses, alpha=0.4)
    plt.plot(np.arange(4, len(losses) - 4), np.convolve(losses, np.ones(9) / 9, "valid"), color="C0")
    plt.xlabel("step")
    plt.ylabel("loss")


def _few_losses(names):
    plt.plot(names["losses"], marker=".")
    plt.xlabel("step")
    plt.ylabel("loss")


def _images(images, titles):
    _, axes = plt.subplots(2, 4, figsize=(4.8, 2.6))
    for axis, image, title in zip(axes.ravel(), images, titles, strict=False):
        axis.imshow(image, cmap="gray")
        axis.set_title(title, fontsize=8)
        axis.axis("off")


def _lenet(names):
    guesses = [f"class {each}" for each in names["guesses"]]
    _images(names["data"][:, 0], guesses)


def _dcgan(names):
    _images(np.concatenate([names["real"][:4, 0], names["made"][:4, 0]]), ["drawn"] * 4 + ["made"] * 4)


def _physics(names):
    x = np.linspace(0, 1.5, 100, dtype=np.float32)
    plt.plot(x, np.sin(x), "--", label="sin")
    plt.plot(x, names["network"](names["Tensor"](x[:, None])).asnumpy().ravel(), label="network, after 31 steps")
    plt.plot(names["points"].asnumpy(), names["network"](names["points"]).asnumpy(), ".", color="C1")
    plt.legend()


def _taylor(names):
    ops, Tensor = names["ops"], names["Tensor"]
    cube, at = names["Cube"](), 1.0
    t = np.linspace(-0.5, 2.2, 100)
    value, first = [float(each) for each in ops.derivative(cube, Tensor(np.float32([at])), 1)]
    second = float(ops.derivative(cube, Tensor(np.float32([at])), 2)[1])
    plt.plot(t, t**3, color="k", label="x³")
    plt.plot(t, value + first * (t - at), label="order 1")
    plt.plot(t, value + first * (t - at) + second / 2 * (t - at) ** 2, label="order 2")
    plt.plot([at], [value], "o", color="k")
    plt.legend()


_PICTURES = {
    "lenet": (_lenet, "png"),
    "dcgan": (_dcgan, "png"),
    "resnet_cifar": (_loss, "svg"),
    "sentiment_lstm": (_loss, "svg"),
    "transformer": (_loss, "svg"),
    "training_step": (_few_losses, "svg"),
    "physics_informed_network": (_physics, "svg"),
    "taylor_series": (_taylor, "svg"),
}

if __name__ == "__main__":
    main(sys.argv[1:])
