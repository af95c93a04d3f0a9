"""``import mindspore`` gives msgrad.

``install()`` puts a finder in front of Python's own. A module that msgrad has (``mindspore.nn``) is one object under
both names. A path that only MindSpore has (``mindspore.ops.operations``, ``mindspore.common.tensor``: former locations
of names) is a `LegacyModule`, which looks up each name on first use, in the modules that ``ROWS`` lists for it.
``pytest -p msgrad.alias`` installs the alias before tests are collected.
"""

import functools
import importlib
import importlib.machinery
import importlib.util
import pathlib
import sys
import types

from ._compat import numpy_names
from ._names.legacy_paths import IMPORTED, MOVED, ROWS, SELDOM_NAMED
from ._names.public_modules import PRIVATE, OfClass, PublicModule, publish
from .version import __msgrad_version__

_ROOT = pathlib.Path(__file__).parent

_MSG_MISSING = (
    "No module named '{}': msgrad {} does not have this part of MindSpore (docs/index.md lists the parts that it has)."
)
_MSG_REAL = (
    "The real mindspore is already imported in this process (from {}), so `import mindspore` cannot be made to mean "
    "msgrad. Install the alias before anything imports mindspore: run the script with `msgrad run script.py`, or put "
    "`import msgrad.alias; msgrad.alias.install()` on its first line."
)


class LegacyModule(types.ModuleType):
    """A module path of MindSpore's whose names are defined elsewhere in msgrad."""

    __module__ = OfClass(__name__)

    def __init__(self, path, homes):
        super().__init__(f"mindspore.{path}", f"Names of MindSpore's ``mindspore.{path}``, wherever msgrad has them.")
        self.__path__ = []
        self.__spec__ = importlib.machinery.ModuleSpec(self.__name__, None, is_package=True)
        self._path = path
        self._homes = homes
        self._imported = None

    def __getattr__(self, name):
        if name == "__all__":
            names = _star_names().get(self.__name__)
            return self._all_names() if names is None else [n for n in names if hasattr(self, n)]
        if not name.startswith("__"):  # tools probe every module for dunder names: that must not import anything
            path = f"{self.__name__}.{name}"
            for module in self._modules():
                # A function wins over a legacy module of the same name; a file of ours does not.
                if hasattr(module, name) and not (path in LEGACY and _is_module(getattr(module, name))):
                    return getattr(module, name)
            if path in LEGACY:
                return LEGACY[path]
            if name in IMPORTED:
                return importlib.import_module(IMPORTED[name])
        raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")

    def __dir__(self):
        return sorted({*super().__dir__(), *self._all_names()})

    def _all_names(self):
        return [name for home in self._modules() for name in _public_names(home)]

    def _modules(self):
        if self._imported is None:
            homes = self._homes
            if self._path.partition(".")[0] not in PRIVATE and _is_there(self._path):
                homes = [*homes, self._path]  # a file of ours of the same name may hold private names of MindSpore's
            self._imported = [importlib.import_module(_ours(home)) for home in homes]
        return self._imported


class _Package(PublicModule):
    """A public module of ours, with legacy modules below it and below those that it imports."""

    def __setattr__(self, name, value):  # Python sets a submodule as an attribute once it is imported
        if not _is_module(value):
            super().__setattr__(name, value)
        elif not isinstance(vars(self).get(name), LegacyModule):  # its lookup includes a file of the same name
            super().__setattr__(name, value)
            publish(value, _Package)
            attach(vars(value)["__name__"])


def install():
    """Makes ``import mindspore``, and every ``mindspore.*`` path that msgrad has, import msgrad. Idempotent.

    Names that NumPy has removed are restored (`numpy_names`), unless ``MSGRAD_NUMPY_NAMES=off``.

    Raises:
        ImportError: if the real mindspore has already been imported in this process.
    Example:
        >>> install()
        >>> import mindspore, msgrad
        >>> mindspore is msgrad
        True
    """
    present = sys.modules.get("mindspore")
    if present is not None and present is not sys.modules["msgrad"]:
        raise ImportError(_MSG_REAL.format(getattr(present, "__file__", None)))
    numpy_names.restore()
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
        sys.modules.update(LEGACY)


