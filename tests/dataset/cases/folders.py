"""Folders of small files, and what a dataset of them gives."""

import io
import pathlib
import tempfile
import wave

import numpy as np

from .basics import facts, rows


def tree(files):
    """A new folder of ``{path: str or bytes}``, as a str."""
    folder = pathlib.Path(tempfile.mkdtemp())
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(folder)


def read(dataset):
    """The facts and the rows of a dataset; what is larger than 64 elements is its dtype, shape and sum."""
    results = [{name: _short(value) for name, value in row.items()} for row in rows(dataset)]
    return [facts(dataset)[:4], results]


def _short(value):
    return value if value.size <= 64 else [str(value.dtype), list(value.shape), int(value.sum(dtype=np.int64))]


def sound(samples, rate=8000, channels=1, width=2):
    """The bytes of a WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(channels)
        out.setsampwidth(width)
        out.setframerate(rate)
        out.writeframes(np.array(samples, f"<i{width}").tobytes() if width > 1 else bytes(samples))
    return file.getvalue()


def mat(**arrays):
    """The bytes of a MATLAB file."""
    from scipy.io import savemat

    file = io.BytesIO()
    savemat(file, arrays)
    return file.getvalue()
