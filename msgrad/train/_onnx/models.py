"""Converts networks to ONNX models, and checks them with onnxruntime."""

import contextlib
import dataclasses
import logging
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import numpy as np

from ...engine._jax_private import jaxpr_as_function
from ...nn._cell.flags import in_training
from ...nn.cell import Cell
from ...nn.graph_cell import as_program
from ...tensor.placeholder import Placeholder, Symbol
from ...tensor.tensor import Tensor
from ...version import __msgrad_version__
from . import lowerings, naming
from .rewriting import rewritten

_LARGEST = 2**31 - 2**20  # the size limit of a protobuf message, less space for the program
_MSG_INSTALL = 'Models in ONNX need the packages jax2onnx and onnxruntime: pip install "msgrad[onnx]"'
_MSG_OPERATION = (
    "For 'export', 'ONNX' has no form of the operation {}: {}. Keep it out of the model, or use "
    "'MINDIR', which holds every operation."
)
_MSG_RUN = "For 'export', onnxruntime does not run the model that jax2onnx has written: {}. Use 'MINDIR'."
_MSG_OTHER = (
    "For 'export', the model that jax2onnx has written computes something else: result {} has {}, but the network's "
    "{}. Use 'MINDIR'."
)
_MSG_LARGE = "For 'export', the Parameters take {} bytes, but one file of 'ONNX' holds {}. Use 'MINDIR'."


@dataclasses.dataclass(frozen=True)
class Names:
    """The names in a model: inputs, results, dynamic axes.

    Attributes:
        inputs, results (sequence of str): names of the first inputs and results; the others are named after the
            arguments, and ``output_0`` and so on.
        axes (dict[str, dict[int, str]]): dynamic axes, by input and axis.
    """

    inputs: Sequence[str]
    results: Sequence[str]
    axes: Mapping[str, Mapping[int, str]]


def model(network, inputs, examples, names, stored=True, listed=False):
    """Converts a network, in evaluation mode, to an ONNX model.

    Args:
        network (Cell | callable): of Tensors.
        inputs (sequence of Tensor): give the shapes and dtypes; axes may be dynamic.
        examples (sequence of Tensor): inputs for the check; for dynamic axes example Tensors are made.
        names (Names): the names in the model.
        stored (bool): whether the model contains the Parameters; otherwise they are inputs. Default: ``True``.
        listed (bool): whether stored Parameters are inputs, too. Default: ``False``.
    Returns:
        bytes.
    Raises:
        RuntimeError: if an operation has no form in ONNX, or onnxruntime's results differ.
        ValueError: for names that are wrong, and for Parameters of more than 2 GB.
        ImportError: without the packages of the extra ``onnx``.
    """
    _check_extra()
    held = list(_members(network))
    arguments = naming.all_names("input_names", names.inputs, naming.arguments(network, len(inputs), held), held)
    inputs = naming.opened(inputs, arguments, names.axes)
    tried = [_example(each) for each in examples]
    with in_training(network, False) if isinstance(network, Cell) else contextlib.nullcontext():
        program, parameters, _ = as_program(network, inputs, lambda run, avals: jax.make_jaxpr(run)(*avals))
        run, _, _ = as_program(network, tried, lambda run, avals: jax.jit(run).lower(*avals).compile())
    arrays = {name: value.asnumpy() for name, value in parameters.items()}
    size = sum(array.nbytes for array in arrays.values())
    if size > _LARGEST:
        raise ValueError(_MSG_LARGE.format(size, _LARGEST))
    defaults = [f"output_{k}" for k in range(len(program.out_avals))]
    results = naming.all_names("output_names", names.results, defaults, [*held, *arguments])
    naming.check_axes(names.axes, [*arguments, *results])
    onnx_model = _converted(program, type(network).__name__, [*arrays, *arguments])
    _finish(onnx_model, arguments, results, arrays if stored else {}, arrays if listed or not stored else ())
    feeds = dict(zip(arguments, [each.asnumpy() for each in tried], strict=True))
    _check(onnx_model, feeds if stored else feeds | arrays, run(*arrays.values(), *feeds.values()))
    return onnx_model.SerializeToString()


def _members(network):
    """The names of a Cell's arrays, in the order of `as_program`."""
    if isinstance(network, Cell):
        yield from [each.name for each in network.get_parameters()]
        yield from [path for path, _ in network.named_buffers()]


def _check_extra():
    try:
        import jax2onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError:
        raise ImportError(_MSG_INSTALL) from None


