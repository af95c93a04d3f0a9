"""The dialect of ``mindspore.scipy.optimize``."""

from ...ops._core.faces import Dialect

OPTIMIZE = Dialect("mindspore.scipy.optimize")
