"""``python -m msgrad``, the command ``msgrad``."""

import sys

from .tools.command import main

if __name__ == "__main__":
    sys.exit(main())
