"""The key-value store of the coordination service: what the processes tell each other, signed with a secret.

Whoever reaches the service can read, replace and delete its values, for JAX authenticates nothing. So each value has an
HMAC, and one without a valid HMAC counts as missing. The HMAC covers

- the key, which contains the rank that the value is about, and the number of the exchange if it is written once,
- a sequence number, so that an earlier value of a key that is written again is recognized,
- random numbers of all processes (`Store.meet`), so that values of another launch with the same secret are, too.

Without a secret the values are plain, and nothing may be unpickled (`Store.require_secret`). The file needs the
standard library alone: a process without JAX uses it, too (`registration`).
"""

import hmac
import itertools
import logging
import os
import time
from typing import Any

_FOLDER = "msgrad/"
_UNSIGNED = b"-"  # in place of the HMAC
_PAUSE = 0.05  # seconds after which a value without a valid HMAC is read again: its writer replaces it
_PATIENCE = 5.0  # seconds after which such a value means that its writer has another secret, while all meet
_DIGITS = 18  # of a number in the store, at most

_SHARING = (
    "set MSGRAD_SECRET in all processes to the same 32 random characters, or MSGRAD_SECRET_FILE to a file of mode 0600 "
    "with them"
)
_MSG_ANOTHER = f"All processes of a launch must have the same secret, but {{}}: {_SHARING}."
_HAS_NONE = "others have one, and this process none"
_HAS_ANOTHER = "number {} has another than this process, or none"
_REFUSES = "number 0 has another than this process, or has met one that has another"
_MSG_IGNORED = (
    "msgrad ignores the value of %r in the coordination service: it is not signed by a process of this launch. Another "
    "program may be writing there."
)
MSG_PLAIN = (
    "What the {} processes tell each other through {} is not signed, so whoever reaches that port can forge it, and "
    f"objects (all_gather_object, ...) are refused: {_SHARING}."
)
_MSG_NO_OBJECTS = (
    "For '{}', objects are sent as pickles, which can run any code where they are read, so the processes must share a "
    f"secret, but this launch has none: start it by `msgrad launch` on one machine, or {_SHARING}."
)


