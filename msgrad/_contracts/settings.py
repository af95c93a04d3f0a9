"""Named process-wide settings with their accepted values; the contexts are tables of these."""

from dataclasses import dataclass
from typing import Any

from ..engine.refusal import refuse, require


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: its default and the values that it accepts.

    ``default`` is the initial value. ``type`` (a type or a tuple of types) is what a value must be an instance of, None
    for any; ``choices`` are the accepted values, None for all. ``rule(value, name, owner)``, such as a function of
    `check`, returns the value or raises. ``convert`` converts a value before it is stored.
    """

    default: Any
    type: Any = None
    choices: Any = None
    convert: Any = None
    rule: Any = None

    def checked(self, name, value, owner):
        """``value`` checked and converted for the setting ``name`` of ``owner``; raises TypeError or ValueError."""
        if self.type is not None:
            require(value, self.type, owner, name)
        if self.choices is not None and value not in self.choices:
            refuse(ValueError, owner, name, f"one of {list(self.choices)}", value)
        if self.rule is not None:
            value = self.rule(value, name, owner)
        return value if self.convert is None else self.convert(value)
