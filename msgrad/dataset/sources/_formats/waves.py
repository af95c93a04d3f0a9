"""Reads 16-bit WAV and NIST SPHERE files."""

import wave

import numpy as np

from .. import _files

_LARGEST = 32767
_SPHERE_HEAD = 1024


def waveform(path, owner, rate=None):
    """The samples and sample rate of a WAV file.

    Args:
        path (str): the file.
        owner (str): the name in errors.
        rate (int): the required sample rate. Default: ``None``, any.
    Returns:
        tuple of numpy.ndarray (float32, channels by samples, from -1 to 1) and int.
    Raises:
        RuntimeError: if it is not such a file, has another rate, or not 16 bits.
    """
    _files.existing_file(path, owner)
    try:
        with wave.open(path) as file:
            own_rate, width, channels = file.getframerate(), file.getsampwidth(), file.getnchannels()
            data = file.readframes(file.getnframes())
    except (wave.Error, EOFError) as error:
        raise _files.damaged(owner, path, error) from error
    if width != 2:
        raise _files.damaged(owner, path, f"its samples have {8 * width} bits, not 16")
    if rate not in (None, own_rate):
        raise _files.damaged(owner, path, f"it has {own_rate} samples a second, not {rate}")
    return _floats(data, channels), own_rate


def sphere(path, owner):
    """The samples and sample rate of a SPHERE file; arguments as for `waveform`."""
    with open(_files.existing_file(path, owner), "rb") as file:
        head, data = file.read(_SPHERE_HEAD), file.read()
    fields = [line.split(None, 2) for line in head.decode("latin1").splitlines()]
    header = {field[0]: field[2].strip() for field in fields if len(field) == 3}
    if (
        not head.startswith(b"NIST_1A")
        or header.get("sample_n_bytes") != "2"
        or header.get("sample_coding", "pcm") != "pcm"
    ):
        raise _files.damaged(owner, path, "it is not a SPHERE file of 16 bits, not compressed")
    try:
        rate, channels = int(header["sample_rate"]), int(header.get("channel_count", 1))
    except (KeyError, ValueError) as error:
        raise _files.damaged(owner, path, repr(error)) from error
    return _floats(
        data[: len(data) // 2 * 2], channels, ">i2" if header.get("sample_byte_format") == "10" else "<i2"
    ), rate


def _floats(data, channels, dtype="<i2"):
    samples = np.frombuffer(data, dtype)
    samples = samples[: len(samples) // channels * channels].reshape(-1, channels).T
    return np.ascontiguousarray(samples.astype(np.float32) / np.float32(_LARGEST))
