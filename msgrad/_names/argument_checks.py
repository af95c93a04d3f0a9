"""Decorators of ``parallel._transformer.layers`` that check a constructor's arguments: programs copied its layers."""

import functools
import inspect

from ..engine.refusal import refuse, require


def _args_type_validator_check(*type_args, **type_kwargs):
    """A decorator of functions whose arguments are given to checks.

    Args:
        type_args, type_kwargs (callable): the check of the argument at this place, or of this name: it takes the
            argument and its name, and raises.
    Returns:
        A decorator.
    Source: mindspore.parallel._transformer.layers._args_type_validator_check
    """

    def checked(function):
        signature = inspect.signature(function)
        checks = signature.bind_partial(*type_args, **type_kwargs).arguments

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for name, value in signature.bind(*args, **kwargs).arguments.items():
                if name in checks:
                    checks[name](value, name)
            return function(*args, **kwargs)

        return wrapper

    return checked


def _valid_type_checks(types, class_name):
    """A check that an argument is of one of these types, for `_args_type_validator_check`.

    Args:
        types (list[type]): those that are allowed.
        class_name (str): whose argument it is.
    Returns:
        function of the argument and its name, which raises TypeError.
    Source: mindspore.parallel._transformer.layers._valid_type_checks
    """

    def check(value, name):
        return require(value, tuple(types), class_name, name)

    return check


def _valid_value_checks(values, class_name):
    """A check that an argument is one of these values, for `_args_type_validator_check`.

    Args:
        values (list): those that are allowed.
        class_name (str): whose argument it is.
    Returns:
        function of the argument and its name, which raises ValueError.
    Source: mindspore.parallel._transformer.layers._valid_value_checks
    """

    def check(value, name):
        if value not in values:
            refuse(ValueError, class_name, name, f"one of {', '.join(map(str, values))}", value)
        return value

    return check
