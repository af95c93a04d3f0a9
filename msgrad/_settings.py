"""Named process-wide settings: what each accepts, what it holds. The contexts are tables of these."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Setting:
    """What one setting accepts.

    ``default`` is what it holds at first; ``type`` (a type or a tuple of types) what a value must be an instance of,
    None for anything; ``choices`` the values that it may have, None for all; ``message`` the ValueError of another,
    with ``{}`` for the value; ``convert`` makes what is held of what is given, and may raise.
    """

    default: Any
    type: Any = None
    choices: Any = None
    message: str = ""
    convert: Any = None

    def checked(self, name, value):
        """What the setting called ``name`` holds when it is given ``value``; raises TypeError or ValueError."""
        if self.type is not None:
            check_type(name, value, self.type)
        if self.choices is not None and value not in self.choices:
            raise ValueError(self.message.format(value))
        return value if self.convert is None else self.convert(value)


def check_type(name, value, expected):
    """Raises TypeError unless ``value`` is an instance of ``expected``."""
    if not isinstance(value, expected):
        raise TypeError(f"The parameter '{name}' must be {expected}, but got {type(value)}")
