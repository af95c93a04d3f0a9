"""Exported networks: compiled programs with Parameters, which `load` reads and `GraphCell` runs."""

import jax

from ..engine.calls import staging
from ..engine.jax_options import Tracing, spec
from ..engine.recording.program import Op
from ..engine.recording.trace import apply
from ..engine.refusal import refuse, require
from ..tensor.parameter import Parameter
from ..tensor.placeholder import Placeholder
from ..tensor.tensor import Tensor
from ._cell.graph_inputs import fits, specs
from .cell import Cell

__all__ = ["GraphCell", "GraphKernel"]

_MSG_INPUTS = (
    "For 'GraphCell', the program takes {}, but got {}: call it with Tensors of these, or export the network "
    "with Tensors like yours."
)
_MSG_LENGTHS = (
    "For 'export', the 'net' reads a length that is unknown in the 'inputs': {}. Give Tensors of known lengths, or one "
    "mindspore.Symbol(unique=True) for lengths that are the same."
)

_UNKNOWN = TypeError, ValueError, jax.errors.InconclusiveDimensionOperation


class Graph:
    """A program for XLA with the values of its Parameters, as returned by `load`.

    Attributes:
        exported (jax.export.Exported): takes the Parameters, then the inputs.
        parameters (dict[str, Tensor]): by name.
        structure: the structure of the network's results, see `structure_of`.
    """

    def __init__(self, exported, parameters, structure):
        self.exported = exported
        self.parameters = parameters
        self.structure = structure
        self.inputs = tuple([(aval.shape, aval.dtype) for aval in exported.in_avals[len(parameters) :]])

    def __repr__(self):
        return f"Graph(inputs={[f'{dtype}{list(shape)}' for shape, dtype in self.inputs]})"


class _Run(Op):
    """The operation that runs an exported program."""

    def __init__(self, exported):
        super().__init__("graph")
        self._call = exported.call

    def bind(self, static):
        return lambda *operands: tuple(self._call(*operands))


class GraphCell(Cell):
    """An exported network: its program, and its Parameters by name.

    It takes Tensors of the shapes and dtypes that it was exported with; dynamic axes
    (``Tensor(shape=[None, 3], dtype=mindspore.float32)``) may have any length. It computes what the network computed
    when it was exported, in training or evaluation mode. It can be differentiated once.

    Args:
        graph (Graph): the result of `load`.
        params_init (dict[str, Tensor]): other values for Parameters. Default: ``None``.
        obf_random_seed (int): for obfuscated models, which are not supported: None. Default: ``None``.
    Inputs: Tensors like those that it was exported with. Output: as the network's.
    Raises:
        TypeError, ValueError: for other values.  RuntimeError: for other inputs, when it is called.
    Example:
        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/net.mindir"
        >>> ms.export(net, x, file_name=path, file_format="MINDIR")
        >>> nn.GraphCell(ms.load(path))(x).shape
        (1, 1)
    Source: mindspore.nn.GraphCell
    """

    def __init__(self, graph, params_init=None, obf_random_seed=None):
        super().__init__(auto_prefix=False)
        self.graph = require(graph, Graph, "GraphCell", "graph")
        if obf_random_seed is not None:
            refuse(ValueError, "GraphCell", "obf_random_seed", "None", obf_random_seed)
        values = require(params_init, (dict, type(None)), "GraphCell", "params_init") or {}
        for name, value in values.items():
            require(name, str, "GraphCell", "name in the params_init")
            require(value, Tensor, "GraphCell", f"params_init['{name}']")
        for name, value in graph.parameters.items():
            parameter = Parameter(value, name=name)
            if name in values:
                parameter.set_data(values[name])
            self.insert_param_to_cell(name, parameter, check_name_contain_dot=False)
        self._run = _Run(graph.exported)

    def construct(self, *inputs):
        """The outputs of the network for such inputs."""
        actual = tuple([each.aval if isinstance(each, Tensor) else type(each).__name__ for each in inputs])
        expected = self.graph.inputs
        tensors = len(inputs) == len(expected) and all(isinstance(each, Tensor) for each in inputs)
        if not (tensors and all(map(fits, expected, actual))):
            raise RuntimeError(_MSG_INPUTS.format(list(self.graph.inputs), list(actual)))
        results = apply(self._run, [*self._params.values(), *inputs])
        return _nested(self.graph.structure, results)


