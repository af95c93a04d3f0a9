"""What the API reference documents: public modules, their names, and the topic of each name."""

import ast
import dataclasses
import functools
import importlib
import inspect
import pathlib
import re

import msgrad
from msgrad._contracts.doc import Doc
from msgrad._names import contents
from msgrad.ops.legacy.left_out import LeftOut

MODULES = (
    "mindspore nn ops mint mint.nn mint.nn.functional mint.optim mint.linalg mint.special mint.distributed numpy "
    "numpy.fft scipy.linalg scipy.fft scipy.optimize scipy.ops scipy.utils train dataset dataset.vision "
    "dataset.audio dataset.text dataset.transforms dataset.config dataset.utils mindrecord amp common.initializer "
    "nn.learning_rate_schedule nn.dynamic_lr nn.probability.distribution nn.probability.bijector "
    "nn.probability.bnn_layers experimental.optim experimental.optim.lr_scheduler parallel communication "
    "communication.comm_func runtime hal profiler context log onnx boost utils"
)
OWN = {  # what MindSpore does not have
    "msgrad": "to_jax from_jax jaxpr",
    "msgrad.func": "grad grad_and_value vjp jvp vmap jacrev jacfwd hessian",
    "msgrad.testing": "assert_same assert_close assert_modes_agree check_gradients random_like",
    "msgrad.sharding": "use stop",
    "msgrad.weights": "load save read Report",
}
CLASSES = "Tensor"  # its members have pages, as the names of a module have
MOST = 100  # names of one page of contents; a module of more has one for each topic
TITLES = {
    "array": "Arrays", "attributes": "Attributes and conversion", "autodiff": "Derivatives", "basic": "Basic layers",
    "cell": "Cell", "collective": "Collectives", "common": "Settings and devices", "compat": "Compiler and rewriting",
    "control": "Control flow, user functions", "core": "Casts and views", "engine": "Types", "image": "Images",
    "index": "Indexing", "legacy": "Names of older versions", "linalg": "Linear algebra", "loss": "Losses",
    "math": "Mathematics", "mindspore": "Tensor", "nn": "Layers as functions", "optim": "Optimizers",
    "random": "Random numbers", "recurrent": "Recurrent networks", "sources": "Data sets in files",
    "sparse": "Sparse Tensors", "tensor": "Tensor and Parameter", "train": "Training", "wrap": "Training steps",
}  # fmt: skip
_ROOT = pathlib.Path(msgrad.__file__).parent
_DEFINED = re.compile(r"^(?:def |class )?([A-Za-z_]\w*)(?=\(|:| = )", re.MULTILINE)
_QUOTED = re.compile(r"""["'](\w+)["'(]""")
_FUNCTIONS = [("ops", contents.FUNCTIONS), ("ops", contents.PRIMITIVES)]
_TABLES = {  # the tables that say which file defines a name, with the package of these files
    "mindspore": [("", contents.NAMES)], "nn": [("nn", contents.LAYERS)], "ops": _FUNCTIONS, "mint": _FUNCTIONS,
    "Tensor": [("ops", contents.METHODS), ("ops", contents.OPERATORS)],
}  # fmt: skip


@dataclasses.dataclass
class Name:
    """A documented name: its module, its value, and the file that defines it, relative to the module's folder."""

    module: str
    name: str
    value: object
    file: str

    @property
    def title(self):
        """``nn.Conv2d``, as users write it."""
        return f"{self.module}.{self.name}"

    @property
    def topic(self):
        """The topic by which a large module is divided: a folder or a file."""
        parts = self.file.split(".")
        inside = len(self.module.split(".")) if self.file.startswith(f"{self.module}.") else int(parts[0] == "ops")
        return parts[min(inside, len(parts) - 1)].strip("_")


@functools.cache
def names():
    """All documented names by module."""
    modules = [*MODULES.split(), *OWN]
    modules.insert(1, CLASSES)
    return {module: _names(module) for module in modules}


