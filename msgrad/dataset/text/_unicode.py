"""Letters as Unicode (and ICU, MindSpore's library for it) tells them apart."""

import re
import unicodedata

# Code points that nothing shows (Default_Ignorable_Code_Point), which case folding leaves out.
_IGNORED = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_SEPARATORS = "\x1c\x1d\x1e\x1f"  # white space to Python, not to Unicode


def folded(text):
    """``text`` as NFKC_Casefold has it: small letters, no compatibility forms, no code points that nothing shows."""
    for _ in range(2):  # what a form stands for may be a capital letter
        text = unicodedata.normalize("NFKC", _IGNORED.sub("", text.casefold()))
    return text


def is_space(character):
    """Whether a character is white space."""
    return character.isspace() and character not in _SEPARATORS


def controls_as_spaces(text):
    """``text`` with a space for each control (Cc) and format character (Cf)."""
    return "".join([" " if unicodedata.category(each) in ("Cc", "Cf") else each for each in text])


def without_accents(text):
    """``text``, decomposed, without marks (Mn)."""
    return "".join([each for each in unicodedata.normalize("NFD", text) if unicodedata.category(each) != "Mn"])
