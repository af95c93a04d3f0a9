"""``nn.transformer.layers`` of 1.x: decorators that check what a constructor is given."""

import functools
import inspect

from .checkparam import Validator, looked_at


def _args_type_validator_check(*type_args, **type_kwargs):
    """A decorator: before the function runs, each argument goes to the check of its name, ``check(value, name)``."""

    def decorate(function):
        signature = inspect.signature(function)
        checks = looked_at(signature.bind_partial(*type_args, **type_kwargs))

        @functools.wraps(function)
        def run(*args, **kwargs):
            for name, value in looked_at(signature.bind(*args, **kwargs)).items():
                if name in checks:
                    checks[name](value, name)
            return function(*args, **kwargs)

        return run

    return decorate


def _valid_type_checks(types, class_name):
    """A check that the value's type is one of ``types``."""
    return lambda value, name: Validator.check_type_name(name, type(value), types, class_name)


def _valid_value_checks(types, class_name):
    """A check that the value, a type or a dtype, is one of ``types``."""
    return lambda value, name: Validator.check_type_name(name, value, types, class_name)
