"""The secret of a launch, with which its processes sign what they tell each other (`store`).

``msgrad launch`` makes one for the processes of one machine. Or it is given: as ``MSGRAD_SECRET``, or in a file that
only its owner may use, which ``MSGRAD_SECRET_FILE`` or ``msgrad launch --secret_file`` names. It is never an argument
of a command, which all users of a machine can read.
"""

import os
import stat

VARIABLE = "MSGRAD_SECRET"
FILE = "MSGRAD_SECRET_FILE"
_LEAST = 32  # characters: others can read signed values, and try secrets until one fits

_MSG_SHORT = (
    "{} must be one line of {} random ASCII characters or more, but has {}; "
    "`python -c 'import secrets; print(secrets.token_hex())'` prints some."
)
_MSG_FILE = "The secret file {!r} ({}, --secret_file) {}."
_MSG_OWNER = "must be your own, but belongs to the user {}"
_MSG_MODE = "may be used by other users (mode {:04o}): make a new secret, in a file of mode 0600"


def taken():
    """Takes the secret out of the environment, so that logs and child processes do not have it.

    Returns:
        bytes, or None if there is none.
    Raises:
        RuntimeError: if it is too short, or its file may be read by others.
    """
    text = given()
    os.environ.pop(VARIABLE, None)
    return None if text is None else text.encode()


def given(path=None):
    """The secret (str) in a file, or else in the environment; None if there is none.

    Raises:
        RuntimeError: as `taken`.
    """
    text = os.environ.get(VARIABLE, "").strip()
    if text and not path:
        return _checked(text, VARIABLE)
    path = path or os.environ.get(FILE)
    return _in_file(path) if path else None


def new():
    """A random secret."""
    return os.urandom(_LEAST).hex()


def _in_file(path):
    try:
        with open(path, "rb") as file:
            status, text = os.fstat(file.fileno()), file.read(4096)
    except OSError as error:
        raise RuntimeError(_MSG_FILE.format(path, FILE, f"cannot be read: {error.strerror}")) from None
    fault = None
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        fault = _MSG_OWNER.format(status.st_uid)
    elif hasattr(os, "geteuid") and status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        fault = _MSG_MODE.format(stat.S_IMODE(status.st_mode))
    if fault:
        raise RuntimeError(_MSG_FILE.format(path, FILE, fault))
    return _checked(text.decode(errors="replace").strip(), f"The secret in {path!r}")


def _checked(text, name):
    if len(text) < _LEAST or not (text.isascii() and text.isprintable()):
        raise RuntimeError(_MSG_SHORT.format(name, _LEAST, len(text)))
    return text
