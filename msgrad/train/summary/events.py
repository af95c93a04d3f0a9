"""TensorBoard event files, written by tensorboardX (the extra ``summary``)."""

import time
from typing import Any

import numpy as np

_MSG_INSTALL = 'Summaries need the packages tensorboardX and pillow: pip install "msgrad[summary]"'
_COLUMNS = 8  # columns in a picture of many images


def library() -> Any:
    """Imports tensorboardX, with the modules used here.

    Raises:
        ImportError: if it, or Pillow, is not installed.
    """
    try:
        import PIL.Image  # noqa: F401  tensorboardX writes pictures with it
        import tensorboardX.record_writer
        import tensorboardX.summary
        from tensorboardX.proto import event_pb2, graph_pb2, node_def_pb2, tensor_pb2, types_pb2  # noqa: F401
    except ImportError:
        raise ImportError(_MSG_INSTALL) from None
    return tensorboardX


class EventFile:
    """An event file, of limited size if ``most_bytes`` is not None.

    Args:
        path (str): of the file, which is created.
        most_bytes (int): its largest size.
    """

    def __init__(self, path, most_bytes):
        self._events = library().proto.event_pb2
        self._file = library().record_writer.RecordWriter(path)
        self._room = most_bytes
        self._write(self._events.Event(wall_time=time.time(), file_version="brain.Event:2"))

    def add(self, step, summary):
        """Writes a summary; False if there is no room for it."""
        return self._write(self._events.Event(wall_time=time.time(), step=step, summary=summary))

    def add_graph(self, step, graph):
        """Writes a graph; False if there is no room for it."""
        return self._write(self._events.Event(wall_time=time.time(), step=step, graph_def=graph.SerializeToString()))

    def _write(self, event):
        data = event.SerializeToString()
        if self._room is not None:
            if len(data) > self._room:
                return False
            self._room -= len(data)
        self._file.write(data)
        return True

    def flush(self):
        """Flushes written events to the disk."""
        self._file.flush()

    def close(self):
        """Closes the file."""
        self._file.flush()
        self._file.close()


def scalar(name, value):
    """The summary of an array of one element."""
    return library().summary.scalar(name, value.item())


def histogram(name, value):
    """The summary of the distribution of an array's finite elements."""
    values = value[np.isfinite(value)].astype(np.float64)
    return library().summary.histogram(name, values if values.size else np.zeros(1), bins="auto")


def image(name, value):
    """The summary of images ``(N, C, H, W)``, as one picture with at most eight in a row.

    Floats from 0 to 1 are brightness and uint8 values are kept; other values are scaled to the range.
    """
    count, channels, height, width = value.shape
    if channels == 1:
        value = value.repeat(3, axis=1)
    columns = min(count, _COLUMNS)
    rows = -(-count // columns)
    tiles = np.zeros((rows * columns, value.shape[1], height, width), value.dtype)
    tiles[:count] = value
    tiles = tiles.reshape(rows, columns, -1, height, width).transpose(2, 0, 3, 1, 4)
    return library().summary.image(name, _brightness(tiles.reshape(-1, rows * height, columns * width)))


def _brightness(pixels):
    if pixels.dtype == np.uint8:
        return pixels
    minimum, maximum = float(pixels.min()), float(pixels.max())
    if minimum >= 0 and maximum <= 1:
        return (pixels.astype(np.float32) * 255).astype(np.uint8)
    return ((pixels.astype(np.float32) - minimum) * (255 / (maximum - minimum + 1))).astype(np.uint8)


def tensor(name, value):
    """The summary of an array, with all its elements."""
    proto = library().proto
    kind = {"bool": "BOOL", "float32": "FLOAT", "float64": "DOUBLE", "float16": "HALF"}.get(value.dtype.name)
    code = getattr(proto.types_pb2, f"DT_{kind or value.dtype.name.upper()}")
    shape = proto.tensor_shape_pb2.TensorShapeProto(
        dim=[proto.tensor_shape_pb2.TensorShapeProto.Dim(size=length) for length in value.shape]
    )
    content = proto.tensor_pb2.TensorProto(dtype=code, tensor_shape=shape, tensor_content=value.tobytes())
    return proto.summary_pb2.Summary(value=[proto.summary_pb2.Summary.Value(tag=name, tensor=content)])


def text(name, value):
    """The summary of a text."""
    return library().summary.text(name, value)


MAKERS = {"scalar": scalar, "tensor": tensor, "image": image, "histogram": histogram, "text": text}
