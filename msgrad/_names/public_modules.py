"""MindSpore's names of msgrad's public modules, which users see in errors once ``mindspore`` means msgrad."""

import functools
import sys
import types

# msgrad's own folders. MindSpore has no modules of these names (its ``mindspore.tensor`` is a function), or different
# ones: its ``mindspore.tools`` checks clusters.
PRIVATE = {
    "_common", "_compat", "_contracts", "_names", "alias", "autodiff", "bridge", "engine", "func", "initializer",
    "tensor", "testing", "tools",
}  # fmt: skip


def is_mindspore():
    """Whether ``mindspore`` means msgrad in this process, and has been imported."""
    return sys.modules.get("mindspore") is sys.modules["msgrad"]


class OfClass(str):
    """The ``__module__`` of a class of modules, which its instances do not have, as other modules.

    jedi, which completes names in notebooks, takes an object with a ``__module__`` for a part of that one.
    """

    def __get__(self, module, kind=None):
        if module is None:
            return self
        raise AttributeError("__module__")


class PublicModule(types.ModuleType):
    """A module whose ``__name__`` is MindSpore's while the alias is installed; its globals keep their own."""

    __module__ = OfClass(__name__)

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        cls.__module__ = OfClass(cls.__module__)

    @property
    def __name__(self):
        return _shown_name(self)

    def __repr__(self):
        return super().__repr__().replace(vars(self)["__name__"], self.__name__, 1)


def publish(module, kind=PublicModule):
    """Makes a public module of msgrad's of the class ``kind``, and gives Python's AttributeError its ``__name__``."""
    name = vars(module).get("__name__", "")
    if type(module) is types.ModuleType and f"{name}.".startswith("msgrad.") and not _is_private(name):
        module.__class__ = kind
        vars(module).setdefault("__getattr__", functools.partial(_raise_missing, module))
        for value in list(vars(module).values()):  # what it has imported itself: `mint.nn.functional`
            if type(value) is not types.ModuleType or not vars(value)["__name__"].startswith(f"{name}."):
                continue
            if name != "msgrad":
                publish(value, kind)
            elif not _is_private(vars(value)["__name__"]) and not hasattr(value, "__path__"):
                # A file, as `context`, stays a plain module: msgrad itself reads attributes of some all the time.
                vars(value).setdefault("__getattr__", functools.partial(_raise_missing, value))


def _is_private(name):
    return any(part in PRIVATE or part.startswith("_") for part in name.split(".")[1:])


def _raise_missing(module, name):
    raise AttributeError(f"module '{_shown_name(module)}' has no attribute '{name}'")


def _shown_name(module):
    """The name of a module: MindSpore's, while ``mindspore`` means msgrad."""
    name = vars(module)["__name__"]
    return name.replace("msgrad", "mindspore", 1) if is_mindspore() else name
