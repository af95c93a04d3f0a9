"""``.mindir`` files as msgrad writes them: a header, a program for XLA (StableHLO), and Parameters.

A magic line, eight bytes (little endian) with the length of the header, the header (JSON: the length of the program
and the structure of the results), the program as `jax.export` serializes it, and the Parameters as `records`.
MindSpore's own ``.mindir`` files have another format, which only MindSpore runs.
"""

import io
import json

from jax import export

from ...engine.jax_options import Tracing
from ...nn.graph_cell import Graph
from . import records, values

MARK = b"msgrad MINDIR 1: StableHLO and Parameters\n"
_LENGTH_BYTES = 8
_MSG_INSTALL = 'Exported programs need the package flatbuffers: pip install "msgrad[export]"'


def write(file, graph):
    """Writes a `Graph` to a binary file."""
    _check_extra()
    with Tracing():  # of the gradient
        program = bytes(graph.exported.serialize(vjp_order=1))
    header = json.dumps({"program": len(program), "nest": graph.structure}).encode()
    file.write(MARK + len(header).to_bytes(_LENGTH_BYTES, "little") + header + program)
    records.write(file, [values.record(name, value) for name, value in graph.parameters.items()], sealed=True)


def read(data):
    """The `Graph` in the bytes of a file.

    Raises:
        DamagedError: if the file has another format or is damaged.
    """
    _check_extra()
    if not data.startswith(MARK):
        raise records.DamagedError("it was not written by msgrad: export the network again with msgrad")
    header, rest = _header(data)
    program, parameters = rest[: header["program"]], rest[header["program"] :]
    try:
        exported = export.deserialize(bytearray(program))
    except Exception as error:  # any error of flatbuffers and JAX on damaged bytes
        raise records.DamagedError("its program cannot be read") from error
    stored = records.read(io.BytesIO(parameters), len(parameters), check=True)
    tensors = {record.name: values.value(record) for record in stored}
    avals = [(aval.shape, aval.dtype) for aval in exported.in_avals[: len(tensors)]]
    if avals != [value.aval for value in tensors.values()]:
        raise records.DamagedError("its Parameters do not match its program")
    return Graph(exported, tensors, header["nest"])


def _header(data):
    """The header (dict) and the bytes after it."""
    start = len(MARK) + _LENGTH_BYTES
    length = int.from_bytes(data[len(MARK) : start], "little")
    if len(data) < start + length:
        raise records.DamagedError("it ends within its header")
    try:
        header = json.loads(data[start : start + length])
        rest = data[start + length :]
        if not 0 < header["program"] <= len(rest):
            raise records.DamagedError("it ends within its program")
    except (ValueError, TypeError, KeyError) as error:
        raise error if isinstance(error, records.DamagedError) else records.DamagedError("its header is bad") from None
    return header, rest


def _check_extra():
    try:
        import flatbuffers  # noqa: F401  which JAX uses
    except ImportError:
        raise ImportError(_MSG_INSTALL) from None
