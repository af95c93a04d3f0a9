"""Writes ``msgrad/ops/math/bessel_tables.py``: Chebyshev coefficients of the Bessel functions that JAX does not have.

    python tests/golden/make_bessel.py

Each is interpolated at Chebyshev nodes from SciPy's values; coefficients below 1e-17 of the largest are left out.
"""

import pathlib

import numpy as np
from numpy.polynomial import chebyshev
from scipy import special

TARGET = pathlib.Path(__file__).resolve().parents[2] / "msgrad" / "ops" / "math" / "bessel_tables.py"
HEAD = '''"""Chebyshev coefficients of Bessel functions over ``[-1, 1]``; `tests/golden/make_bessel.py` wrote this file.

``NEAR`` is over ``x^2``, up to ``x = 8`` for J and Y and up to 2 for K, with the logarithm and the pole taken out;
``FAR`` over ``(8 / x)^2`` (the amplitudes of cosine and sine, the second divided by ``8 / x``), for K over ``2 / x``.
"""

# fmt: off
'''


def root(t, end):
    return np.sqrt((t + 1) / 2) * end


def amplitudes(order, t):
    x = 8 / root(t, 1)
    angle = x - (order / 2 + 0.25) * np.pi
    j, y = special.jv(order, x), special.yv(order, x)
    scale = np.sqrt(np.pi * x / 2)
    return scale * (j * np.cos(angle) + y * np.sin(angle)), scale * (y * np.cos(angle) - j * np.sin(angle)) * x / 8


def far_k(order, t):
    x = 4 / (t + 1)
    return special.kve(order, x) * np.sqrt(x)


TABLES = {
    "J0_NEAR": lambda t: special.j0(root(t, 8)),
    "J1_NEAR": lambda t: special.j1(root(t, 8)) / root(t, 8),
    "Y0_NEAR": lambda t: special.y0(root(t, 8)) - 2 / np.pi * np.log(root(t, 8) / 2) * special.j0(root(t, 8)),
    "Y1_NEAR": lambda t: (
        special.y1(root(t, 8)) - 2 / np.pi * (np.log(root(t, 8) / 2) * special.j1(root(t, 8)) - 1 / root(t, 8))
    ) / root(t, 8),
    "K0_NEAR": lambda t: special.k0(root(t, 2)) + np.log(root(t, 2) / 2) * special.i0(root(t, 2)),
    "K1_NEAR": lambda t: (
        special.k1(root(t, 2)) - np.log(root(t, 2) / 2) * special.i1(root(t, 2)) - 1 / root(t, 2)
    ) / root(t, 2),
    "COSINE0_FAR": lambda t: amplitudes(0, t)[0],
    "SINE0_FAR": lambda t: amplitudes(0, t)[1],
    "COSINE1_FAR": lambda t: amplitudes(1, t)[0],
    "SINE1_FAR": lambda t: amplitudes(1, t)[1],
    "K0_FAR": lambda t: far_k(0, t),
    "K1_FAR": lambda t: far_k(1, t),
}  # fmt: skip


def main():
    lines = [HEAD]
    for name, function in TABLES.items():
        coefficients = chebyshev.chebinterpolate(function, 31)
        minimum = 1e-17 * np.abs(coefficients).max()
        # The tail is rounding: from where the coefficients no longer fall, they say nothing.
        size = next((n for n in range(1, 31) if np.abs(coefficients[n:]).max() < 20 * max(minimum, 1e-17)), 31)
        shown = [f"{value:.17g}" for value in coefficients[:size]]
        rows = [", ".join(shown[start : start + 4]) + "," for start in range(0, len(shown), 4)]
        lines.append(f"{name} = (\n" + "".join(f"    {row}\n" for row in rows) + ")\n")
    TARGET.write_text("".join(lines))


if __name__ == "__main__":
    main()
