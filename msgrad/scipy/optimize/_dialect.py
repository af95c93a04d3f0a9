"""Where the functions of ``mindspore.scipy.optimize`` are entered."""

from ...ops._core.faces import Dialect

OPTIMIZE = Dialect("mindspore.scipy.optimize")
