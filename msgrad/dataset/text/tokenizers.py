"""Tokenizers: split a string into an array of tokens, optionally with their byte offsets."""

import re
import unicodedata
from typing import Any

import numpy as np

from ..._contracts.choices import Instance
from ..._contracts.contracts import Bool, PositiveInt, Text
from ...engine.refusal import refuse
from .._pipeline.failures import user_error
from ..transforms.base import Transform
from ._icu import compiled
from ._unicode import controls_as_spaces, folded, is_space, without_accents
from .strings import NormalizeForm
from .vocabulary import Vocab

_UNUSED = re.compile(r"\[(?:CLS|SEP|UNK|PAD|MASK|unused\d+)\]")
_NO_TOKENS = [("", 0, 0)]


class Tokenizer(Transform):
    """The base of tokenizers: a subclass's ``_tokens`` yields tokens with their start and end in characters."""

    def __init__(self, with_offsets: Bool = False):
        self.with_offsets = with_offsets

    def _apply(self, value):
        if value.dtype.kind not in "US" or value.ndim:
            self._fail(f"it takes one string, but got an array of {value.dtype} of the shape {value.shape}.")
        text = value.item() if value.dtype.kind == "U" else value.item().decode()
        parts = list(self._tokens(text)) or _NO_TOKENS
        tokens = np.array([token for token, _, _ in parts])
        if not self.with_offsets:
            return tokens
        offsets = _bytes_before(text)
        starts, ends = ([offsets[each[k]] for each in parts] for k in (1, 2))
        return tokens, np.array(starts, np.uint32), np.array(ends, np.uint32)

    def _tokens(self, text) -> Any:
        raise NotImplementedError


def _bytes_before(text):
    """The UTF-8 byte offset of each character, and the total length."""
    return np.cumsum([0] + [len(character.encode()) for character in text]).tolist()


def _matches(pattern, text):
    return [(match.group(), match.start(), match.end()) for match in pattern.finditer(text)]


class WhitespaceTokenizer(Tokenizer):
    """Splits text at white space.

    Args:
        with_offsets (bool): whether to return three arrays: tokens, their start offsets and their end offsets. Default:
            ``False``.
    Example:
        >>> mindspore.dataset.text.WhitespaceTokenizer()(np.array("a bc")).tolist()
        ['a', 'bc']
    Source: mindspore.dataset.text.WhitespaceTokenizer
    """

    _pattern = re.compile(r"[\S\x1c-\x1f]+")

    def _tokens(self, text) -> Any:
        return _matches(self._pattern, text)


class UnicodeCharTokenizer(Tokenizer):
    """Splits text into characters.

    Args:
        with_offsets (bool): as for `WhitespaceTokenizer`. Default: ``False``.
    Source: mindspore.dataset.text.UnicodeCharTokenizer
    """

    def _tokens(self, text) -> Any:
        return [(character, position, position + 1) for position, character in enumerate(text)]


class UnicodeScriptTokenizer(Tokenizer):
    """Splits text into runs of characters of one script, determined by the first word of the characters' names.

    Args:
        keep_whitespace (bool): whether runs of white space are tokens. Default: ``False``.
        with_offsets (bool): as for `WhitespaceTokenizer`. Default: ``False``.
    Source: mindspore.dataset.text.UnicodeScriptTokenizer
    """

    def __init__(self, keep_whitespace: Bool = False, with_offsets: Bool = False):
        super().__init__(with_offsets)
        self.keep_whitespace = keep_whitespace

    def _tokens(self, text) -> Any:
        start = 0
        for end in range(1, len(text) + 1):
            if end == len(text) or _script(text[end]) != _script(text[start]):
                if self.keep_whitespace or not is_space(text[start]):
                    yield text[start:end], start, end
                start = end


def _script(character):
    if is_space(character):
        return "space"
    return unicodedata.name(character, "").partition(" ")[0] if character.isalpha() else "common"


