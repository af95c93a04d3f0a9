"""Runs a MindSpore program and records the inputs and outputs of its Cells: one side of ``msgrad compare``.

It runs as a script, in an interpreter with MindSpore or under ``msgrad run``, and imports nothing but ``mindspore`` and
NumPy. ``recorder.py OPTIONS SCRIPT [ARGUMENT ...]``: OPTIONS is a JSON object, SCRIPT the program.

The recording is an ``.npz`` file: ``report``, a JSON object as bytes, and the arrays that it names.

- PYNATIVE_MODE: the inputs and outputs of each call of a Cell, the gradients of its outputs, the gradients that an
  optimizer receives, and after each outermost call the Parameters that changed.
- GRAPH_MODE: the same for the outermost calls only, since Cells are compiled; no gradients inside, and no Dropout.
  Inside functions of ``jit`` nothing is recorded.
- Sink mode: its steps run one by one, as they do in MindSpore on a CPU; in msgrad one call covers many.
"""

import contextlib
import functools
import inspect
import json
import os
import random
import runpy
import sys
import traceback
import zlib
from typing import Any

import numpy as np

_ROWS = 256  # of the input of an outermost call, of which the recording has a checksum
_LEAST = 4  # elements of such a row
_MOST = 1 << 16  # elements of an array that are stored; of a larger one, evenly spaced elements


class Enough(BaseException):
    """Ends the program, when the last call that is to be recorded has ended."""