# -- conversion --------------------------------------------------------------------------------------------------------


def _converted(program, title, names):
    """Converts a program with named inputs by jax2onnx."""
    from jax2onnx import to_onnx

    floats = {aval.dtype for aval in program.in_avals if np.issubdtype(aval.dtype, np.floating)}
    try:
        flat = rewritten(program)
        # With 'enable_double_precision' it makes constants of float32 float64; without, it would trace in 32 bits.
        with lowerings.added(), jax.enable_x64(True), _quiet():
            run = jaxpr_as_function(flat)
            double = floats == {np.dtype(np.float64)}
            specs = list(flat.in_avals)
            return to_onnx(run, specs, model_name=title, input_names=names, enable_double_precision=double)
    except Exception as error:  # any error of jax2onnx and its libraries
        raise RuntimeError(_MSG_OPERATION.format(_operation(error), _first_line(error))) from error


@contextlib.contextmanager
def _quiet():
    """Silences onnx_ir's warnings about values without a type, which ONNX infers."""
    logger = logging.getLogger("onnx_ir")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)


def _operation(error):
    """The operation at which jax2onnx failed, by MindSpore's name and JAX's."""
    equations: list[Any] = [frame.f_locals.get("eqn") for frame, _ in traceback.walk_tb(error.__traceback__)]
    equations = [equation for equation in equations if hasattr(equation, "primitive")]
    if not equations:
        return "that comes next"
    name = str(equations[-1].source_info.name_stack).partition("/")[0]
    return f"{name!r} ({equations[-1].primitive.name} in JAX)"


def _first_line(error):
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")


def _finish(onnx_model, names, results, stored, listed):
    """Orders the inputs, stores Parameters, and names the results. A result may be an input, or appear twice."""
    import onnx

    onnx_model.producer_name, onnx_model.producer_version = "msgrad", __msgrad_version__
    graph = onnx_model.graph
    inputs = {value.name: value for value in graph.input}
    del graph.input[:]
    graph.input.extend([inputs[name] for name in [*names, *listed]])
    graph.initializer.extend([onnx.numpy_helper.from_array(array, name) for name, array in stored.items()])
    for value, name in zip(graph.output, results, strict=True):
        graph.node.append(onnx.helper.make_node("Identity", [value.name], [name]))
        value.name = name


# -- the check ---------------------------------------------------------------------------------------------------------


def _example(tensor):
    """The Tensor, or an example for a placeholder: with short axes, and zeros if the values may be indices."""
    if not isinstance(tensor, Placeholder):
        return tensor
    dtype = np.dtype(tensor.aval[1])
    array = np.zeros([_length(length) for length in tensor.symbols], dtype)
    return Tensor(np.linspace(-1, 1, array.size).reshape(array.shape).astype(dtype) if dtype.kind == "f" else array)


def _length(length):
    if not isinstance(length, Symbol):
        return length if length >= 0 else 2
    return next(n for n in (2, *range(1, length.min + 3 * length.divisor)) if length.why_not(n) is None)


def _check(model, feeds, expected):
    """Raises RuntimeError unless onnxruntime computes the ``expected`` arrays with a model."""
    import onnx
    import onnxruntime

    try:
        onnx.checker.check_model(model, full_check=True)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4  # failures are raised; its warnings about unused constants are silenced
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        results = session.run(None, feeds)
    except Exception as error:  # each library raises errors of its own
        raise RuntimeError(_MSG_RUN.format(_first_line(error))) from error
    for k, (result, reference) in enumerate(zip(results, map(np.asarray, expected), strict=True)):
        if (result.dtype, result.shape) != (reference.dtype, reference.shape):
            raise RuntimeError(
                _MSG_OTHER.format(k, f"{result.dtype}{list(result.shape)}", f"{reference.dtype}{list(reference.shape)}")
            )
        if not _are_close(result, reference):
            raise RuntimeError(
                _MSG_OTHER.format(k, f"values like {result.ravel()[:3]}", f"like {reference.ravel()[:3]}")
            )


def _are_close(actual, expected):
    """Whether arrays are equal up to rounding in long sums."""
    if actual.dtype.kind != "f":
        return np.array_equal(actual, expected)
    limit = float(np.finfo(actual.dtype).eps) ** 0.5
    scale = np.max(np.abs(expected), initial=0.3, where=np.isfinite(expected))
    return np.allclose(actual, expected, rtol=limit, atol=limit * scale, equal_nan=True)