def home(name):
    """The name under which the same function or class is documented: the first of its ``Source``, if that is listed."""
    first = Doc(name.value.__doc__).sections.get("Source", "").split(",")[0].strip().rstrip(".")
    found = _by_full_name().get(first)
    return found if found and found.value is name.value else name


@functools.cache
def _by_full_name():
    return {f"{full_module(name.module)}.{name.name}": name for listed in names().values() for name in listed}


def full_module(module):
    """``mindspore.nn``, as programs import it."""
    return module if module in OWN or module == "mindspore" else f"mindspore.{module}"


def owner(module):
    """The module, or the class, of which the names are attributes."""
    if module == CLASSES:
        return getattr(msgrad, module)
    if module == "mindspore" or module == "msgrad":
        return msgrad
    return importlib.import_module(module if module in OWN else f"msgrad.{module.removeprefix('common.')}")


def _names(module):
    place = owner(module)
    if module in OWN:
        listed = OWN[module].split()
    elif inspect.isclass(place):
        listed = dir(place)
    else:
        listed = getattr(place, "__all__", None) or [
            name for name, each in vars(place).items() if str(getattr(each, "__module__", "")).endswith(f".{module}")
        ]
    shown = [each for each in listed if not each.startswith("_") and is_shown(getattr(place, each), module in OWN)]
    return [
        Name(module, each, getattr(place, each), _file(module, each, getattr(place, each)))
        for each in sorted(shown, key=lambda name: (name.upper(), name))
    ]


def is_shown(value, is_own=False):
    """Whether a value is documented, and supported."""
    is_documented = callable(value) or isinstance(value, property)
    return is_documented and not isinstance(value, LeftOut) and (is_own or "Source:" in (value.__doc__ or ""))


def members(cls):
    """The documented members of a class, but those of another class in the reference from which it derives."""
    others = [base for base in cls.__mro__[1:] if is_shown(base)]
    own = [each for each in dir(cls) if not each.startswith("_") and is_shown(getattr(cls, each))]
    return [each for each in own if not any(getattr(cls, each) is getattr(base, each, None) for base in others)]


def _file(module, name, value):
    """The file that defines a name, relative to ``msgrad``, with dots: ``nn.convolution.conv``."""
    for package, table in _TABLES.get(module, ()):
        found = [file for file, names in table.items() if name in names.split()]
        if found:
            return f"{package}.{found[0]}".removeprefix(".")
    defined = (getattr(value, "__module__", None) or "").removeprefix("msgrad.")
    if module in ("mindspore", *OWN) or defined.startswith(f"{module}."):
        return defined
    return _written(module).get(name) or defined or f"{module}.attributes"


@functools.cache
def _written(module):
    """The names that are written in the files of a package, with the file."""
    folder = _ROOT.joinpath(*module.split("."))
    texts = {file: file.read_text() for file in sorted(folder.rglob("[a-z_]*.py")) if file.name != "__init__.py"}
    found = {}
    for pattern in (_DEFINED, _QUOTED):
        for file, text in texts.items():
            place = ".".join(file.relative_to(_ROOT).with_suffix("").parts)
            for name in pattern.findall(text):
                found.setdefault(name, place)
    return found


@functools.cache
def heading(file):
    """What a file or folder of msgrad is about: the first sentence of its docstring."""
    path = _ROOT.joinpath(*file.split("."))
    source = next((each for each in (path.with_suffix(".py"), path / "__init__.py") if each.is_file()), None)
    if source is None:
        return topic_title(file.split(".")[-1])
    text = Doc(ast.get_docstring(ast.parse(source.read_text()))).summary
    return re.split(r"(?<=[.])\s|: |:$", " ".join(text.split()), maxsplit=1)[0].rstrip(".")


def topic_title(topic):
    """The title of a topic in the table of contents."""
    return TITLES.get(topic, topic.replace("_", " ").capitalize())
