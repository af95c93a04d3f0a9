"""The rules of the engine's README and of all folders: a row each, which lists the lines that break it."""

import ast
import collections
import functools
import graphlib
import pathlib
import re

import pytest

import msgrad

ROOT = pathlib.Path(msgrad.__file__).parent
MOST_FILES = 25  # of a folder
# Each imports only those before it. The root's `__init__.py`, `__main__.py` and `_startup.py` may import any.
# `tests/golden/make_architecture.py` draws them.
ORDER = (
    "log.py version.py _upcalls.py engine _names _random dtype.py _semantics tensor _contracts _sharding "
    "initializer.py _common sharding.py context.py ops autodiff numpy communication profiler runtime.py nn func.py amp "
    "bridge.py scipy experimental mint train weights mindrecord dataset parallel _compat device_context alias.py "
    "testing tools"
).split()

# Of the engine, likewise.
ROOMS = (
    *("lowering", "processes", "interpreter", "lengths", "separation", "layouts"),
    *("execution", "recording", "collectives", "transforms", "calls"),
)

# What is about definitions, faces and calls of operations, likewise.
PHASES = "calls tables.py primitive.py definition.py generation faces.py define.py families.py".split()

FAMILIES = (  # of operations, likewise
    "_core _shared math index linalg recurrent array loss collective optim random nn attention sparse image control "
    "legacy"
).split()

# Imports within functions, whose comments say why they are late; none goes upwards. Everything else is imported where a
# file begins, registered from above (`dataset.node.register`), or named in a table (`OnDemand`).
LATE = {
    "_startup.py": {
        *("alias.py", "context.py", "nn/__init__.py", "ops/__init__.py", "engine/host_memory.py"),
        *("tools/command.py", "tools/msrun.py"),
    },
    "engine/__init__.py": {"engine/execution/execute.py"},
    "_compat/compiler/c_expression.py": {"mint/__init__.py"},
    "_compat/ops/kernels.py": {
        "ops/legacy/extended.py",
        "_compat/ops/gradients.py",
        "_compat/ops/inner_primitives.py",
    },
}

# Modules of upper floors that strings name, to import them when they are used: in tables of names (`OnDemand`), of
# what is recognised in programs (`fusion.MODULES`), and alone.
UPWARD = {
    "_sharding/partition.py": {"train.strategy_saving"},
    "mindrecord/__init__.py": {"dataset.to_mindrecord.converters", "dataset.to_mindrecord.tfrecord"},
    "nn/__init__.py": {"train.metrics"},
    "nn/_cell/summary.py": {"tools"},
    "ops/__init__.py": {
        *("autodiff", "_compat.common.registers", "_compat.compiler.decorators", "parallel.sharding"),
    },
    "ops/linalg/matmul.py": {"ops.array.transposed_operands"},
    "ops/nn/softmax.py": {"ops.attention.spellings"},
}

# Objects that hold settings and what goes on, whose attributes upper floors assign.
STATE = "Active Device Fusion Peers Policy Tiers Versions scope".split()

# The slot itself is read for each recorded operand, at each launch of a staged call and for each weight of a gradient,
# where calls would cost.
TOUCH_STATE = (
    "engine/handle.py",
    "engine/recording/trace.py",
    "engine/recording/leaves.py",
    "engine/recording/results.py",
    "engine/recording/writes.py",
    "engine/execution/at_once.py",
    "engine/execution/donation.py",
    "engine/calls/plan.py",
    "autodiff/record.py",
    "ops/index/row_gradient.py",  # computes the state when it is first read
)
OTHER_STATES = ("_random/shuffling.py", "dataset/_pipeline/draws.py")  # attributes of that name, of no handles
SCRIPTS = ("engine/processes/service.py", "engine/processes/registration.py")  # run without the rest of msgrad
UNPICKLE = (
    "ops/collective/objects.py",
    "engine/interpreter/pickled.py",
    "engine/execution/stored.py",
    "engine/execution/compiled_code.py",
)
PRIVATE = ("engine/_jax_private.py", "engine/_jax_public.py", *SCRIPTS)
# What defines operations, and what is about JAX's own functions and programs.
MATHEMATICS = ("engine/", "tensor/", "ops/", "numpy/", "scipy/", "testing/", "bridge.py", "train/_onnx/")
MATHEMATICS += ("_random/compiled_parts.py",)


