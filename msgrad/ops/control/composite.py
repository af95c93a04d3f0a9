"""Functions over nested containers: ``HyperMap``, ``Map``, ``MultitypeFuncGraph``, ``Partial``."""

import functools

from ...engine import dtypes
from ...engine.calls import staging
from ...engine.handle import Handle
from ...engine.refusal import refuse

_NAMED = {
    "Bool": (bool,),
    **dict.fromkeys(("Int", "Int32", "Int64"), (int,)),
    **dict.fromkeys(("Float", "Float32", "Float64"), (float,)),
    "Number": (int, float, bool),
    "String": (str,),
    "Tuple": (tuple,),
    "List": (list,),
    **dict.fromkeys(("Dict", "Dictionary"), (dict,)),
    "TypeType": (dtypes.DType,),
    "None": (type(None),),
}


class MultitypeFuncGraph:
    """A function with one body for each combination of argument types. If there is one body, any types will do.

    Args:
        name (str): its name in messages.
        read_value (bool): without effect on the result. Default: ``False``.
    Raises:
        ValueError: when called with types that no body is registered for.
    Example:
        >>> scale = ops.MultitypeFuncGraph("scale")
        >>> @scale.register("Number", "Tensor")
        ... def _scale_tensor(factor, x):
        ...     return x * factor
        >>> scale(2, Tensor([1.0])).tolist()
        [2.0]
    Source: mindspore.ops.MultitypeFuncGraph
    """

    def __init__(self, name, read_value=False, doc_url=""):
        self.name = name
        self.entries = []
        self.takes_rows = False  # whether a body is registered for gradients by rows

    def register(self, *type_names):
        """Registers the decorated function for arguments of these types: names such as ``"Tensor"``, or dtypes."""

        def keep(fn):
            self.entries.append((type_names, fn))
            self.takes_rows = self.takes_rows or "RowTensor" in type_names
            return fn

        return keep

    def __call__(self, *args):
        if self.takes_rows:
            args = [getattr(arg, "_source", None) or arg for arg in args]
        if len(self.entries) == 1:
            return self.entries[0][1](*args)
        for type_names, fn in self.entries:
            if len(type_names) == len(args) and all(map(_is_a, args, type_names)):
                return fn(*args)
        kinds = ", ".join(type(value).__name__ for value in args)
        raise ValueError(
            f"For 'MultitypeFuncGraph', cannot find fn match given args. Got (sig, fn): {self.entries}, "
            f"(args): ({kinds})."
        )


def _is_a(value, name):
    if name == "Tensor" or name is dtypes.tensor_type:
        return isinstance(value, Handle)
    if isinstance(name, str) and name in _NAMED:
        return isinstance(value, _NAMED[name]) and not (name.startswith("Int") and isinstance(value, bool))
    if name == "Function":
        return callable(value)
    if name is dtypes.number:
        return isinstance(value, (int, float))
    if isinstance(name, type):
        return isinstance(value, name)
    return isinstance(name, str) and type(value).__name__ == name


class HyperMap:
    """Applies an operation to the leaves of nested containers of the same structure.

    Args:
        ops (function | MultitypeFuncGraph | None): the operation; None if it is the call's first argument.
        reverse (bool): without effect on the result. Default: ``False``.
    Returns:
        The results in that structure; outside of graphs its sequences are tuples, as in MindSpore.
    Raises:
        RuntimeError: if lengths differ.  ValueError: if keys of dicts differ.  TypeError: if structures differ.
    Example:
        >>> ops.HyperMap()(ops.square, (Tensor([2.0]), (Tensor([3.0]),)))[1][0].tolist()
        [9.0]
    Source: mindspore.ops.HyperMap
    """

    _is_deep_ = True
    _keeps_lists_ = False  # outside of graphs, too

    def __init__(self, ops=None, reverse=False):
        self.ops = ops

    def __call__(self, *args):
        fn, trees = (args[0], args[1:]) if self.ops is None else (self.ops, args)
        if not trees:
            raise TypeError(f"For '{type(self).__name__}', at least one sequence must be given.")
        return self._map(fn, trees)

    def _map(self, fn, trees):
        first = trees[0]
        if isinstance(first, dict) and all(isinstance(tree, dict) for tree in trees):
            self._check_lengths(trees)
            for tree in trees:
                if tree.keys() != first.keys():
                    raise ValueError(
                        f"For '{type(self).__name__}', the dicts must have the same keys, but got {list(first)} and "
                        f"{list(tree)}."
                    )
            return {key: self._leaf(fn, [tree[key] for tree in trees]) for key in first}
        if not isinstance(first, (tuple, list)):
            return fn(*trees)
        if any(not isinstance(tree, (tuple, list)) for tree in trees):
            raise TypeError(f"For '{type(self).__name__}', all arguments must have the same structure.")
        self._check_lengths(trees)
        results = [self._leaf(fn, items) for items in zip(*trees, strict=True)]
        return results if isinstance(first, list) and (self._keeps_lists_ or staging.is_in_graph()) else tuple(results)

    def _check_lengths(self, trees):
        lengths = [len(tree) for tree in trees]
        if len(set(lengths)) > 1:
            raise RuntimeError(
                f"For '{type(self).__name__}', the lengths of the arguments must be equal, but got {lengths}."
            )

    def _leaf(self, fn, items):
        return self._map(fn, items) if self._is_deep_ else fn(*items)


class Map(HyperMap):
    """Applies an operation to the items of sequences, one level deep.

    Args, Returns, Raises: as for `HyperMap`.
    Example:
        >>> ops.Map()(ops.square, (Tensor([2.0]), Tensor([3.0])))[1].tolist()
        [9.0]
    Source: mindspore.ops.Map
    """

    _is_deep_ = False


def is_tensor(obj):
    """Whether ``obj`` is a Tensor.

    Args:
        obj (object): any value.
    Returns:
        bool.
    Example:
        >>> ops.is_tensor(1)
        False
    Source: mindspore.ops.is_tensor
    """
    return isinstance(obj, Handle)


def partial(func, *args, **kwargs):
    """Fixes the first arguments of a function, and others by keyword.

    Args:
        func (function): what to fix arguments of.
        args, kwargs: the arguments.
    Returns:
        function: takes the others.
    Example:
        >>> ops.partial(ops.add, Tensor([1.0]))(Tensor([2.0])).tolist()
        [3.0]
    Source: mindspore.ops.partial
    """
    if not callable(func):
        refuse(AttributeError, "partial", "func", "a function", func)
    return functools.partial(func, *args, **kwargs)
