"""``mindspore.dataset.text``: vocabularies, tokenizers, text transforms."""

from .strings import (
    AddToken,
    CaseFold,
    Lookup,
    Ngram,
    NormalizeForm,
    NormalizeUTF8,
    RegexReplace,
    SlidingWindow,
    ToNumber,
    Truncate,
    TruncateSequencePair,
    to_bytes,
    to_str,
)
from .tokenizers import (
    BasicTokenizer,
    BertTokenizer,
    PythonTokenizer,
    RegexTokenizer,
    UnicodeCharTokenizer,
    UnicodeScriptTokenizer,
    WhitespaceTokenizer,
    WordpieceTokenizer,
)
from .vectors import CharNGram, FastText, GloVe, ToVectors, Vectors
from .vocabulary import Vocab

__all__ = [
    "AddToken",
    "BasicTokenizer",
    "BertTokenizer",
    "CaseFold",
    "CharNGram",
    "FastText",
    "GloVe",
    "Lookup",
    "Ngram",
    "NormalizeForm",
    "NormalizeUTF8",
    "PythonTokenizer",
    "RegexReplace",
    "RegexTokenizer",
    "SlidingWindow",
    "to_bytes",
    "to_str",
    "ToNumber",
    "ToVectors",
    "Truncate",
    "TruncateSequencePair",
    "UnicodeCharTokenizer",
    "UnicodeScriptTokenizer",
    "Vectors",
    "Vocab",
    "WhitespaceTokenizer",
    "WordpieceTokenizer",
]