class House:
    """Files, as texts by their paths below ``msgrad``."""

    def __init__(self, files):
        self.files = files

    def lines(self, pattern, but):
        """``file:line`` of the lines that match ``pattern``, except those of files that begin with one of ``but``."""
        for path, text in self.files.items():
            if not path.startswith(but):
                yield from [f"{path}:{n}" for n, line in enumerate(text.splitlines(), 1) if re.search(pattern, line)]

    def crowded_folders(self):
        counts = collections.Counter(path.rpartition("/")[0] for path in self.files)
        return [f"{folder}: {count} files" for folder, count in counts.items() if count > MOST_FILES]

    def rooms_without_a_line(self):
        for path, tree in self.trees.items():
            if path.endswith("__init__.py") and "\n" in (ast.get_docstring(tree) or "\n").split("\n\n")[0]:
                yield path

    @functools.cached_property
    def trees(self):
        return {path: ast.parse(text) for path, text in self.files.items()}

    @functools.cached_property
    def imports(self):
        """``(path, line, path imported, whether a function imports it)``."""
        return [(path, *each) for path, tree in self.trees.items() for each in self._imports(path, tree, False)]

    def _imports(self, path, node, is_late):
        for each in ast.iter_child_nodes(node):
            if not isinstance(each, (ast.stmt, ast.excepthandler)):
                continue
            if isinstance(each, ast.ImportFrom) and each.level:
                folder = path.split("/")[: -each.level]
                module = each.module.split(".") if each.module else []
                for name in each.names:
                    ends = [f"{'/'.join([*folder, *module, *last])}" for last in ([name.name], [])]
                    files = [file for end in ends for file in (f"{end}.py", f"{end}/__init__.py") if file in self.files]
                    yield from [(each.lineno, file, is_late) for file in files[:1]]
            yield from self._imports(path, each, is_late or isinstance(each, ast.FunctionDef))

    def upward_imports(self):
        for path, line, target, _ in self.imports:
            rooms = [file.split("/")[0] for file in (path, target)]
            if set(rooms) <= set(ORDER) and ORDER.index(rooms[0]) < ORDER.index(rooms[1]):
                yield f"{path}:{line} imports {target}"

    def upward_names(self):
        """The modules of upper floors that strings name, but for those in `UPWARD`."""
        for path, tree in self.trees.items():
            for line, target in (*self._tabled_names(path, tree), *self._full_names(tree)):
                if self._is_upward(path, target) and target not in UPWARD.get(path, ()):
                    yield f"{path}:{line} names {target}"

    def _tabled_names(self, path, tree):
        """The keys of the tables of an `OnDemand`, which may be variables."""
        tables = {
            statement.targets[0].id: statement.value
            for statement in tree.body
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
        }
        for call in ast.walk(tree):
            if not (isinstance(call, ast.Call) and _last_name(call.func) == "OnDemand"):
                continue
            package = getattr(call.args[0], "value", None)
            package = package.split(".")[1:] if isinstance(package, str) else path.split("/")[:-1]
            named = [tables[node.id] for node in ast.walk(call) if isinstance(node, ast.Name) and node.id in tables]
            for table in [node for each in (call, *named) for node in ast.walk(each) if isinstance(node, ast.Dict)]:
                for key in [key for key in table.keys if key is not None]:
                    name = key.value.lstrip(".")
                    above = len(key.value) - len(name)
                    yield key.lineno, ".".join([*package[: len(package) - above], name])

    def _full_names(self, tree):
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("msgrad."):
                target = node.value.removeprefix("msgrad.")
                if {f"{target.replace('.', '/')}{end}" for end in (".py", "/__init__.py")} & self.files.keys():
                    yield node.lineno, target

    def _is_upward(self, path, target):
        if path == "__init__.py":
            return False
        rooms, families = [path.split("/"), target.split(".")], FAMILIES
        own, named = [ORDER.index(room if room in ORDER else f"{room}.py") for room, *_ in rooms]
        if own == named and [len(each) > 2 - k and each[0] == "ops" for k, each in enumerate(rooms)] == [True, True]:
            own, named = [families.index(each[1]) for each in rooms]
        return own < named

    def assignments_across_floors(self):
        """Attributes that one room assigns to a module, class or object of another, besides `STATE`, and in tools."""
        for path, tree in self.trees.items():
            if path.startswith(("tools/", "testing/")):  # which replace functions for a while
                continue
            imported = dict(self._imported_names(path, tree))
            for each in ast.walk(tree):  # a variable of that name
                if isinstance(each, ast.arg) or (isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)):
                    imported.pop(getattr(each, "arg", getattr(each, "id", "")), None)
            for node, owner in _assigned(tree):
                room = imported.get(owner)
                if room not in (None, _room(path)) and owner not in STATE:
                    yield f"{path}:{node.lineno} assigns an attribute of {owner}"

    def _imported_names(self, path, tree):
        """``(name, room)`` of each name that is imported from msgrad's files."""
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.level:
                folder = [*path.split("/")[: -node.level], *(node.module.split(".") if node.module else ())]
                for each in node.names:
                    yield each.asname or each.name, _room("/".join([*folder, each.name]))

    def upcalls_elsewhere(self):
        """Upcalls that another file fills than the one that `_upcalls` names, or none."""
        declared, filled = {}, {}
        for node in self.trees["_upcalls.py"].body:
            for each in getattr(node, "decorator_list", ()):
                if isinstance(each, ast.Call):  # no overload
                    declared[node.name] = each.args[0].value
        for path, tree in self.trees.items():
            for call in ast.walk(tree):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "_upcalls.fill":
                    filled |= dict.fromkeys([each.arg for each in call.keywords], path)
        yield from [f"{name}: {filled.get(name)}" for name in declared if filled.get(name) != declared[name]]

    def upward_imports_of_the_engine(self):
        def floor(path):
            _, room, *file = path.split("/")
            if file:
                return 1 + ROOMS.index(room)
            return 1 + len(ROOMS) if room == "__init__.py" else 0

        for path, line, target, _ in self.imports:
            if path.startswith("engine/") and target.startswith("engine/") and floor(path) < floor(target):
                yield f"{path}:{line} imports {target}"

    def upward_imports_of_families(self):
        for path, line, target, _ in self.imports:
            families = [each.split("/")[1] for each in (path, target) if re.match("ops/.*/", each)]
            if len(families) == 2 and FAMILIES.index(families[0]) < FAMILIES.index(families[1]):
                yield f"{path}:{line} imports {target}"

    def upward_imports_of_phases(self):
        inner = "ops/_core/"
        for path, line, target, _ in self.imports:
            rooms = [file.removeprefix(inner).split("/")[0] for file in (path, target) if file.startswith(inner)]
            if set(rooms) <= set(PHASES) and len(rooms) == 2 and PHASES.index(rooms[0]) < PHASES.index(rooms[1]):
                yield f"{path}:{line} imports {target}"

    def late_imports(self):
        for path, line, target, is_late in self.imports:
            if is_late and target not in LATE.get(path, ()):
                yield f"{path}:{line} imports {target}"

    def imports_of_tools(self):
        for path, line, target, _ in self.imports:
            # These are the command; `_startup` runs the launcher.
            if target.startswith("tools/") and not path.startswith(("tools/", "__main__.py", "_startup.py")):
                yield f"{path}:{line} imports {target}"

    def circles(self):
        """One group of files that import each other when they are imported."""
        graph = {path: set() for path in self.files}
        for path, _, target, is_late in self.imports:
            if path != target and not is_late:
                graph[path].add(target)
        try:
            list(graphlib.TopologicalSorter(graph).static_order())
        except graphlib.CycleError as error:
            yield error.args[1]


