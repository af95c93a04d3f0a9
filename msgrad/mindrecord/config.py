"""Encryption of MindRecord files: the key, and the modes of encryption and decryption."""

from ..engine.refusal import InWords, refuse

BUILT_IN = "AES-GCM"
_LENGTHS = (16, 24, 32)
_MSG_CUSTOM = "Files that a function encrypts are decrypted by a function: set it, set_dec_mode(function)."

_settings = {"key": None, "writing": BUILT_IN, "reading": None}


def set_enc_key(enc_key):
    """Sets the key: files written from now on are encrypted, and files read must be encrypted.

    Args:
        enc_key (str): 16, 24 or 32 characters; None ends the encryption.
    Raises:
        ValueError: if it is another.
    Example:
        >>> from msgrad.mindrecord import set_enc_key
        >>> set_enc_key("0123456789012345")
        >>> set_enc_key(None)
    Source: mindspore.mindrecord.set_enc_key
    """
    if enc_key is not None and not (isinstance(enc_key, str) and len(enc_key) in _LENGTHS):
        refuse(ValueError, "set_enc_key", "enc_key", "None or a str of 16, 24 or 32 characters", InWords("another key"))
    _settings["key"] = enc_key


def set_enc_mode(enc_mode=BUILT_IN):
    """Sets how files are encrypted, if there is a key.

    Args:
        enc_mode (str | function): ``"AES-GCM"``, which needs the package ``cryptography`` (the extra
            ``msgrad[encryption]``); or a function that is called with the plain file, its size, the file to write
            and the key. Default: ``"AES-GCM"``.
    Raises:
        ValueError: if it is another.
    Example:
        >>> from msgrad.mindrecord import set_enc_mode
        >>> set_enc_mode("AES-GCM")
    Source: mindspore.mindrecord.set_enc_mode
    """
    _settings["writing"] = _mode(enc_mode, "set_enc_mode", "enc_mode")


def set_dec_mode(dec_mode=BUILT_IN):
    """Sets how files are decrypted, if there is a key.

    Args:
        dec_mode (str | function): ``"AES-GCM"``; or a function that is called with the encrypted file, its size
            without the mark at its end (7 bytes; before it stand 11 bytes that the function of `set_enc_mode` did not
            write), the file to write to and the key; or None, the mode of `set_enc_mode`. Default: ``"AES-GCM"``.
    Raises:
        ValueError: if it is another.
    Example:
        >>> from msgrad.mindrecord import set_dec_mode
        >>> set_dec_mode("AES-GCM")
        >>> set_dec_mode(None)
    Source: mindspore.mindrecord.set_dec_mode
    """
    _settings["reading"] = None if dec_mode is None else _mode(dec_mode, "set_dec_mode", "dec_mode")


def key():
    """The key (str), or None: nothing is encrypted."""
    return _settings["key"]


def writing_mode():
    """The encryption mode for writing: a str or a function."""
    return _settings["writing"]


def reading_mode():
    """The decryption mode for reading: a str or a function.

    Raises:
        RuntimeError: if a function encrypts, but none decrypts.
    """
    if _settings["reading"] is not None:
        return _settings["reading"]
    if callable(_settings["writing"]):
        raise RuntimeError(_MSG_CUSTOM)
    return _settings["writing"]


def _mode(value, owner, argument):
    if value != BUILT_IN and not callable(value):
        refuse(ValueError, owner, argument, f"'{BUILT_IN}' or a function", value)
    return value
