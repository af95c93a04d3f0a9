"""The argument parser that the commands share."""

import argparse
import textwrap

from .wording import did_you_mean


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` for a command of msgrad.

    A mistake is one line on standard error, which suggests the nearest option, and exit status 2.

    Args:
        command (str): the name of the command; empty for ``msgrad`` itself.
        about (str): what it does, in lines of at most 100 columns.
        examples (str): lines for the end of the help, each a command and what it is for.
    """

    def __init__(self, command, about, examples, **options):
        super().__init__(
            f"msgrad {command}".rstrip(),
            description=about,
            epilog="examples:\n" + textwrap.indent(examples, "  "),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            **options,
        )

    def options(self):
        """The names of its options."""
        return list(self._option_string_actions)

    def error(self, message):
        """Ends the process with a line about a mistake in the arguments."""
        words = [word.partition("=")[0].rstrip(":,") for word in message.split() if word.startswith("-")]
        hints = [hint for word in words if (hint := did_you_mean(word, self.options()))]
        self.exit(2, f"{self.prog}: {message}{hints[0] if hints else ''} (see `{self.prog} --help`)\n")