def _last_name(node):
    return getattr(node, "attr", getattr(node, "id", ""))


def _room(path):
    """The folder of a file: of the engine's, those inside it."""
    parts = path.split("/")
    return "/".join(parts[: 2 if parts[0] == "engine" and len(parts) > 2 else 1])


def _assigned(tree):
    """``(node, name)`` of each statement that assigns or deletes an attribute of what a name stands for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _last_name(node.func) in ("setattr", "delattr"):
            targets = [ast.Attribute(node.args[0], "", ast.Store())]
        else:
            targets = getattr(node, "targets", [getattr(node, "target", None)])
        for target in [part for each in targets for part in getattr(each, "elts", [each])]:
            if isinstance(target, ast.Attribute):
                owner = target.value
                while isinstance(owner, ast.Attribute):
                    owner = owner.value
                if isinstance(owner, ast.Name):
                    yield node, owner.id


_PRIVATE = r"\bjax\._src|(from|import) jaxlib|\bjax\.(core|extend)\b|jax import (core|extend)|\b_cache_size"
_UNPICKLING = r"pickle\.(load|loads|Unpickler)\b|allow_pickle|\bmarshal\b"
_NUMPY = r"import jax\.numpy|from jax import .*\b(numpy|lax)\b|from jax\.(numpy|lax)\b|\bjax\.(numpy|lax|nn)\.\w+\("
# Each rule, what gives the places that break it, and files that do.
RULES = [
    ("a folder holds at most 25 files", House.crowded_folders, {f"ops/file{n}.py": "" for n in range(26)}),
    (
        "the first line of a room's __init__ says what lies there",
        House.rooms_without_a_line,
        {"ops/__init__.py": '"""Two\nlines."""'},
    ),
    (
        "imports point downwards",
        House.upward_imports,
        {"ops/a.py": "def f():\n    from ..nn import cell", "nn/cell.py": ""},
    ),
    (
        "tables of names point upwards only where the list says so",
        House.upward_names,
        {"ops/__init__.py": '_ABOVE = {".nn.cell": "Cell"}\nOnDemand(__name__, _ABOVE)'},
    ),
    (
        "strings name modules of upper floors only where the list says so",
        House.upward_names,
        {"ops/nn/a.py": 'MODULES[f] = "msgrad.ops.sparse.b"', "ops/sparse/b.py": ""},
    ),
    (
        "no room assigns attributes of another",
        House.assignments_across_floors,
        {"initializer.py": "from .tensor.parameter import Parameter\nParameter.clone = f", "tensor/parameter.py": ""},
    ),
    (
        "each upcall is filled by the file that it names",
        House.upcalls_elsewhere,
        {"_upcalls.py": '@upcall("nn/a.py")\ndef f(): ...', "nn/b.py": "_upcalls.fill(f=g)"},
    ),
    (
        "imports within the engine point downwards",
        House.upward_imports_of_the_engine,
        {"engine/execution/a.py": "from ..recording import trace", "engine/recording/trace.py": ""},
    ),
    (
        "families of operations import one way",
        House.upward_imports_of_families,
        {"ops/math/a.py": "from ..linalg import matmul", "ops/linalg/matmul.py": ""},
    ),
    (
        "what runs at a call imports nothing of how faces are made, and that nothing of how operations are defined",
        House.upward_imports_of_phases,
        {"ops/_core/calls/a.py": "from ..generation import b", "ops/_core/generation/b.py": ""},
    ),
    (
        "imports are late only where the list says so",
        House.late_imports,
        {"nn/a.py": "def f():\n    if x:\n        from . import b", "nn/b.py": ""},
    ),
    (
        "only the command imports tools",
        House.imports_of_tools,
        {"alias.py": "from . import tools", "tools/__init__.py": ""},
    ),
    (
        "no files import each other in a circle",
        House.circles,
        {"ops/a.py": "from . import b", "ops/b.py": "from .a import f"},
    ),
    (
        "a handle's state is the engine's",
        lambda house: house.lines(r"\._state\b", TOUCH_STATE + OTHER_STATES),
        {"nn/a.py": "x._state = 1"},
    ),
    (
        "JAX's private interfaces are named in one file",
        lambda house: house.lines(_PRIVATE, PRIVATE),
        {"nn/a.py": "from jax._src import core"},
    ),
    (
        "what processes tell each other is signed: one file has the store",
        lambda house: house.lines(r"\.(blocking_)?key_value_\w+\(", ("engine/processes/store.py",)),
        {"ops/a.py": "client.key_value_set(key, value)"},
    ),
    (
        "pickles come from signed values and the private cache alone",
        lambda house: house.lines(_UNPICKLING, UNPICKLE),
        {"ops/a.py": "pickle.loads(text)"},
    ),
    (
        "jax.numpy and jax.lax compute where operations are defined",
        lambda house: house.lines(_NUMPY, MATHEMATICS),
        {"nn/a.py": "import jax.numpy as jnp"},
    ),
]


@pytest.fixture(scope="module")
def house():
    return House({path.relative_to(ROOT).as_posix(): path.read_text() for path in sorted(ROOT.rglob("*.py"))})


@pytest.mark.parametrize("rule, breaches, files", RULES, ids=[name for name, *_ in RULES])
def test_rule(house, rule, breaches, files):
    assert list(breaches(House(files)))  # it finds what breaks it
    assert not list(breaches(house))


@pytest.mark.parametrize("folder, inner", [("engine", ("interpreter", "lengths", "layouts")), ("ops/_core", ())])
def test_a_page_lists_each_file_once(folder, inner):
    place, listed, room = ROOT / folder, [], ""
    lines = (place / "README.md").read_text().splitlines()
    for name in inner:  # which list their files themselves
        lines += [f"### `{name}/`", *(place / name / "__init__.py").read_text().splitlines()]
    for line in lines:
        if heading := re.match(rf"### `(?:{folder}/)?(\w*/?)`", line):
            room = heading[1]
        elif line.startswith("| "):
            listed += [room + name for name in re.findall(r"`(\w+\.py)`", line.split("|")[1])]
    files = [path.relative_to(place).as_posix() for path in place.rglob("*.py") if path.name != "__init__.py"]
    assert sorted(listed) == sorted(files)


def test_the_picture_of_the_floors_shows_this_order():
    from tests.golden.make_architecture import PICTURE, floors, picture

    assert [room for _, rooms in floors() for room in rooms] == [each.removesuffix(".py") for each in ORDER]
    assert PICTURE.read_text() == picture()
