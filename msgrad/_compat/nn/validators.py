"""``nn.transformer.layers`` of 1.x: decorators that check a constructor's arguments."""

from ..checkparam import Validator, checking


def _args_type_validator_check(*type_args, **type_kwargs):
    """A decorator that calls the check ``check(value, name)`` of each argument before the function runs."""
    return checking(lambda check, value, name: check(value, name), type_args, type_kwargs)


def _valid_type_checks(types, class_name):
    """A check that the value's type is one of ``types``."""
    return lambda value, name: Validator.check_type_name(name, type(value), types, class_name)


def _valid_value_checks(types, class_name):
    """A check that the value, a type or a dtype, is one of ``types``."""
    return lambda value, name: Validator.check_type_name(name, value, types, class_name)