class RegexTokenizer(Tokenizer):
    """Splits a string at the matches of a regular expression.

    Args:
        delim_pattern (str): matches the separators.
        keep_delim_pattern (str): matches the separators that become tokens, too. Default: ``''``, none.
        with_offsets (bool): as for `WhitespaceTokenizer`. Default: ``False``.
    Source: mindspore.dataset.text.RegexTokenizer
    """

    kept: Any

    def __init__(self, delim_pattern: Text, keep_delim_pattern: Text = "", with_offsets: Bool = False):
        super().__init__(with_offsets)
        self.pattern = compiled(delim_pattern, "RegexTokenizer", "delim_pattern")
        self.kept = keep_delim_pattern and compiled(keep_delim_pattern, "RegexTokenizer", "keep_delim_pattern")

    def _tokens(self, text) -> Any:
        at = 0
        for match in self.pattern.finditer(text):
            if match.start() > at:
                yield text[at : match.start()], at, match.start()
            if self.kept and match.group() and self.kept.fullmatch(match.group()):
                yield match.group(), match.start(), match.end()
            at = match.end()
        if at < len(text):
            yield text[at:], at, len(text)


class PythonTokenizer(Transform):
    """Tokenizes by a Python function.

    Args:
        tokenizer (callable): of a str, returns a list of str; as many for each text of an array.
    Raises:
        TypeError: if the value is not an array.  RuntimeError: if the function raises or returns something else.
    Source: mindspore.dataset.text.PythonTokenizer
    """

    def __init__(self, tokenizer):
        if not callable(tokenizer):
            refuse(TypeError, "PythonTokenizer", "tokenizer", "a function", tokenizer)
        self.tokenizer = tokenizer

    def _taken(self, value):
        refuse(TypeError, "PythonTokenizer", "text", "a NumPy array of strings", value)

    def _apply(self, value):
        texts = np.char.decode(value, "utf-8") if value.dtype.kind == "S" else value
        try:
            lists = [self.tokenizer(text) for text in texts.reshape(-1).tolist()]
        except Exception as error:
            raise user_error("PythonTokenizer", error) from error
        lengths = {len(tokens) if isinstance(tokens, (list, tuple, np.ndarray)) else None for tokens in lists}
        if len(lengths) != 1 or None in lengths:
            self._fail(f"the 'tokenizer' must return a list, of one length for all texts, but returned {lists}.")
        return np.array(lists, None if lengths != {0} else "U1").reshape(*value.shape, *lengths)


class BasicTokenizer(Tokenizer):
    """BERT's basic tokenizer: splits text into words, punctuation and Chinese characters.

    Args:
        lower_case (bool): whether to convert to lower case without accents. Default: ``False``.
        keep_whitespace (bool): whether runs of white space are tokens. Default: ``False``.
        normalization_form (NormalizeForm): the normalization without ``lower_case``. Default: ``NormalizeForm.NONE``.
        preserve_unused_token (bool): whether ``[CLS]``, ``[SEP]``, ``[UNK]``, ``[PAD]``, ``[MASK]`` and ``[unused0]``,
            ... are not split. Default: ``True``.
        with_offsets (bool): as for `WhitespaceTokenizer`, in the changed text. Default: ``False``.
    Source: mindspore.dataset.text.BasicTokenizer
    """

    def __init__(
        self,
        lower_case: Bool = False,
        keep_whitespace: Bool = False,
        normalization_form: Instance(NormalizeForm) = NormalizeForm.NONE,
        preserve_unused_token: Bool = True,
        with_offsets: Bool = False,
    ):
        super().__init__(with_offsets)
        self.lower_case, self.keep_whitespace = lower_case, keep_whitespace
        self.form, self.preserves = normalization_form, preserve_unused_token

    def _apply(self, value):
        if value.dtype.kind != "U" or value.ndim:
            self._fail(f"it takes one string, but got an array of {value.dtype} of the shape {value.shape}.")
        return super()._apply(np.array(self._normal(value.item())))

    def _normal(self, text):
        """The normalized text, with control characters replaced by spaces; unused tokens are kept."""
        parts, at = [], 0
        for match in _UNUSED.finditer(text) if self.preserves else ():
            parts += [self._letters(text[at : match.start()]), match.group()]
            at = match.end()
        return "".join([*parts, self._letters(text[at:])])

    def _letters(self, text):
        if self.lower_case:
            text = without_accents(folded(text))
        elif self.form != NormalizeForm.NONE:
            text = unicodedata.normalize(self.form.name, text)
        return controls_as_spaces(text)

    def _tokens(self, text) -> Any:
        at = 0
        for match in _UNUSED.finditer(text) if self.preserves else ():
            yield from self._words(text, at, match.start())
            yield match.group(), match.start(), match.end()
            at = match.end()
        yield from self._words(text, at, len(text))

    def _words(self, text, start, end):
        for index in range(start + 1, end + 1):
            if index == end or _is_alone(text[index]) or _is_alone(text[start]) or _breaks(text, index):
                if self.keep_whitespace or not is_space(text[start]):
                    yield text[start:index], start, index
                start = index


