"""Encrypted files in MindSpore's format: blocks of 64 MiB of plain data, each encrypted separately.

A block is a magic number for the mode, for AES-GCM the tag (16 bytes), the size of the rest, the length of the
initialization vector and the vector, the length of the encrypted data and the data; numbers are 32 bits, little endian.
The ``cryptography`` package does the encryption.
"""

import io
import os
import struct

from ...engine.refusal import InWords, refuse

BLOCK = 64 << 20
_VECTOR = _TAG = 16
_NONCE = 12  # bytes of AES-GCM's initialization vector
_MARKS = {"AES-GCM": 0x7F3A5ED8, "AES-CBC": 0x7F3A5ED9, "SM4-CBC": 0x7F3A5EDA}
_KEY_BYTES = {"AES-GCM": (16, 24, 32), "AES-CBC": (16, 24, 32), "SM4-CBC": (16,)}
_MSG_INSTALL = 'Encrypted files need the package cryptography: pip install "msgrad[encryption]"'


class WrongKeyError(ValueError):
    """The data cannot be decrypted: the key or mode is wrong, or the data was changed."""


def check(owner, key, mode, prefix):
    """Raises unless ``key`` and ``mode`` are valid: ``prefix`` is ``"enc"`` or ``"dec"``.

    Raises:
        ValueError: for an unknown mode or a wrong key length.  TypeError: if they are not a str and bytes.
    """
    if mode not in _MARKS:
        refuse(ValueError, owner, f"{prefix}_mode", f"one of {list(_MARKS)}", mode)
    if not isinstance(key, bytes) or len(key) not in _KEY_BYTES[mode]:
        expected = f"bytes, {' or '.join(map(str, _KEY_BYTES[mode]))} of them"
        got = InWords(f"{len(key)} bytes") if isinstance(key, bytes) else InWords(f"a {type(key).__name__}")
        refuse(ValueError, owner, f"{prefix}_key", expected, got)


def is_sealed(head):
    """Whether a file that begins with ``head`` (bytes) is encrypted."""
    return len(head) >= 4 and struct.unpack("<I", head[:4])[0] in _MARKS.values()


def sealed(data, key, mode):
    """Yields the encrypted blocks of ``data`` (binary file), the first even if there is no data.

    Args:
        data (binary file): what to encrypt.
        key (bytes), mode (str): as `check` takes them.
    """
    block = data.read(BLOCK)
    while True:
        yield _seal(block, key, mode)
        block = data.read(BLOCK)
        if not block:
            return


def opened(file, size, key, mode):
    """The plain data of an encrypted file, as a file in memory; raises WrongKeyError.

    Args:
        file (binary file): at its beginning.
        size (int): of the file, in bytes.
        key (bytes), mode (str): as `check` takes them.
    """
    plain = io.BytesIO()
    while file.tell() < size:
        plain.write(opened_block(file, size, key, mode))
    plain.seek(0)
    return plain


def opened_block(file, size, key, mode):
    """The plain data (bytes) of a file's next encrypted block; arguments and errors of `opened`."""
    if _number(file, size) != _MARKS[mode]:
        raise WrongKeyError
    tag = _exactly(file, size, _TAG) if mode == "AES-GCM" else None
    _number(file, size)
    vector = _exactly(file, size, _number(file, size))
    data = _exactly(file, size, _number(file, size))
    if len(vector) != _VECTOR:
        raise WrongKeyError
    cipher = _cipher(mode, key, vector, tag).decryptor()
    try:
        block = cipher.update(data) + cipher.finalize()
    except Exception as error:  # InvalidTag or ValueError, by the mode
        raise WrongKeyError from error
    return block if tag is not None else _unpadded(block)


def _seal(block, key, mode):
    vector = os.urandom(_VECTOR)
    cipher = _cipher(mode, key, vector).encryptor()
    tag = b""
    if mode == "AES-GCM":
        data = cipher.update(block) + cipher.finalize()
        tag = cipher.tag
    else:
        data = cipher.update(_padded(block)) + cipher.finalize()
    rest = struct.pack("<I", len(vector)) + vector + struct.pack("<I", len(data)) + data
    return struct.pack("<I", _MARKS[mode]) + tag + struct.pack("<I", len(rest)) + rest


def _exactly(file, size, count):
    if count > size - file.tell():
        raise WrongKeyError
    return file.read(count)


def _number(file, size):
    return struct.unpack("<I", _exactly(file, size, 4))[0]


def _padded(block):
    missing = 16 - len(block) % 16
    return block + bytes([missing]) * missing


def _unpadded(block):
    missing = block[-1] if block else 0
    if not 1 <= missing <= 16 or block[-missing:] != bytes([missing]) * missing:
        raise WrongKeyError
    return block[:-missing]


def _cipher(mode, key, vector, tag=None):
    try:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    except ImportError:
        raise ImportError(_MSG_INSTALL) from None
    algorithm = algorithms.SM4 if mode == "SM4-CBC" else algorithms.AES
    return Cipher(algorithm(key), modes.GCM(vector[:_NONCE], tag) if mode == "AES-GCM" else modes.CBC(vector))