class Recorder:
    """Patches ``mindspore``'s Cell, optimizers, Dropout and ``jit``, and records their inputs and results.

    Args:
        ms (module): mindspore.
        options (dict): ``save``, the file to write; ``initial``, a recording whose random initial values are used;
            ``mode``, ``"pynative"``, ``"graph"`` or None for the program's own; ``seed``; ``calls``, the number of
            outermost calls to record; ``progress``, a file that gets a byte for each of them, or None.
    """

    def __init__(self, ms, options):
        self.ms, self.options = ms, options
        self.items, self.arrays, self.copied = [], {}, []
        self.parameters = {}  # by id: the Parameter, its key, its last value
        self.roots, self.labels = {}, {}  # how many Cells of a class were made; the names of those that were called
        self.building = self.depth = self.outermost = 0
        self.called, self.counts, self.paths = {}, {}, {}
        self.path, self.hidden = "", False
        self.drawn = self.sunk = 0  # masks of Dropout; the steps of which one call in sink mode consists
        self.given = np.load(options["initial"]) if options.get("initial") else {}
        self.library = tuple(os.path.dirname(os.path.abspath(file)) + os.sep for file in (ms.__file__, runpy.__file__))

    # -- patches -----------------------------------------------------------------------------------------------------

    def install(self):
        """Patches the classes: programs imported afterwards are recorded."""
        cell = self.ms.nn.Cell
        for subclass in _subclasses(cell):
            self._watch_init(subclass)
        announce = cell.__dict__.get("__init_subclass__")

        def init_subclass(cls, **kwargs):
            if announce is not None:
                announce.__func__(cls, **kwargs)
            self._watch_init(cls)

        cell.__init_subclass__ = classmethod(init_subclass)
        recorder, call = self, cell.__call__

        @functools.wraps(call)
        def recorded(self, *args, **kwargs):
            return recorder.call(self, functools.partial(call, self), args, kwargs)

        cell.__call__ = recorded
        self.ms.jit = self._watched_jit(self.ms.jit)
        self.ms.Model._train_dataset_sink_process = self._unsunk()
        self.ms.Model._joins_steps = self._steps_apart()
        self._set_mode()

    def _set_mode(self):
        """Sets the requested mode, and keeps the program from changing it."""
        set_context, mode = self.ms.set_context, self.options.get("mode")
        forced = {} if mode is None else {"mode": getattr(self.ms, f"{mode.upper()}_MODE")}
        dropout = self.ms.nn.Dropout
        self.dropout = dropout.construct

        def setting(**settings):
            set_context(**{**settings, **forced})
            dropout.construct = _passing if self._is_graph() else self._dropout()

        self.ms.set_context = self.ms.context.set_context = setting
        setting()

    def _watch_init(self, cls):
        """Calls `adopt` when the outermost ``__init__`` of a Cell ends."""
        if "__init__" not in cls.__dict__:
            return
        init, recorder = cls.__init__, self

        @functools.wraps(init)
        def initialised(self, *args, **kwargs):
            recorder.building += 1
            try:
                init(self, *args, **kwargs)
            finally:
                recorder.building -= 1
            if not recorder.building and not recorder.depth:
                recorder.adopt(self)

        cls.__init__ = initialised

    def _dropout(self):
        """Dropout whose masks NumPy draws, so that they are the same on both sides."""
        recorder, Tensor = self, self.ms.Tensor

        def construct(self, x):
            rate = 1.0 - self.keep_prob if self.p is None else self.p
            if not self.training or rate == 0:
                return x
            recorder.drawn += 1
            mask = np.random.RandomState(recorder.drawn).uniform(size=x.shape) >= rate
            return x * Tensor((mask / (1.0 - rate)).astype(np.float32)).astype(x.dtype)

        return construct

    def _unsunk(self):
        """``Model._train_dataset_sink_process`` that trains step by step."""
        recorder = self

        def train(self, epoch, dataset, callbacks=None, facts=None, sink_size=-1, initial_epoch=0, valid_infos=None):
            recorder.sunk = dataset.get_dataset_size() if sink_size == -1 else sink_size
            self._train_process(epoch, dataset, callbacks, facts, initial_epoch, valid_infos)

        return train

    def _steps_apart(self):
        """``Model._joins_steps`` of msgrad, which on a CPU says in sink mode whether steps share launches: no."""
        recorder = self

        def joins_steps(self, list_callback, context):
            recorder.sunk = context.original_args().train_dataset.get_dataset_size()
            return False

        return joins_steps

    def _watched_jit(self, jit):
        """``mindspore.jit``, inside whose functions nothing is recorded."""

        @functools.wraps(jit)
        def watched(function=None, *args, **kwargs):
            if not inspect.isfunction(function) and not inspect.ismethod(function):
                jitted = jit(*([] if function is None else [function]), *args, **kwargs)
                return (lambda fn: hiding(fn, jitted(fn))) if function is None else jitted
            return hiding(function, jit(function, *args, **kwargs))

        def hiding(function, compiled):
            @functools.wraps(function)
            def call(*args, **kwargs):
                dropout = self.ms.nn.Dropout
                before = self.hidden, dropout.construct
                self.hidden, dropout.construct = True, self.dropout
                try:
                    return compiled(*args, **kwargs)
                finally:
                    self.hidden, dropout.construct = before

            return call

        return watched

    # -- Parameters --------------------------------------------------------------------------------------------------

    def adopt(self, cell):
        """Registers a new Cell's Parameters, and sets randomly initialized ones to the other side's values."""
        root = self._numbered(self.roots, type(cell).__name__)
        for path, parameter in cell.parameters_and_names():
            if id(parameter) in self.parameters:
                continue
            key = f"{root}.{path}"
            value = self._values(parameter)
            name = f"initial:{key}"
            theirs = self.given.get(name)
            if theirs is not None and _is_random(value, theirs):
                parameter.set_data(self.ms.Tensor(theirs).astype(parameter.dtype))
                self.copied.append(parameter.name)
                value = self._values(parameter)
            self.arrays[name] = value
            self.parameters[id(parameter)] = [parameter, key, value]
            self.record("initial", key, type(cell), 1, parameter.name, parameter, self._line())

    def _changes(self, line):
        """Records the Parameters that have changed since the last call."""
        for entry in self.parameters.values():
            parameter, key, before = entry
            value = self._values(parameter)
            if value is not None and not np.array_equal(value, before, equal_nan=value.dtype.kind in "fc"):
                entry[2] = value
                self.record("update", key, type(parameter), self.outermost, parameter.name, parameter, line)

    # -- calls -------------------------------------------------------------------------------------------------------

    def call(self, cell, call, args, kwargs):
        """Calls a Cell, and records its boundary."""
        is_outermost = self.depth == 0
        if self.hidden or (self._is_graph() and not is_outermost) or self.outermost > self.options["calls"]:
            return call(*args, **kwargs)
        if is_outermost:
            self.outermost += 1
            self._tell()
            self._name_paths(cell)
            if self.outermost > self.options["calls"]:
                raise Enough
        line, path = self._line(), self.paths.get(id(cell)) or f"{self.path}>{type(cell).__name__}"
        number = self._count(path)
        for kind, label, value in self._inputs(cell, args, kwargs):
            self.record(kind, path, type(cell), number, label, value, line)
        outer, self.path = self.path, path
        self.depth += 1
        hidden = self.hidden
        self.hidden = hidden or self._is_graph()
        try:
            output = call(*args, **kwargs)
        finally:
            self.depth -= 1
            self.path, self.hidden = outer, hidden
        for label, value in _flat("output", output):
            self.record("output", path, type(cell), number, label, value, line)
            self._hook(value, path, type(cell), number, label, line)
        if is_outermost:
            self._changes(line)
        return output

    def _tell(self):
        if self.options.get("progress"):
            with open(self.options["progress"], "ab") as file:
                file.write(b".")

    def _name_paths(self, cell):
        """Names the Cells inside an outermost one by their attribute paths."""
        if id(cell) not in self.labels:
            self.labels[id(cell)] = self._numbered(self.called, type(cell).__name__), cell
        root = self.labels[id(cell)][0]
        self.paths = {}
        for path, each in cell.cells_and_names():
            self.paths.setdefault(id(each), f"{root}.{path}" if path else root)

    def _inputs(self, cell, args, kwargs):
        """The inputs by the names that ``construct`` has for them; an optimizer's by its Parameters."""
        if isinstance(cell, self.ms.nn.Optimizer):
            gradients, parameters = list(_flat("", args)), list(cell.parameters)
            if len(gradients) == len(parameters):
                yield from [("parameter gradient", p.name, g) for p, (_, g) in zip(parameters, gradients, strict=True)]
                return
        try:
            arguments = inspect.signature(cell.construct).bind(*args, **kwargs).arguments
        except (TypeError, ValueError):
            arguments = {f"[{index}]": value for index, value in enumerate(args)} | kwargs
        for name, value in arguments.items():
            yield from [("input", *pair) for pair in _flat(name, value)]

    def _hook(self, value, path, kind, number, label, line):
        """Records the gradient of an output."""
        if self._is_graph() or not self._is_tensor(value) or not self.options.get("gradients", True):
            return

        def keep(gradient):
            self.record("gradient", path, kind, number, label, gradient, line)

        with contextlib.suppress(Exception):  # of integers, say
            value.register_hook(keep)

    # -- recording values --------------------------------------------------------------------------------------------

    def record(self, kind, path, cls, number, label, value, line):
        """Records the shape, dtype, statistics and values of a Tensor; ignores anything else."""
        if not self._is_tensor(value):
            return
        item = {
            "kind": kind, "path": path, "cell": cls.__name__, "call": number, "label": label, "line": line,
            "is_library": cls.__module__.split(".")[0] in ("mindspore", "msgrad"), "outermost": self.depth == 0,
            "shape": list(value.shape), "dtype": str(value.dtype),
        }  # fmt: skip
        values = self._values(value)
        if values is not None:
            item["array"] = f"a{len(self.items)}"
            item["statistics"] = _statistics(values)
            if kind == "input" and item["outermost"]:
                item["rows"], item["drawn"] = _checksums(values), _random_state()
            self.arrays[item["array"]] = sample(values)
        self.items.append(item)

    def _values(self, tensor):
        """The values as a NumPy array, or None if it has none (under vmap)."""
        try:
            if str(tensor.dtype) == "BFloat16":
                tensor = tensor.astype(self.ms.float32)
            return np.array(tensor.asnumpy())
        except (RuntimeError, ValueError, TypeError):
            return None

    def _is_tensor(self, value):
        return isinstance(value, self.ms.Tensor)

    def _is_graph(self):
        return self.ms.get_context("mode") == self.ms.GRAPH_MODE

    def _line(self):
        """The file and line of the program that is running."""
        frame = sys._getframe(1)
        while frame is not None:
            file = frame.f_code.co_filename
            if not file.startswith(("<", *self.library)) and os.path.abspath(file) != os.path.abspath(__file__):
                return f"{self._path(file)}:{frame.f_lineno}"
            frame = frame.f_back
        return ""

    def _place_of(self, error):
        """The innermost line of the program's in the traceback of an exception."""
        frames = traceback.extract_tb(error.__traceback__)
        places = [(os.path.abspath(each.filename), each.lineno) for each in frames]
        own = [place for place in places if place[0].startswith(os.path.join(self.folder, ""))]
        return f"{self._path(own[-1][0])}:{own[-1][1]}" if own else ""

    def _version(self):
        # msgrad has the name and the version of the MindSpore that it stands for.
        is_msgrad = hasattr(self.ms.version, "__msgrad_version__")
        return f"{'msgrad for MindSpore' if is_msgrad else 'mindspore'} {self.ms.__version__}"

    def _path(self, file):
        """A file's path from the program's folder; a library's from the folder that it is imported from."""
        homes = [self.folder, *sorted(sys.path, key=len, reverse=True)]
        home = next((each for each in homes if each and file.startswith(os.path.join(each, ""))), self.folder)
        return os.path.relpath(file, home)

    def _count(self, name):
        self.counts[name] = self.counts.get(name, 0) + 1
        return self.counts[name]

    def _numbered(self, counts, name):
        counts[name] = counts.get(name, 0) + 1
        return name if counts[name] == 1 else f"{name}#{counts[name]}"

    # -- the program -------------------------------------------------------------------------------------------------

    def run(self, script, arguments):
        """Runs the program, and writes the recording even if it fails; returns the error, or None."""
        self.folder = os.path.dirname(os.path.abspath(script))
        self.ms.set_seed(self.options["seed"])
        np.random.seed(self.options["seed"])
        random.seed(self.options["seed"])
        sys.argv = [script, *arguments]
        sys.path[0] = self.folder
        error = place = None
        try:
            runpy.run_path(script, run_name="__main__")
        except Enough:
            pass
        except SystemExit as ended:
            error = None if ended.code in (None, 0) else f"SystemExit: {ended.code}"
        except BaseException as raised:
            traceback.print_exc()
            error = f"{type(raised).__name__}: {raised}"
            place = self._place_of(raised)
        report = {
            "items": self.items, "error": error, "copied": self.copied, "calls": self.outermost, "sunk": self.sunk,
            "version": self._version(), "script": os.path.basename(script), "place": place,
        }  # fmt: skip
        np.savez_compressed(
            self.options["save"], report=np.frombuffer(json.dumps(report).encode(), np.uint8), **self.arrays
        )
        return error


