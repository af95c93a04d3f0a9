"""Named process-wide settings: what each accepts, what it holds. The contexts are tables of these."""

from dataclasses import dataclass
from typing import Any

from ..engine.refusal import refuse, require


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: its default, and which values it accepts.

    ``default`` is what it holds at first; ``type`` (a type or a tuple of types) what a value must be an instance of,
    None for anything; ``choices`` the values that it may have, None for all; ``rule(value, name, owner)``, of
    `ops.check` for example, returns the value or raises; ``convert`` makes what is held of what is given.
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
