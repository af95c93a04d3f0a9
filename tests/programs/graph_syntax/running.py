"""Runs the functions of this folder in MindSpore (``golden/make_graph_syntax.py``) and in msgrad.

A function takes arguments of `arguments` by their names. Those of ``compiling.py`` that are called are named ``run_*``,
and so are Cells ``Net*``.
"""

import contextlib
import copy
import importlib.util
import inspect
import pathlib
import sys
import warnings

import numpy as np

FOLDER = pathlib.Path(__file__).parent
FILES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in ("__init__", "running"))
MODES = ("pynative", "graph", "gradient")  # the last one in GRAPH_MODE
WITHOUT_GRADIENTS = ("assignments", "builtin_functions", "errors", "expressions", "interpreted", "lists")


def cases(file):
    """The functions and Cells of a file, by name, as ``(object, mutable globals)``."""
    spec = importlib.util.spec_from_file_location(f"graph_syntax_{file}", FOLDER / f"{file}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # of ``(1, 2)[None]`` and the like
        spec.loader.exec_module(module)
    own = {name: each for name, each in vars(module).items() if getattr(each, "__module__", "") == spec.name}
    if file == "compiling":
        own = {name: each for name, each in own.items() if name.startswith("run_")}
    is_case = lambda name, each: name.startswith("Net") if isinstance(each, type) else inspect.isfunction(each)  # noqa: E731
    return {name: each for name, each in own.items() if is_case(name, each) and not hasattr(each, "__wrapped__")}


def modes(file):
    """The modes in which its functions run; those of ``compiling.py`` compile what they call."""
    count = 1 if file == "compiling" else 2 if file in WITHOUT_GRADIENTS else 3
    return MODES[:count]


def arguments(ms):
    tensor, mutable = ms.Tensor, ms.mutable
    return {
        "x": tensor([1.0, -2.0, 3.0]), "y": tensor([0.5, 4.0, -1.0]), "t": tensor(2.0), "u": tensor(-1.0),
        "m": tensor(np.arange(6, dtype=np.float32).reshape(2, 3)), "i": tensor([3, -4, 5], ms.int32),
        "k": tensor(2, ms.int32), "n": 3, "f": 2.5, "s": "abc", "none": None, "l": [1, 2, 3],
        "lt": [tensor([1.0]), tensor([2.0])], "dt": {"a": tensor([1.0])}, "tt": (tensor([1.0]), tensor([2.0])),
        "mn": mutable(3), "mf": mutable(2.5), "mb": mutable(True), "mt": mutable((tensor(1.0), tensor(2.0))),
        "ml": mutable([tensor(1.0), tensor(2.0)]), "md": mutable({"a": tensor(1.0)}),
    }  # fmt: skip


def run(ms, case, mode):
    """The result of a case as a text: ``= values`` or ``! type of the exception``."""
    before = ms.get_context("mode")
    with _kept_globals(case):
        try:
            return f"= {described(ms, _called(ms, case, mode))}"
        except Exception as error:
            return f"! {type(error).__name__}"
        finally:
            ms.set_context(mode=before)


def _called(ms, case, mode):
    is_cell = isinstance(case, type)
    in_graph_mode = mode == "gradient" or (is_cell and mode == "graph")
    ms.set_context(mode=ms.GRAPH_MODE if in_graph_mode else ms.PYNATIVE_MODE)
    values = arguments(ms)
    names = list(inspect.signature(case.construct if is_cell else case).parameters)
    args = [values[name] for name in names if name in values] or ([values["x"]] if "xs" in names else [])
    function, weights = case() if is_cell else case, None
    if mode == "gradient":
        positions = tuple(
            [k for k, each in enumerate(args) if isinstance(each, ms.Tensor) and each.dtype == ms.float32]
        )
        if is_cell:
            weights = list(function.trainable_params())
        elif not positions:
            return "no Tensors"
        return ms.value_and_grad(function, positions, weights)(*args)
    if is_cell:
        results = [function(*args), function(*args)]
        return results, {name: value for name, value in function.parameters_and_names()}
    return (ms.jit(function) if mode == "graph" else function)(*args)


@contextlib.contextmanager
def _kept_globals(case):
    """Restores the lists and dicts of the case's file afterwards."""
    names = vars(sys.modules[case.__module__])
    own = {name: value for name, value in names.items() if type(value) in (list, dict) and not name.startswith("__")}
    before = copy.deepcopy(own)
    try:
        yield
    finally:
        for name, value in own.items():
            value.clear()
            (value.extend if type(value) is list else value.update)(before[name])
            names[name] = value


def described(ms, value):
    """A value as text: types of containers and numbers, dtypes and values of Tensors."""
    describe = lambda each: described(ms, each)  # noqa: E731
    if isinstance(value, ms.Tensor):
        array = value.asnumpy()
        numbers = np.round(array.astype(np.float64), 4) + 0.0 if array.dtype.kind == "f" else array
        return f"{'Parameter ' * isinstance(value, ms.Parameter)}{value.dtype} {numbers.tolist()}"
    for kind, form in ((tuple, "{}({})"), (list, "{}[{}]")):
        if isinstance(value, kind):
            return form.format(type(value).__name__ if type(value) is not kind else "", ", ".join(map(describe, value)))
    if isinstance(value, dict):
        name = type(value).__name__ if type(value) is not dict else ""
        return f"{name}{{{', '.join(f'{key!r}: {describe(each)}' for key, each in value.items())}}}"
    if isinstance(value, float):
        return f"{type(value).__name__} {value:.6g}"
    if value is None or type(value) in (bool, int, str):
        return repr(value)
    text = str(value)
    return type(value).__name__ if " at 0x" in text else f"{type(value).__name__} {text}"
