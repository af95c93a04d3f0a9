"""``jit`` and related functions: functions recorded once for each signature, then replayed without running Python."""

import functools
import os
import types

from .. import log
from .._contracts import check
from .._contracts.settings import Setting
from .._semantics.graph_code import in_graph
from .._semantics.graph_methods import read_methods
from ..engine.calls import looping, staging
from ..engine.calls.other_sizes import Changed
from ..engine.handle import scope
from ..engine.refusal import require
from ..tensor.arrays import all_taken, taken

_MSG_FORMER = "For 'jit', the parameter '{}' belongs to older versions and has no effect."
_MSG_UNKNOWN = "For 'jit', the option '{}' is not known and has no effect."
_MSG_FUNCTION = "For 'jit', only a function, method, Cell or class of Cells is compiled; returning {!r} unchanged."


def _one_of(*choices):
    return Setting(None, str, choices)


def _check_ge_options(options_by_level, name, owner):
    for level, options in options_by_level.items():
        if level not in ("global", "session"):
            check.refuse(ValueError, owner, name, "a dict with the keys 'global' and 'session'", options_by_level)
        require(options, dict, owner, f"{name}['{level}']")
        for option, value in options.items():
            require(option, str, owner, f"key in {name}['{level}']")
            require(value, str, owner, f"{name}['{level}']['{option}']")
    return options_by_level


_OPTIONS = {
    "auto_offload": _one_of("weight", "activation", "all"),
    "disable_format_transform": Setting(None, bool),
    "exc_mode": _one_of("auto", "sink", "no_sink"),
    "exec_order": _one_of("bfs", "dfs"),
    "ge_options": Setting(None, dict, rule=_check_ge_options),
    "infer_boost": _one_of("on", "off"),
}

# Parameters that ``jit`` had before MindSpore 2.6; programs still pass them.
_FORMER = ("fn", "mode", "input_signature", "hash_args", "jit_config", "compile_once")


def jit(function=None, *, capture_mode="ast", jit_level="O0", dynamic=0, fullgraph=False, backend="", **options):
    """Makes a function run as one compiled program; a decorator, with or without arguments.

    The function's Python runs at the first call with new shapes, dtypes or Python values, and after a change of what
    it reads: globals, closures, attributes, lists and dicts. A function that prints, reads values of its Tensors, or
    changes a list, dict or attribute from outside runs its Python at each call. The environment variable ``MS_JIT=0``
    turns compilation off.

    Args:
        function (function | Cell | type): what to compile; of a class of Cells the ``construct``.
        capture_mode (str): ``"ast"``; or ``"bytecode"`` or ``"trace"``, where lists and numbers in the function are
            Python's. Default: ``"ast"``.
        jit_level (str): ``"O0"`` or ``"O1"``. Default: ``"O0"``.
        dynamic (int): with 1 the first program that is compiled after a change of shapes serves all lengths of the
            axes that changed, as far as programs can; with 0 from the third size on. Default: ``0``.
        fullgraph (bool): Default: ``False``.
        backend (str): Default: ``""``.
        options: ``auto_offload``, ``disable_format_transform``, ``exc_mode``, ``exec_order``, ``ge_options``,
            ``infer_boost``. With the others above they choose among MindSpore's compilers, without effect on results.
    Returns:
        function: computes the same.
    Raises:
        TypeError: if an argument has another type.  ValueError: if it has another value.
    Example:
        >>> @ms.jit
        ... def f(x):
        ...     return x * 2
        >>> f(Tensor([1.0])).tolist()
        [2.0]
    Source: mindspore.jit
    """
    check.one_of(capture_mode, ("ast", "bytecode", "trace"), "capture_mode", "jit")
    check.one_of(jit_level, ("O0", "O1"), "jit_level", "jit")
    check.in_range(dynamic, 0, 1, "dynamic", "jit")
    check.boolean(fullgraph, "fullgraph", "jit")
    for name, value in options.items():
        if name in _OPTIONS:
            _OPTIONS[name].checked(name, value, "jit")
        else:
            log.warning((_MSG_FORMER if name in _FORMER else _MSG_UNKNOWN).format(name))
    function = options.get("fn") if function is None else function
    choices = {"dynamic": dynamic, "reads_source": capture_mode == "ast"}
    return functools.partial(_compiled, **choices) if function is None else _compiled(function, **choices)


def _compiled(function, dynamic=0, reads_source=True):
    if os.getenv("MS_JIT") == "0":
        return function
    if isinstance(function, type) and hasattr(function, "construct"):
        function.construct = _compiled(function.construct, dynamic, reads_source)
        return function
    if isinstance(function, types.MethodType):
        return types.MethodType(_compiled(function.__func__, dynamic, reads_source), function.__self__)
    if not callable(function) or isinstance(function, type):
        log.warning(_MSG_FUNCTION.format(function))
        return function
    if reads_source:
        in_graph(function)
    memo = staging.Memo(getattr(function, "__declared_inputs__", Changed() if dynamic else None), reads_source)
    site, is_cell = getattr(function, "__name__", type(function).__name__), hasattr(function, "_declared_inputs_")

    def compiled(*args, **kwargs):
        if is_cell and scope.trace is None and function._declared_inputs_ is not None:
            function._declared_inputs_.check(args, kwargs)
            memo.declared = function._declared_inputs_
        return staging.call(function, all_taken(args), taken(kwargs), site, memo, staged=True)

    def each(batches, count):
        return looping.call_each(function, batches, count, site, memo, staged=True)

    functools.update_wrapper(compiled, function, updated=())
    compiled.__wrapped_by_jit__ = True
    compiled.each = each  # runs a sequence of argument tuples, for `data_sink`
    return compiled


def ms_function(fn=None, input_signature=None, hash_args=None, jit_config=None, compile_once=False):
    """The name of `jit` in MindSpore 1.x.

    Args:
        fn (function): what to compile.
        input_signature, hash_args, jit_config, compile_once: compiler choices, without effect on the result.
    Returns:
        function: computes the same.
    Example:
        >>> @ms.ms_function
        ... def f(x):
        ...     return x * 2
    Source: mindspore.ms_function
    """
    return jit(fn)


def jit_class(cls):
    """Returns the class: objects of any class may be used in compiled functions.

    In them, a method of this class without ``self`` is called as a function: ``box.area(a, b)`` of ``def area(a, b)``.

    Args:
        cls (type): the class.
    Raises:
        TypeError: if it is not a class.
    Example:
        >>> @ms.jit_class
        ... class Scale:
        ...     factor = 2
    Source: mindspore.jit_class
    """
    if not isinstance(cls, type):
        check.refuse(TypeError, "jit_class", "cls", "a class", cls)
    read_methods(cls)
    return cls


ms_class = jit_class
"""The name of `jit_class` in MindSpore 1.x."""


def constexpr(fn=None, get_instance=True, name=None, reuse_result=True, check=True):
    """Makes a function run as Python when a graph calls it, with Python's lists and numbers, on constant arguments.

    Args:
        fn (function): the function.
        get_instance, name, reuse_result, check: compiler choices, without effect on the result.
    Returns:
        function: calls ``fn``.
    Example:
        >>> @ops.constexpr
        ... def half(n):
        ...     return n // 2
    Source: mindspore.ops.constexpr
    """
    return _interpreted if fn is None else _interpreted(fn)


def _interpreted(function):
    @functools.wraps(function)
    def called(*args, **kwargs):
        with staging.interpreted():
            return function(*args, **kwargs)

    return called
