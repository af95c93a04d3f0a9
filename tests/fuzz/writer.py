"""Draws programs from seeds."""

import dataclasses
import random
import re

from . import grammar

_HOLE = re.compile(r"\{(=?)([A-Za-z])(\d?)(\*?)\}")
STATEMENTS = (3, 5)  # of a program, at least and at most; a function within it has up to two
DEEPEST = 2  # functions within functions, and expressions within expressions
TRANSFORMS = 4  # gradients and their like in one program, at most
CHANCES = {
    "single": 0.3,  # float32 inputs; others are float64, and compared with differences
    "aux": 0.3,
    "write": 0.2,
    "look": 0.3,
    "alias": 0.06,
    "untrue": 0.04,
    "transform": 0.3,  # for an expression that may be any
    "latest": 0.5,  # of the variables
    "nested": 0.2,  # an expression where a variable would do
    "written out": 0.5,  # a function with statements instead of a lambda
}


@dataclasses.dataclass(frozen=True)
class Program:
    """A drawn program: the body of ``Net.construct``, and how it is to be run.

    ``dtype`` is that of the inputs; ``has_aux`` asks for derivatives of the first output alone. If it ``is_true``, its
    derivatives are those of its values. If it ``has_views``, the modes may differ.
    """

    text: str
    dtype: str = "float64"
    has_aux: bool = False
    is_true: bool = True
    has_views: bool = False


class Writer:
    """What has been drawn so far of one program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = {"M": ["x", "y"], "V": [], "S": [], "E": [], "C": []}
        self.lines = []
        self.indent = " " * 8
        self.count = 0
        self.transforms = 0
        self.nesting = 0  # expressions that are being written
        self.depth = 0  # functions that are
        self.lambdas = 0  # how many of them are lambdas, before which nothing can be written that uses their arguments
        self.quiet = 0  # how many of them may not look at values
        self.pure = 0  # and may not write Parameters
        self.is_true = True
        self.has_views = False

    def program(self):
        dtype = "float32" if self.chance("single") else "float64"
        for _ in range(self.random.randint(*STATEMENTS)):
            self.statement()
        has_aux = self.chance("aux")
        self.write(self.random.choice(grammar.RETURNS_WITH_AUX if has_aux else grammar.RETURNS))
        return Program("\n".join(self.lines) + "\n", dtype, has_aux, self.is_true, self.has_views)

    def chance(self, name):
        return self.random.random() < CHANCES[name]

    def name(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def statement(self):
        if not self.pure and self.chance("write"):
            rows = grammar.WRITES
        elif not self.pure and self.chance("untrue"):
            self.is_true = False
            rows = grammar.UNTRUE["statement"]
        elif self.chance("alias") and not self.depth:
            self.has_views = True
            rows = grammar.ALIASES
        elif self.chance("look"):
            rows = grammar.LOOKS if self.depth else grammar.LOOKS + grammar.TOP
        else:
            rows = grammar.STATEMENTS
        self.write(self.random.choice(rows))

    def write(self, row, argument=None):
        """Appends a statement, and what it defines to the variables."""
        defined = {}
        text = self.fill(row, argument, defined)
        self.lines += [self.indent + line for line in text.split("\n")]
        for kind, name in defined.items():
            self.names[kind].append(name)

    def fill(self, row, argument=None, defined=None):
        """Returns ``row`` with its holes filled; new variables are noted in ``defined``, by kind."""
        same = {}

        def hole(match):
            is_new, kind, number, is_expression = match.groups()
            if is_new:
                return defined.setdefault(kind, defined.get(kind) or self.name(kind.lower()))
            if number:
                return same.setdefault(kind + number, same.get(kind + number) or self.operand(kind))
            if kind == "t":
                return argument
            if kind == "n":
                return f"{self.random.uniform(-1, 1):.2f}"
            if kind == "k":
                return str(self.random.randint(1, 5))
            if kind in grammar.ARGUMENTS:
                return self.function(kind)
            return self.expression(kind) if is_expression else self.operand(kind)

        return _HOLE.sub(hole, row)

    def operand(self, kind):
        if self.nesting < DEEPEST and self.chance("nested"):
            return f"({self.expression(kind)})"
        if self.names[kind]:
            return self.names[kind][-1] if self.chance("latest") else self.random.choice(self.names[kind])
        return self.fill(grammar.SHORTEST[kind])

    def expression(self, kind):
        rows = grammar.EXPRESSIONS[kind]
        if kind == "M" and self.chance("untrue") and not self.quiet:
            self.is_true = False
            rows = grammar.UNTRUE["M"]
        elif self.may_transform(kind) and self.chance("transform"):
            rows = grammar.TRANSFORMS[kind]
            self.transforms += 1
        self.nesting += 1
        text = self.fill(self.random.choice(rows))
        self.nesting -= 1
        return text

    def may_transform(self, kind):
        return kind in grammar.TRANSFORMS and self.depth < DEEPEST and self.transforms < TRANSFORMS

    def function(self, kind):
        """Draws a function of ``kind``, and returns a lambda or the name of what has been written before."""
        argument, before = self.name("t"), {kind: list(names) for kind, names in self.names.items()}
        self.names[grammar.ARGUMENTS[kind]].append(argument)
        self.depth += 1
        self.pure += kind == "H"
        if kind in grammar.ENDS and not self.lambdas and self.chance("written out"):
            text = self.name("f")
            self.lines.append(f"{self.indent}def {text}({argument}):")
            self.indent += "    "
            for _ in range(self.random.randint(1, 2)):
                self.statement()
            self.write(grammar.ENDS[kind], argument)
            self.indent = self.indent[4:]
        else:
            self.lambdas += 1
            self.quiet += kind == "G"
            text = self.fill(self.random.choice(grammar.FUNCTIONS[kind]), argument)
            self.quiet -= kind == "G"
            self.lambdas -= 1
        self.pure -= kind == "H"
        self.depth -= 1
        self.names = before
        return text


def draw(seed):
    """Returns the `Program` of a seed."""
    return Writer(seed).program()