def load_ipython_extension(ipython):
    """Called by ``%load_ext msgrad`` in a notebook or in IPython, before the first ``import mindspore``."""
    install()


def attach(package):
    """Sets legacy modules as attributes of their imported parent packages (``ops.operations``)."""
    for path, modules in _BELOW.items():
        parent = sys.modules.get(path) if f"{path}.".startswith(f"{package}.") else None
        if _is_module(parent) and not isinstance(parent, LegacyModule):  # it finds them itself
            publish(parent, _Package)
            # A function of the same name wins, imported or not; a file of ours does not, for it has only some of
            # MindSpore's names.
            members = dict.fromkeys(vars(parent).get("__all__", ())) | vars(parent)
            vars(parent).update({name: each for name, each in modules.items() if _is_module(members.get(name, each))})


def pytest_load_initial_conftests():
    """Called by ``pytest -p msgrad.alias``, before the first conftest.py is imported."""
    install()


@functools.cache
def _star_names():
    """The names that MindSpore's modules export to ``from module import *``, where known."""
    lines = [line.partition(": ") for line in (_ROOT / "_compat" / "star_names.txt").read_text().splitlines()[1:]]
    return {path: names.split() for path, _, names in lines}


def _is_module(value):
    return isinstance(value, types.ModuleType)


def _public_names(module):
    if hasattr(module, "__all__"):
        return [name for name in module.__all__ if not name.startswith("__")]
    return [name for name, value in vars(module).items() if name[0] != "_" and not _is_module(value)]


def _ours(path):
    return f"msgrad.{path}" if path else "msgrad"


def _is_there(path):
    file = _ROOT.joinpath(*path.split(".")) if path else _ROOT
    return file.is_dir() or file.with_suffix(".py").is_file()


def _paths():
    for package, names, homes in ROWS:
        for name in names.split():
            yield f"{package}.{name}" if package else name, homes


def _modules_by_package():
    packages = {}
    for path, module in LEGACY.items():
        package, _, name = path.rpartition(".")
        packages.setdefault(package.replace("mindspore", "msgrad", 1), {})[name] = module
    return packages


LEGACY = {f"mindspore.{path}": LegacyModule(path, homes) for path, homes in _paths()}
_BELOW = _modules_by_package()
sys.modules.update({f"msgrad.{name}": LEGACY[f"mindspore.{name}"] for name in SELDOM_NAMED})


class _Finder:
    """Finds ``mindspore`` and the modules below it."""

    @staticmethod
    def find_spec(fullname, path=None, target=None):
        root, _, rest = fullname.partition(".")
        if root != "mindspore":
            return None
        ours = _ours(MOVED.get(rest, rest))
        if rest.partition(".")[0] in PRIVATE or _spec(ours) is None:
            raise _missing(fullname)
        return importlib.machinery.ModuleSpec(fullname, _Loader(ours))

    @staticmethod
    def find_distributions(context):
        """Called by ``importlib.metadata``, by which libraries find the installed version of mindspore."""
        is_meant = str(context.name).lower() == "mindspore"
        return [importlib.import_module("msgrad._compat.package_metadata").MindSpore()] if is_meant else []


def _missing(name):
    return ModuleNotFoundError(_MSG_MISSING.format(name, __msgrad_version__), name=name)


def _spec(name):
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError:  # its parent is missing, or not a package
        return None


class _Loader:
    """A loader that returns the existing module ``name``."""

    def __init__(self, name):
        self.name = name

    def create_module(self, spec):
        module = importlib.import_module(self.name)
        self.spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self.spec  # the import system has just replaced it by the alias's
