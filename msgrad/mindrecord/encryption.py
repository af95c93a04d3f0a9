"""Encryption of MindRecord files, both data and index.

An encrypted file consists of blocks, each the encryption (`cipher`) of 64 MiB of plain data, preceded by its length (32
bits, big endian); or of what a function has written. A length of 0, the mode (7 characters) and a mark follow.
"""

import os
import stat
import struct
import tempfile

from ..train._files import cipher
from ..train._files.atomic import replacing
from . import config

_MARK = b"ENCRYPT"
_CUSTOM = b"UDF-ENC"
_TAIL = 4 + len(_CUSTOM) + len(_MARK)
_MSG_PLAIN = "The file {} is not encrypted, and there is a key: mindrecord.set_enc_key(None) reads plain files."
_MSG_SEALED = "The file {} is encrypted: call mindrecord.set_enc_key with its key, and set_dec_mode with its mode."
_MSG_WRONG = "The file {} cannot be decrypted: it was written with another key or mode, or it is damaged."


def encrypt(path):
    """Replaces a plain file by its encryption, if there is a key.

    Raises:
        ImportError: if the extra is missing.
    """
    key, mode = config.key(), config.writing_mode()
    if key is None:
        return
    with open(path, "rb") as plain, replacing(path, stat.S_IRUSR | stat.S_IWUSR) as file:
        if callable(mode):
            mode(plain, os.path.getsize(path), file, key)
        else:
            for block in cipher.sealed(plain, _bytes(key), mode):
                file.write(struct.pack(">i", len(block)) + block)
        file.write(bytes(4) + _tag(mode) + _MARK)


def opened(path):
    """Opens a file to read; if there is a key, it is decrypted to an unnamed temporary file.

    Raises:
        RuntimeError: if it is encrypted and there is no key, is plain and there is one, or has another key.
    """
    file, key = open(path, "rb"), config.key()  # noqa: SIM115
    is_sealed = _is_sealed(file)
    if is_sealed and key is not None:
        with file:
            return _decrypted(file, path, key, config.reading_mode())
    if key is None and not is_sealed:
        return file
    file.close()
    raise RuntimeError((_MSG_SEALED if key is None else _MSG_PLAIN).format(path))


def _decrypted(file, path, key, mode):
    size = os.path.getsize(path)
    file.seek(max(0, size - _TAIL + 4))
    if file.read(len(_CUSTOM)) != _tag(mode):
        raise RuntimeError(_MSG_WRONG.format(path))
    file.seek(0)
    plain = tempfile.TemporaryFile(dir=os.path.dirname(os.path.abspath(path)))  # noqa: SIM115
    try:
        if callable(mode):
            mode(file, size - len(_MARK), plain, key)
        else:
            while length := struct.unpack(">i", file.read(4))[0]:
                end = file.tell() + length
                if not 0 < length <= size - _TAIL - file.tell():
                    raise cipher.WrongKeyError
                plain.write(cipher.opened_block(file, end, _bytes(key), mode))
                file.seek(end)
        plain.seek(0)
    except (cipher.WrongKeyError, struct.error) as error:
        plain.close()
        raise RuntimeError(_MSG_WRONG.format(path)) from error
    except BaseException:
        plain.close()
        raise
    return plain


def _is_sealed(file):
    file.seek(max(0, os.fstat(file.fileno()).st_size - len(_MARK)))
    mark = file.read()
    file.seek(0)
    return mark == _MARK


def _tag(mode):
    return _CUSTOM if callable(mode) else mode.encode()


def _bytes(key):
    """The bytes of the key that MindSpore uses: as many as the key has characters."""
    return key.encode()[: len(key)]