def _passing(self, x):
    """Dropout in GRAPH_MODE, where no mask can be passed to a compiled program: it drops nothing, on both sides."""
    return x


def sample(values):
    """At most ``_MOST`` evenly spaced elements of an array, as a vector."""
    flat = values.reshape(-1)
    return flat[:: -(-flat.size // _MOST)] if flat.size > _MOST else flat


def _statistics(values):
    """Minimum, maximum, mean and standard deviation of the finite elements, and the count of the others."""
    numbers = np.abs(values) if values.dtype.kind == "c" else values.astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    statistics = {"not finite": int(numbers.size - finite.size)}
    if finite.size:
        statistics |= {
            "min": float(finite.min()),
            "max": float(finite.max()),
            "mean": float(finite.mean()),
            "std": float(finite.std()),
        }
    return statistics


def _checksums(values):
    """A checksum of each of the first rows of an array; none of labels and other rows that may be equal by chance."""
    rows = values[:_ROWS] if values.ndim > 1 and values[:1].size >= _LEAST else []
    return [zlib.crc32(np.ascontiguousarray(row).tobytes()) for row in rows]


def _random_state():
    """A checksum of the states of NumPy's and Python's generators."""
    state: Any = np.random.get_state()
    _, keys, *rest = state
    return zlib.crc32(repr((keys.tobytes(), rest, random.getstate())).encode())


def _is_random(ours, theirs):
    """Whether two initial values were drawn at random: they differ, and neither is a constant."""
    return (
        ours is not None
        and ours.shape == theirs.shape
        and not any([np.array_equal(ours, theirs), _is_constant(ours), _is_constant(theirs)])
    )


def _is_constant(values):
    """Whether all elements are equal; a single element other than 0 and 1 may be random, so it does not count."""
    return values.size == 0 or (values.min() == values.max() and (values.size > 1 or values.item() in (0, 1)))


def _flat(label, value):
    """Labels and values of the leaves of nested containers."""
    if isinstance(value, (tuple, list)):
        for index, item in enumerate(value):
            yield from _flat(f"{label}[{index}]", item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _flat(f"{label}[{key!r}]", item)
    else:
        yield label, value


def _subclasses(cls):
    for each in cls.__subclasses__():
        yield each
        yield from _subclasses(each)


def main(arguments):
    """Records the program; the exit status is 1 if it ended with an error."""
    import mindspore

    options, script, *rest = arguments
    recorder = Recorder(mindspore, json.loads(options))
    recorder.install()
    return 1 if recorder.run(script, rest) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
