"""Tensor methods that MindSpore overloads: one name, several signatures."""

import inspect

from .faces import attach


class _Variant:
    """One signature: ``function``, whose annotations are the types that its parameters take (none: any)."""

    def __init__(self, function):
        self.function = function
        self.signature = inspect.signature(function)
        self.parameters = self.signature.parameters

    def accepts(self, args, kwargs):
        """Whether arguments of these types (the Tensor first) fit the signature."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError:
            return False
        return all(self._fits(name, kind) for name, kind in bound.arguments.items())

    def _fits(self, name, kind):
        expected = self.parameters[name].annotation
        return expected is inspect.Parameter.empty or issubclass(kind, expected)

    def __str__(self):
        shown = [str(each) for name, each in self.parameters.items() if name != "self"]
        return f"({', '.join(shown)})"


def overload(name, text, *functions):
    """Makes a Tensor method that calls the first of ``functions`` whose signature fits the call.

    Args:
        name (str): of the method.
        text (str): its docstring.
        functions: each takes the Tensor and annotates its other parameters with the types that they take.
    """
    variants = [_Variant(function) for function in functions]
    chosen = {}  # by the types of the arguments, since nothing else decides

    def choose(args, kwargs):
        kinds = tuple(map(type, args)), {key: type(value) for key, value in kwargs.items()}
        for variant in variants:
            if variant.accepts(*kinds):
                return variant.function
        given = [kind.__name__ for kind in kinds[0][1:]] + [f"{key}={kind.__name__}" for key, kind in kinds[1].items()]
        valid = " or ".join(f"Tensor.{name}{variant}" for variant in variants)
        raise TypeError(
            f'Failed calling {name} with "{name}({", ".join(given)})". The valid calling should be: {valid}.'
        )

    def method(*args, **kwargs):
        key = (*map(type, args), *[(word, type(value)) for word, value in kwargs.items()])
        function = chosen.get(key)
        if function is None:
            function = chosen[key] = choose(args, kwargs)
        return function(*args, **kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = text
    attach(method, name)
