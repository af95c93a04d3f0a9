"""Word vectors, read from files of GloVe, fastText and others."""

import os

import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Bool
from ...engine.refusal import refuse, require
from ..transforms.base import Transform


class Vectors:
    """Word vectors, from a file with a word and its numbers on each line.

    Created by `from_file`. The first entry of a repeated word is used.

    Source: mindspore.dataset.text.Vectors
    """

    _ending, _beginning = "", ""

    def __init__(self, vectors):
        self._vectors = vectors
        self.length = len(next(iter(vectors.values())))

    @classmethod
    def from_file(cls, file_path, max_vectors=None):
        """Reads a file.

        Args:
            file_path (str): the file; a first line of two fields, as written by fastText, is skipped.
            max_vectors (int): the number of lines to read. Default: ``None``, all.
        Returns:
            Vectors, or the subclass on which it is called.
        Raises:
            RuntimeError: if the file is missing, its name has the wrong form, or lines have different lengths.
        Source: mindspore.dataset.text.Vectors.from_file
        """
        owner = cls.__name__
        name = os.path.basename(require(file_path, str, owner, "file_path"))
        if max_vectors is not None:
            check.non_negative_int(max_vectors, "max_vectors", owner)
        if not (name.endswith(cls._ending) and name.startswith(cls._beginning)):
            _refuse(owner, file_path, f"its name must be {cls._beginning}*{cls._ending}")
        if not os.path.isfile(file_path):
            _refuse(owner, file_path, "there is no such file")
        return cls(_read(owner, file_path, max_vectors or None))

    def _vector(self, word):
        """The vector of a word, float32, or None."""
        return self._vectors.get(word)


class FastText(Vectors):
    """fastText vectors, from a file ``*.vec``: see `Vectors`.  Source: mindspore.dataset.text.FastText"""

    _ending = ".vec"


class GloVe(Vectors):
    """GloVe vectors, from a file ``glove*.txt``: see `Vectors`.  Source: mindspore.dataset.text.GloVe"""

    _beginning, _ending = "glove", ".txt"


class CharNGram(Vectors):
    """Vectors of character n-grams: a word's vector is the mean of its n-grams of two to four letters.

    See `Vectors`; in the file an n-gram is written ``2gram-ab``, the ends of a word are ``#BEGIN#`` and ``#END#``.

    Source: mindspore.dataset.text.CharNGram
    """

    def _vector(self, word):
        letters = ["#BEGIN#", *word, "#END#"]
        parts = [
            f"{count}gram-{''.join(letters[position : position + count])}"
            for count in (2, 3, 4)
            for position in range(len(letters) - count + 1)
        ]
        vectors = [self._vectors[part] for part in parts if part in self._vectors]
        return np.mean(vectors, 0, dtype=np.float32) if vectors else None


class ToVectors(Transform):
    """Replaces words by their vectors.

    Args:
        vectors (Vectors): of words.
        unk_init (sequence): the vector of unknown words. Default: ``None``, zeros.
        lower_case_backup (bool): whether to retry unknown words in lower case. Default: ``False``.
    Returns:
        numpy.ndarray, float32, with one more axis than the words.
    Source: mindspore.dataset.text.ToVectors
    """

    def __init__(self, vectors, unk_init=None, lower_case_backup: Bool = False):
        self.vectors = require(vectors, Vectors, "ToVectors", "vectors")
        unknown = np.zeros(vectors.length) if unk_init is None else unk_init
        self.unk_init, self.lower_case_backup = np.array(unknown, np.float32), lower_case_backup
        if self.unk_init.shape != (vectors.length,):
            refuse(ValueError, "ToVectors", "unk_init", f"{vectors.length} numbers, as the vectors have", unk_init)

    def _apply(self, value):
        if value.dtype.kind != "U":
            self._fail(f"words must be strings, but got an array of {value.dtype}.")
        vectors = [self._vector_of(str(word)) for word in value.ravel()]
        return np.array(vectors, np.float32).reshape(*value.shape, self.vectors.length)

    def _vector_of(self, word):
        vector = self.vectors._vector(word)
        if vector is None and self.lower_case_backup:
            vector = self.vectors._vector(word.lower())
        return self.unk_init if vector is None else vector


def _read(owner, path, maximum):
    vectors, length = {}, None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file):
            word, *numbers = line.rstrip().split(" ")
            if number == 0 and len(numbers) == 1:
                continue
            if len(vectors) == maximum:
                break
            length = length or len(numbers)
            if len(numbers) < 2 or len(numbers) != length:
                _refuse(owner, path, f"line {number + 1} has {len(numbers)} numbers, not {length}")
            try:
                vectors.setdefault(word, np.array(numbers, np.float32))
            except ValueError as error:
                _refuse(owner, path, f"line {number + 1}: {error}")
    if not vectors:
        _refuse(owner, path, "it has no vectors")
    return vectors


def _refuse(owner, path, reason):
    raise RuntimeError(f"For '{owner}', the file {path} cannot be read: {reason}.")
