"""Transforms of strings and of sequences of words."""

import enum
import functools
import math
import re
import unicodedata
from typing import Any

import numpy as np

from ... import dtype as mstype
from ..._contracts import check
from ..._contracts.choices import Instance
from ..._contracts.contracts import Bool, Int, PositiveInt, Text
from ...engine.dtypes import DType
from ...engine.refusal import refuse, require
from ..transforms.arrays import DataType, numpy_dtype
from ..transforms.base import Transform
from ._icu import compiled, filled, replacement
from ._unicode import folded
from .vocabulary import Vocab

_SPACE = r"[ \t\n\v\f\r]*"
_INT = re.compile(_SPACE + r"([+-]?[0-9]+)")
_HEX = r"0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?"
_DECIMAL = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?"
_FLOAT = re.compile(_SPACE + rf"([+-]?(?:{_HEX}|{_DECIMAL}|nan))", re.IGNORECASE | re.ASCII)
_NOT_ZERO = re.compile(r"[+-]?(?:0x[0.]*[1-9a-f]|[0.]*[1-9])")


class NormalizeForm(enum.IntEnum):
    """Unicode normalization forms.  Source: mindspore.dataset.text.NormalizeForm"""

    NONE = 0
    NFC = 1
    NFKC = 2
    NFD = 3
    NFKD = 4


class OfText(Transform):
    """An elementwise transform of strings; subclasses define ``_changed``."""

    _changed: Any

    def _apply(self, value):
        if value.dtype.kind not in "US":
            self._fail(f"it takes strings, but got an array of {value.dtype}.")
        texts = value if value.dtype.kind == "U" else np.char.decode(value, "utf-8")
        return np.array([self._changed(text) for text in texts.reshape(-1).tolist()], str).reshape(value.shape)


class CaseFold(OfText):
    """Case folding: lower case, for all scripts.  Source: mindspore.dataset.text.CaseFold"""

    def _changed(self, text):
        return folded(text)


class NormalizeUTF8(OfText):
    """Unicode normalization.

    Args:
        normalize_form (NormalizeForm): the form. Default: ``NormalizeForm.NFKC``.
    Source: mindspore.dataset.text.NormalizeUTF8
    """

    def __init__(self, normalize_form: Instance(NormalizeForm) = NormalizeForm.NFKC):
        self.form = normalize_form

    def _changed(self, text):
        return text if self.form == NormalizeForm.NONE else unicodedata.normalize(self.form.name, text)


class RegexReplace(OfText):
    """Replaces the matches of a regular expression.

    Args:
        pattern (str): the expression, in ICU's syntax.
        replace (str): the replacement, in which ``$1`` is a group and a backslash quotes.
        replace_all (bool): whether to replace all matches; otherwise the first. Default: ``True``.
    Raises:
        RuntimeError: if the pattern is invalid, or lacks a group that the replacement names.
    Example:
        >>> mindspore.dataset.text.RegexReplace(r"(\\w)(\\d)", "$2$1")(np.array("a1 b2")).tolist()
        '1a 2b'
    Source: mindspore.dataset.text.RegexReplace
    """

    def __init__(self, pattern: Text, replace: Text, replace_all: Bool = True):
        self.pattern = compiled(pattern, "RegexReplace", "pattern")
        self.parts = replacement(replace, self.pattern, "RegexReplace", "replace")
        self.count = 0 if replace_all else 1

    def _changed(self, text):
        return self.pattern.sub(functools.partial(filled, self.parts), text, count=self.count)


class Lookup(Transform):
    """Looks up the ids of words in a vocabulary.

    Args:
        vocab (Vocab): the vocabulary.
        unknown_token (str): the word whose id unknown words get. Default: ``None``, unknown words are an error.
        data_type (mindspore.dtype): of the ids. Default: ``mindspore.int32``.
    Raises:
        RuntimeError: if there is no such word.
    Source: mindspore.dataset.text.Lookup
    """

    def __init__(self, vocab: Instance(Vocab), unknown_token: Text | None = None, data_type: DataType = mstype.int32):
        self.numbers, self.unknown, self.dtype = vocab.vocab(), unknown_token, data_type

    def _apply(self, value):
        if self.unknown is not None and self.unknown not in self.numbers:
            self._fail(f"the 'unknown_token' {self.unknown!r} is not in the vocabulary.")
        default = None if self.unknown is None else self.numbers[self.unknown]
        results = []
        for word in value.reshape(-1).tolist():
            number = self.numbers.get(word, default)
            if number is None:
                self._fail(f"the word {word!r} is not in the vocabulary: give an 'unknown_token'.")
            results.append(number)
        return np.array(results, self.dtype).reshape(value.shape)