def _breaks(text, position):
    return is_space(text[position]) != is_space(text[position - 1])


def _is_alone(character):
    """Whether a character is a token by itself: punctuation or Chinese."""
    code = ord(character)
    if 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126:
        return True
    if unicodedata.category(character).startswith("P"):
        return True
    return (
        0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF or 0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x2FA1F
    )


class WordpieceTokenizer(Transform):
    """WordPiece: splits words greedily into the longest pieces in a vocabulary.

    Args:
        vocab (Vocab): the pieces.
        suffix_indicator (str): the prefix of pieces inside words. Default: ``'##'``.
        max_bytes_per_token (int): longer words are unknown. Default: ``100``.
        unknown_token (str): replaces unknown words; an empty str keeps them. Default: ``'[UNK]'``.
        with_offsets (bool): whether to also return start and end offsets in bytes. Default: ``False``.
    Source: mindspore.dataset.text.WordpieceTokenizer
    """

    def __init__(
        self,
        vocab: Instance(Vocab),
        suffix_indicator: Text = "##",
        max_bytes_per_token: PositiveInt = 100,
        unknown_token: Text = "[UNK]",
        with_offsets: Bool = False,
    ):
        self.words, self.suffix = vocab.vocab(), suffix_indicator
        self.maximum, self.unknown, self.with_offsets = max_bytes_per_token, unknown_token, with_offsets

    def __call__(self, value, *offsets):
        words = np.atleast_1d(np.asarray(value)).tolist()
        begins = np.atleast_1d(offsets[0]).tolist() if offsets else [0] * len(words)
        parts = [
            (part, begin + start, begin + end)
            for word, begin in zip(words, begins, strict=True)
            for part, start, end in self._parts(word)
        ] or _NO_TOKENS
        tokens, starts, ends = zip(*parts, strict=True)
        if not self.with_offsets:
            return np.array(tokens)
        return np.array(tokens), np.array(starts, np.uint32), np.array(ends, np.uint32)

    def _parts(self, word):
        length = len(word.encode())
        unknown = [(self.unknown or word, 0, length)]
        if length > self.maximum:
            return unknown
        parts, start, offsets = [], 0, _bytes_before(word)
        while start < len(word):
            for end in range(len(word), start, -1):
                part = word[start:end] if start == 0 else self.suffix + word[start:end]
                if part in self.words:
                    break
            else:
                return unknown
            parts.append((part, offsets[start], offsets[end]))
            start = end
        return parts


class BertTokenizer(Transform):
    """`BasicTokenizer`, then `WordpieceTokenizer`, with the arguments of both.

    Source: mindspore.dataset.text.BertTokenizer
    """

    def __init__(
        self,
        vocab: Instance(Vocab),
        suffix_indicator: Text = "##",
        max_bytes_per_token: PositiveInt = 100,
        unknown_token: Text = "[UNK]",
        lower_case: Bool = False,
        keep_whitespace: Bool = False,
        normalization_form: Instance(NormalizeForm) = NormalizeForm.NONE,
        preserve_unused_token: Bool = True,
        with_offsets: Bool = False,
    ):
        self.basic = BasicTokenizer(
            lower_case, keep_whitespace, normalization_form, preserve_unused_token, with_offsets
        )
        self.pieces = WordpieceTokenizer(vocab, suffix_indicator, max_bytes_per_token, unknown_token, with_offsets)

    def _apply(self, value):
        parts = self.basic(value)
        return self.pieces(*parts) if isinstance(parts, tuple) else self.pieces(parts)
