"""Unicode operations on text, as in ICU, which MindSpore uses."""

import re
import unicodedata

# Invisible code points (Default_Ignorable_Code_Point), which case folding removes.
_IGNORED = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_SEPARATORS = "\x1c\x1d\x1e\x1f"  # white space in Python, but not in Unicode


def folded(text):
    """NFKC_Casefold of ``text``: lower case, without compatibility forms and invisible code points."""
    for _ in range(2):  # a compatibility form may stand for a capital letter
        text = unicodedata.normalize("NFKC", _IGNORED.sub("", text.casefold()))
    return text


def is_space(character):
    """Whether a character is white space."""
    return character.isspace() and character not in _SEPARATORS


def controls_as_spaces(text):
    """``text`` with each control (Cc) and format character (Cf) replaced by a space."""
    return "".join([" " if unicodedata.category(each) in ("Cc", "Cf") else each for each in text])


def without_accents(text):
    """``text`` decomposed and with marks (Mn) removed."""
    return "".join([each for each in unicodedata.normalize("NFD", text) if unicodedata.category(each) != "Mn"])
