"""``jit`` and its kin: functions recorded once for each signature and then run without their Python."""

import functools

from .engine import staging


def jit(function=None, *, capture_mode="ast", jit_level="O0", dynamic=0, fullgraph=False, backend="", **options):
    """Makes a function run as one compiled program; a decorator, with or without arguments.

    The Python of the function runs at the first call with new shapes, dtypes or Python values; what it does besides
    computing Tensors (counting, appending to a list) happens then. A function that prints, or looks at the values of
    its Tensors, runs its Python at each call.

    Args:
        function (function | Cell): what to compile.
        capture_mode, jit_level, dynamic, fullgraph, backend, options: choices among MindSpore's compilers, without
            effect on the result.
    Returns:
        function: computes the same.
    Example:
        >>> @ms.jit
        ... def f(x):
        ...     return x * 2
        >>> f(Tensor([1.0])).tolist()
        [2.0]
    Source: mindspore.jit
    """
    if capture_mode not in ("ast", "bytecode", "trace"):
        raise ValueError(f"For 'jit', the 'capture_mode' must be 'ast', 'bytecode' or 'trace', but got {capture_mode}.")
    if function is None:
        return lambda fn: jit(fn)
    memo = staging.Memo()
    site = getattr(function, "__name__", type(function).__name__)

    def compiled(*args, **kwargs):
        return staging.call(function, args, kwargs, site, memo, staged=True)

    functools.update_wrapper(compiled, function, updated=())
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
    """Declares that objects of a class may be used in compiled functions, which any class may; returns it as it is.

    Args:
        cls (type): the class.
    Raises:
        TypeError: if it is no class.
    Example:
        >>> @ms.jit_class
        ... class Scale:
        ...     factor = 2
    Source: mindspore.jit_class
    """
    if not isinstance(cls, type):
        raise TypeError(f"Decorator jit_class can only be used for class type, but got {cls}.")
    return cls


def constexpr(fn=None, get_instance=True, name=None, reuse_result=True, check=True):
    """Declares that a function computes constants; it is called as it is.

    Args:
        fn (function): what to declare.
        get_instance, name, reuse_result, check: compiler choices, without effect on the result.
    Returns:
        function: ``fn``.
    Example:
        >>> @ops.constexpr
        ... def half(n):
        ...     return n // 2
    Source: mindspore.ops.constexpr
    """
    return fn if fn is not None else (lambda function: function)
