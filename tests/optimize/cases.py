"""Minima and line searches: functions, first points and options. `golden/make_optimize.py` gives them to MindSpore."""

import numpy as np


def functions(mnp):
    """The functions by name, over the ``mindspore.numpy`` that is given."""

    def rosenbrock(x):
        return mnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)

    def himmelblau(p):
        x, y = p
        return (x**2 + y - 11.0) ** 2 + (x + y**2 - 7.0) ** 2

    def matyas(p):
        x, y = p
        return 0.26 * (x**2 + y**2) - 0.48 * x * y

    def eggholder(p):
        x, y = p
        first = mnp.sin(mnp.sqrt(mnp.abs(x / 2.0 + y + 47.0)))
        return -(y + 47) * first - x * mnp.sin(mnp.sqrt(mnp.abs(x - (y + 47.0))))

    def square(x):
        return mnp.sum((x - 1) ** 2)

    def scaled(x, a, b):
        return mnp.sum((x - a) ** 2 * b)

    return {each.__name__: each for each in (rosenbrock, himmelblau, matyas, eggholder, square, scaled)}


def slope_of_square(x):
    return 2 * (x - 1)


_TIGHT = {"gtol": 1e-6}
# name: (function, first point, dtype, method, options, whether the gradient is given)
MINIMA = {
    f"{method} {function} {dtype}": (function, [0.0, 0.0], dtype, method, _TIGHT, False)
    for method in ("BFGS", "LBFGS")
    for function in ("rosenbrock", "himmelblau", "matyas", "eggholder")
    for dtype in ("float32", "float64")
    if (function, dtype) != ("eggholder", "float32")  # it ends where rounding ends it
} | {
    "few turns": ("rosenbrock", [3.0, -2.0], "float32", "bfgs", {"maxiter": 3}, False),
    "few turns of lbfgs": ("rosenbrock", [3.0, -2.0], "float32", "lbfgs", {"maxiter": 2}, False),
    "one step a search": ("rosenbrock", [3.0, -2.0], "float32", "bfgs", {"line_search_maxiter": 1}, False),
    "length of the gradient": ("himmelblau", [0.0, 0.0], "float32", "bfgs", {"norm": 2}, False),
    "short memory": ("himmelblau", [0.0, 0.0], "float32", "lbfgs", {"history_size": 1}, False),
    "given gradient": ("square", [0.0, 0.0], "float32", "bfgs", {}, True),
    "given gradient of lbfgs": ("square", [0.0, 0.0], "float32", "lbfgs", {}, True),
}
# name: (function, point, direction, keywords)
SEARCHES = {
    "at once": ("rosenbrock", [1.5, 1.0], [-1.0, -0.1], {}),
    "between": ("rosenbrock", [1.5, 1.0], [-10.0, -0.1], {"maxiter": 3}),
    "ascent": ("rosenbrock", [1.5, 1.0], [1.0, -0.1], {"maxiter": 3}),
    "strict": ("square", [0.0, 0.0], [5.0, 5.0], {"c1": 0.3, "c2": 0.4}),
    "doubled": ("square", [0.0, 0.0], [0.01, 0.01], {}),
    "too few": ("square", [0.0, 0.0], [0.01, 0.01], {"maxiter": 2}),
    "known": ("square", [0.0, 0.0], [0.1, 0.1], {"gfk": [-2.0, -2.0], "old_fval": 2.0, "old_old_fval": 3.0}),
}


def answers(ms, optimize):
    """What an implementation finds for every row, ready for JSON: numbers, and lists for Tensors."""
    fns, actual = functions(ms.numpy), {}
    for name, (function, first, dtype, method, options, is_given) in MINIMA.items():
        jac = slope_of_square if is_given else None
        x0 = ms.Tensor(np.array(first, dtype))
        actual[name] = optimize.minimize(fns[function], x0, method=method, jac=jac, options=options)
    for name, (function, point, direction, keywords) in SEARCHES.items():
        point, direction = (ms.Tensor(np.array(each, np.float32)) for each in (point, direction))
        words = {
            key: ms.Tensor(np.array(value, np.float32)) if key == "gfk" else value for key, value in keywords.items()
        }
        actual[name] = optimize.line_search(fns[function], point, direction, **words)
    return {name: {key: plain(value) for key, value in result._asdict().items()} for name, result in actual.items()}


def plain(value):
    return value.asnumpy().tolist() if hasattr(value, "asnumpy") else value