class ToNumber(Transform):
    """Converts strings to numbers, by C's rules: what follows a number is ignored, so ``"1.5"`` is the int 1.

    Args:
        data_type (mindspore.dtype): of the numbers.
    Raises:
        TypeError: if it is not a numeric dtype.  RuntimeError: if a string does not begin with a number, or is out of
            range.
    Source: mindspore.dataset.text.ToNumber
    """

    dtype: Any

    def __init__(self, data_type):
        require(data_type, DType, "ToNumber", "data_type")
        self.dtype = numpy_dtype(data_type, "ToNumber", "data_type")
        if self.dtype.kind not in "iuf":
            refuse(TypeError, "ToNumber", "data_type", "a dtype of numbers", data_type)

    def _apply(self, value):
        if value.dtype.kind != "U":
            self._fail(f"the values must be strings, but are {value.dtype}.")
        numbers = [self._number(text) for text in value.reshape(-1).tolist()]
        return np.array(numbers, self.dtype).reshape(value.shape)

    def _number(self, text):
        is_float = self.dtype.kind == "f"
        start = (_FLOAT if is_float else _INT).match(text)
        if start is None or self.dtype.kind == "u" and "-" in text:
            self._fail(f"{text!r} is no number of {self.dtype}.")
        written = start[1].lower()
        try:
            if is_float:
                number = float.fromhex(written) if "x" in written else float(written)
                is_within = math.isnan(number) or self._is_in_range(number, written)
            else:
                number, limits = int(written), np.iinfo(self.dtype)
                is_within = limits.min <= number <= limits.max
        except (OverflowError, ValueError):  # a large exponent, or more digits than Python converts
            is_within = False
        if not is_within:
            self._fail(f"{text!r} is out of the range of {self.dtype}.")
        return number

    def _is_in_range(self, number, written):
        """Whether C's strtod, or strtof for the smaller dtypes, converts ``written``: not to a subnormal number."""
        parsed = np.promote_types(self.dtype, np.float32)
        is_normal = number == 0 and not _NOT_ZERO.match(written) or abs(number) >= float(np.finfo(parsed).tiny)
        return is_normal and abs(number) <= float(np.finfo(self.dtype).max)


class AddToken(Transform):
    """Adds a word at the beginning or the end.

    Args:
        token (str): the word.
        begin (bool): whether at the beginning. Default: ``True``.
    Source: mindspore.dataset.text.AddToken
    """

    def __init__(self, token: Text, begin: Bool = True):
        self.token, self.begin = token, begin

    def _apply(self, value):
        if value.ndim not in (1, 2):
            self._fail(f"the words must be an array of one or two axes, but got the shape {value.shape}.")
        new = np.full((*value.shape[:-1], 1), self.token)
        return np.concatenate([new, value] if self.begin else [value, new], -1)


class Truncate(Transform):
    """The first ``max_seq_len`` (int) elements of the last axis.  Source: mindspore.dataset.text.Truncate"""

    def __init__(self, max_seq_len: PositiveInt):
        self.length = max_seq_len

    def _apply(self, value):
        return value[..., : self.length]


class TruncateSequencePair(Transform):
    """Truncates two sequences, the longer first, to ``max_length`` (int) elements in total.

    Source: mindspore.dataset.text.TruncateSequencePair
    """

    def __init__(self, max_length: PositiveInt):
        self.length = max_length

    def __call__(self, first, second):
        lengths = [len(first), len(second)]
        while sum(lengths) > self.length:
            lengths[0 if lengths[0] > lengths[1] else 1] -= 1
        return np.asarray(first)[: lengths[0]], np.asarray(second)[: lengths[1]]


class SlidingWindow(Transform):
    """All sliding windows of a 1-d array.

    Args:
        width (int): of a window.
        axis (int): 0 or -1. Default: ``0``.
    Source: mindspore.dataset.text.SlidingWindow
    """

    def __init__(self, width: PositiveInt, axis: Int = 0):
        self.width, self.axis = width, axis

    def _apply(self, value):
        if value.ndim != 1 or self.axis not in (0, -1):
            self._fail(f"it takes an array of one axis, but got the shape {value.shape} and the axis {self.axis}.")
        if len(value) < self.width:
            return value[:0]
        return np.lib.stride_tricks.sliding_window_view(value, self.width).copy()


class Ngram(Transform):
    """N-grams: consecutive words joined to strings.

    Args:
        n (int | list[int]): the number of words.
        left_pad, right_pad (tuple): a padding word for each side, and its number. Default: ``("", 0)``.
        separator (str): between the words. Default: ``" "``.
    Source: mindspore.dataset.text.Ngram
    """

    def __init__(self, n, left_pad=("", 0), right_pad=("", 0), separator: Text = " "):
        self.counts = [check.positive_int(each, "n", "Ngram") for each in (n if isinstance(n, list) else [n])]
        self.left, self.right = (_padding(*pair) for pair in ((left_pad, "left_pad"), (right_pad, "right_pad")))
        self.separator = separator

    def _apply(self, value):
        if value.ndim != 1:
            self._fail(f"the words must be an array of one axis, but got the shape {value.shape}.")
        words, results = value.tolist(), []
        for count in self.counts:
            left, right = ([word] * min(often, count - 1) for word, often in (self.left, self.right))
            padded = left + words + right
            results += [self.separator.join(padded[k : k + count]) for k in range(len(padded) - count + 1)] or [""]
        return np.array(results)


def _padding(value, argument):
    word, often = require(value, tuple, "Ngram", argument)
    if require(often, int, "Ngram", argument) < 0:
        refuse(ValueError, "Ngram", argument, "a word and a non-negative number", value)
    return require(word, str, "Ngram", argument), often


def to_bytes(array, encoding="utf8"):
    """Encodes an array of strings as bytes.  Source: mindspore.dataset.text.to_bytes"""
    return np.char.encode(require(array, np.ndarray, "to_bytes", "array"), encoding)


def to_str(array, encoding="utf8"):
    """Decodes an array of bytes to strings.  Source: mindspore.dataset.text.to_str"""
    return np.char.decode(require(array, np.ndarray, "to_str", "array"), encoding)
