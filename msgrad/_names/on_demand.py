"""Lazy imports (PEP 562): a package's names are imported when they are first used."""

import functools
import importlib
import pathlib
import re
import sys
from typing import Any

_ROOT = pathlib.Path(__file__).parents[1]
_DEFINED = re.compile(r"""^(?:def |class )?([A-Za-z_]\w*)(?=\(|:| = )|["'](\w+)\(""", re.MULTILINE)
_MSG_NOT_GENERATED = ". A file defines it; to add it to the table of imports, run: python -m tests.golden.make_stubs"


class OnDemand:
    """The names of a package whose files are imported on demand.

    Args:
        package (str): its ``__name__``.
        contents (dict of str): the names that each module has, with spaces between, by the module relative to the
            package: ``{"dense": "Dense BiDense", ".autodiff": "Jvp"}``.
        modules (str): names of its submodules, with spaces between. Default: ``""``.

    Attributes:
        names (list of str): all of them.
    Example:
        >>> OnDemand("msgrad", {"_common.device": "set_device"}).get("set_device").__name__
        'set_device'
    """

    def __init__(self, package, contents, modules=""):
        self.package = package
        self._modules = {name: f".{file}" for file, names in contents.items() for name in names.split()}
        self._modules |= dict.fromkeys(modules.split())
        self.names = list(self._modules)

    def get(self, name) -> Any:
        """The package's ``__getattr__``: imports a name and stores its value in the package."""
        if name not in self._modules:
            module = self.package.replace("msgrad", "mindspore", 1)
            hint = _MSG_NOT_GENERATED if name in _defined(self.package) else ""
            raise AttributeError(f"module '{module}' has no attribute '{name}'{hint}")
        module = self._modules[name]
        if module is None:
            return importlib.import_module(f".{name}", self.package)
        value = getattr(importlib.import_module(module, self.package), name)
        vars(sys.modules[self.package])[name] = value
        return value

    def dir(self):
        """The package's ``__dir__``: all of its names."""
        return sorted({*vars(sys.modules[self.package]), *self.names})


@functools.cache
def _defined(package):
    """The names that the files of ``ops`` or ``nn`` define; none where there is no generator of the table."""
    if package == "msgrad" or not (_ROOT.parent / "tests/golden/make_stubs.py").is_file():
        return frozenset()
    files = _ROOT.joinpath(*package.split(".")[1:]).rglob("*.py")
    return frozenset(name or row for file in files for name, row in _DEFINED.findall(file.read_text()))