def structure_of(value, tensors):
    """The structure of ``value`` in JSON types, with the index of each Tensor, which is appended to ``tensors``."""
    if isinstance(value, Tensor):
        tensors.append(value)
        return len(tensors) - 1
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, *[structure_of(item, tensors) for item in value]]
    if isinstance(value, dict):
        return {name: structure_of(item, tensors) for name, item in value.items()}
    if value is None:
        return None
    refuse(TypeError, "export", "net", "a network that returns Tensors, in tuples, lists and dicts", value)


def _nested(structure, results):
    """The inverse of `structure_of`: the structure with its indices replaced by ``results``."""
    if isinstance(structure, int):
        return results[structure]
    if isinstance(structure, list):
        kind, *items = structure
        return {"tuple": tuple, "list": list}[kind]([_nested(item, results) for item in items])
    return {name: _nested(item, results) for name, item in structure.items()} if structure else structure


class GraphKernel(Cell):
    """The base class of Cells that MindSpore 1.x compiles to one kernel; here an ordinary Cell, which XLA fuses.

    Example:
        >>> class Double(nn.GraphKernel):
        ...     def construct(self, x):
        ...         return x * 2
        >>> Double()(Tensor([1.0])).tolist()
        [2.0]
    Source: mindspore.nn.GraphKernel
    """


def exported(network, inputs):
    """Converts a network, or a function of Tensors, to a `Graph`.

    Args:
        network (Cell | callable): what to export, in its current mode (training or evaluation).
        inputs (sequence of Tensor): give the shapes and dtypes; axes may be dynamic.
    Raises:
        ValueError: if the network needs the length of a dynamic axis.
    """
    return Graph(*as_program(network, inputs, _lowered))


def as_program(network, inputs, lower):
    """Converts a network, or a function of Tensors, to a JAX program.

    Args:
        network, inputs: as for `exported`.
        lower (callable): ``lower(run, avals)`` converts the JAX function ``run(*arrays)``, which takes the arrays of
            the Parameters and then of the inputs, and returns a list of result arrays.
    Returns:
        tuple: the result of ``lower``, the Parameters (dict of Tensor by name), and the structure of the results
        (`structure_of`).
    Raises:
        ValueError: if the network needs the length of a dynamic axis.
    """
    names, leaves, structure = _taken_apart(network) if isinstance(network, Cell) else ([], [], None)
    structures = []

    def run(*arrays):
        rebuilt = jax.tree.unflatten(structure, arrays[: len(leaves)]) if structure else network
        results = []
        tensors = tuple([Tensor._wrap(array) for array in arrays[len(leaves) :]])
        outputs = staging.call(rebuilt, tensors, {}, "export", staging.Memo(), staged=True)
        structures.append(structure_of(outputs, results))
        return [result._array_() for result in results]

    avals = [spec(leaf.shape, leaf.dtype) for leaf in leaves] + specs(inputs)
    try:
        with Tracing():
            program = lower(run, avals)
    except _UNKNOWN as error:
        if not any(isinstance(each, Placeholder) for each in inputs):
            raise
        raise ValueError(_MSG_LENGTHS.format(str(error).split("\n")[0].rstrip("."))) from error
    return program, {name: Tensor._wrap(leaf) for name, leaf in zip(names, leaves, strict=True)}, structures[-1]


def _taken_apart(cell):
    """The names of a Cell's Parameters (for buffers, the paths), their arrays, and a function from arrays to a Cell."""
    names = {id(parameter): parameter.name for _, parameter in cell.parameters_and_names()}
    names |= {id(buffer): path for path, buffer in cell.named_buffers()}
    leaves, structure = jax.tree.flatten(cell)
    return list(names.values()), leaves, structure


def _lowered(run, avals):
    """The program lowered for all platforms, or for the current one if an operation lacks a lowering for another."""
    try:
        return jax.export.export(jax.jit(run), platforms=("cpu", "cuda", "tpu"))(*avals)
    except NotImplementedError:
        return jax.export.export(jax.jit(run))(*avals)
