"""CRC-32C (Castagnoli), the checksum of TFRecord files, vectorized with NumPy table lookups.

A CRC is linear over GF(2), so each word contributes separately: its bits as a state, advanced by the zero bytes that
follow it. A fold advances 64 adjacent words at once, with one lookup for each byte, and their sum (xor) replaces the 64
words by one; a few folds leave one word.
"""

import functools

import numpy as np

_POLYNOMIAL = 0x82F63B78  # reflected: the lowest bit is the highest power
_WORDS = 64  # words that a fold combines: its table of 256 KB fits in the processor's cache
_AT_ONCE = 256  # bytes folded at once: the indices take eight times the memory of the data
_PLACES = np.arange(0, 4 * _WORDS * 256, 256)  # offset of each byte's part of a table


def _advanced(state, zeros):
    """A state (int) after ``zeros`` zero bytes."""
    for _ in range(8 * zeros):
        state = state >> 1 ^ (_POLYNOMIAL if state & 1 else 0)
    return state


_BYTES = [_advanced(byte, 1) for byte in range(256)]


def masked(data):
    """The CRC-32C of ``data`` (bytes), rotated and shifted as TFRecord files have it, an int."""
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def crc32c(data):
    """The CRC-32C of ``data`` (bytes), an int."""
    state = 0xFFFFFFFF
    if len(data) < 4 * _WORDS:
        for byte in data:
            state = _BYTES[(state ^ byte) & 0xFF] ^ state >> 8
    else:
        state = _advanced(_folded(data), 4)
    return state ^ 0xFFFFFFFF


def _folded(data):
    """The sum (int) of the words' states, each advanced by the bytes from it to the end."""
    raw = np.frombuffer(data, np.uint8)
    for level in range(32):
        filled = np.zeros(-(-len(raw) // len(_PLACES)) * len(_PLACES), np.uint8)  # leading zeros have no effect
        start = len(filled) - len(raw)
        filled[start:] = raw
        if level == 0:
            filled[start : start + 4] ^= 0xFF  # the initial state of a CRC
        rows, table = filled.reshape(-1, len(_PLACES)), _table(level)
        words = np.empty(len(rows), "<u4")
        for at in range(0, len(rows), _AT_ONCE):
            parts = table.take(rows[at : at + _AT_ONCE] + _PLACES)
            np.bitwise_xor.reduce(parts, axis=1, out=words[at : at + _AT_ONCE])
        if len(words) == 1:
            return int(words[0])
        raw = words.view(np.uint8)


@functools.cache
def _table(level):
    """A fold's table: entry ``256 * p + b`` is the contribution of byte ``b`` at position ``p``, with words
    4 * 64**level bytes apart."""
    step = _one_apart(level)
    columns = [np.uint32(1) << np.arange(32, dtype=np.uint32)]  # for the last word, which no bytes follow
    while len(columns) < _WORDS:
        columns.append(_map(step, columns[-1]))
    columns = np.stack(columns[::-1]).reshape(4 * _WORDS, 8, 1)
    bits = np.arange(256) >> np.arange(8)[:, None] & 1
    return np.bitwise_xor.reduce(np.where(bits, columns, np.uint32(0)), axis=1).ravel()


@functools.cache
def _one_apart(level):
    """The states of 32 single bits after 4 * 64**level zero bytes."""
    if level == 0:
        return np.array([_advanced(1 << bit, 4) for bit in range(32)], np.uint32)
    table = _one_apart(level - 1)
    for _ in range(_WORDS.bit_length() - 1):
        table = _map(table, table)
    return table


def _map(columns, states):
    """The sums (xor) of the ``columns`` selected by the bits of ``states``."""
    bits = states[:, None] >> np.arange(32, dtype=np.uint32) & 1
    return np.bitwise_xor.reduce(np.where(bits, columns, np.uint32(0)), axis=1)