class Store:
    """The store as one process uses it.

    Args:
        client: of the coordination service, which has connected.
        secret (bytes): of the launch. Default: ``None``, values are plain.
    """

    def __init__(self, client, secret=None):
        self._client, self._secret = client, secret
        self._key = None if secret is None else _derived(secret, "")
        self._sequence = itertools.count()
        self._newest = {}  # by folder and rank: the sequence number of the newest value that was read, and its text
        self._has_warned = False

    def require_secret(self, name):
        """Refuses the exchange of pickles, by an operation of this ``name``, where values are not signed.

        Raises:
            RuntimeError: if there is no secret.
        """
        if self._secret is None:
            raise RuntimeError(_MSG_NO_OBJECTS.format(name))

    def meet(self, number, count, seconds):
        """Agrees with the other processes on what distinguishes this launch from others with the same secret.

        Args:
            number, count (int): of this process, and of all; number 0 collects what the others have drawn.
            seconds (float): to wait for the others.
        Returns:
            bool: whether they came in time.
        Raises:
            RuntimeError: if another process has another secret, or just one of them has one.
        """
        own, end = os.urandom(16).hex(), time.monotonic() + seconds
        self.set(f"join/{number}", own)
        if number == 0:
            text = self._collected(own, count, end)
        else:
            # Another launch's would not contain what this process has just drawn.
            text = self._met("meeting", end, _REFUSES, lambda text: text.split(" ")[number : number + 1] == [own])
        if text is not None and self._secret is not None:
            self._key = _derived(self._secret, text)
        return text is not None

    def _collected(self, own, count, end):
        """The numbers drawn by all processes, which process 0 collects and tells the others; None after ``end``."""
        try:
            drawn = [self._met(f"join/{other}", end, _HAS_ANOTHER.format(other)) for other in range(1, count)]
        except RuntimeError:
            self.set("meeting", "")  # for which the others wait, and which they refuse
            time.sleep(2 * _PATIENCE)  # while the service goes on, which may end with this process
            raise
        if None in drawn:
            return None
        text = " ".join([own, *drawn])
        self.set("meeting", text)
        return text

    def _met(self, key, end, reason, accepts=None) -> Any:
        """The value of a key that another process sets when it comes; None after ``end``.

        Raises:
            RuntimeError: if it is not signed with the secret of this process, for the ``reason`` (str).
        """
        while (left := end - time.monotonic()) > 0:
            text, is_refused = self._waited(key, min(left, _PATIENCE), accepts)
            if text is not None:
                return text
            if is_refused:
                raise RuntimeError(_MSG_ANOTHER.format(reason if self._secret is not None else _HAS_NONE))
        return None

    def set(self, key, text, overwrites=True):
        """Sets the value (str) of a key.

        Raises:
            RuntimeError: if the key exists and is not to be overwritten, or the service has ended.
        """
        content = b"%d %b" % (next(self._sequence), text.encode(errors="replace"))
        value = b"%b %b" % (self._tag(key, content), content)
        self._client.key_value_set_bytes(_FOLDER + key, value, allow_overwrite=overwrites)

    def get(self, key, seconds):
        """The value of a key that another process sets once; None if it does not within that time."""
        text, is_refused = self._waited(key, seconds)
        if is_refused:
            self._warn(key)
        return text

    def _waited(self, key, seconds, accepts=None):
        """The value of a key that ``accepts`` is true for, or None, and whether there was another one."""
        end, is_refused = time.monotonic() + seconds, False
        while True:
            left = end - time.monotonic()
            try:
                value = self._client.blocking_key_value_get_bytes(_FOLDER + key, max(int(left * 1000), 1))
            except RuntimeError as error:
                if "DEADLINE_EXCEEDED" in str(error):
                    return None, is_refused
                raise
            read = self._read(key, value)
            if read is not None and (accepts is None or accepts(read[1])):
                return read[1], is_refused
            is_refused = True
            if left < _PAUSE:
                return None, is_refused
            time.sleep(_PAUSE)

    def values_in(self, folder):
        """The newest values that processes have set in a folder, by rank; they may replace them at any time."""
        newest = self._newest.setdefault(folder, {})
        try:
            entries = self._client.key_value_dir_get_bytes(f"{_FOLDER}{folder}/")
        except UnicodeDecodeError:  # a key that no process of ours sets
            entries = [(folder, b"")]
        for path, value in entries:
            key = path.removeprefix(_FOLDER)
            read, rank = self._read(key, value), _number(key.rpartition("/")[2])
            if read is None or rank is None:
                self._warn(key)
            elif read[0] >= newest.get(rank, read)[0]:
                newest[rank] = read
        return {rank: text for rank, (_, text) in list(newest.items())}  # another thread may add one

    def delete(self, folder):
        """Deletes a folder."""
        self._client.key_value_delete(f"{_FOLDER}{folder}/")

    def _tag(self, key, content):
        if self._key is None:
            return _UNSIGNED
        return hmac.digest(self._key, b"%d %b %b" % (len(key.encode()), key.encode(), content), "sha256").hex().encode()

    def _read(self, key, value):
        """The sequence number and the text of a value; None if it is not signed as the values of this process are."""
        tag, _, content = value.partition(b" ")
        if not hmac.compare_digest(tag, self._tag(key, content)):
            return None
        sequence, _, text = content.partition(b" ")
        sequence, text = _number(sequence.decode(errors="replace")), text.decode(errors="replace")
        if self._key is None:  # perhaps another user's, who shall not control the terminal where it is printed
            text = "".join(filter(str.isprintable, text))
        return None if sequence is None else (sequence, text)

    def _warn(self, key):
        if not self._has_warned:
            self._has_warned = True
            logging.getLogger("msgrad").warning(_MSG_IGNORED, key)


def _derived(secret, text):
    """The key of a launch, of its secret and what its processes have drawn."""
    return hmac.digest(secret, b"msgrad's coordination service, version 1: " + text.encode(), "sha256")


def _number(text):
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else None
