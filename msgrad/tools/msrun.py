"""The command ``msrun``: ``msgrad launch`` under the name that scripts for MindSpore call.

A wheel cannot leave a command out where MindSpore is installed, and pip lets the package that is installed last write
it. So ours hands over to MindSpore's wherever there is one: an environment with both has MindSpore's in either order.
"""

import sys
from importlib import metadata

from . import command


def main():
    """Runs MindSpore's ``msrun`` if a distribution of it is installed, else ``msgrad launch``; returns its status."""
    theirs = _of_mindspore()
    if theirs is not None:
        return theirs.load()()
    return command.main(["launch", *sys.argv[1:]])


def _of_mindspore():
    """The entry point of another distribution's ``msrun``, whatever that calls itself (``mindspore-dev``), or None."""
    entries = metadata.entry_points(group="console_scripts", name="msrun")
    return next((each for each in entries if not each.value.startswith("msgrad.")), None)
