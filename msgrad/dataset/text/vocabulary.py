"""`Vocab`: maps words to ids."""

import collections
import os

import numpy as np

from ..._contracts import check
from ...engine.refusal import refuse, require


class Vocab:
    """A vocabulary, which maps words to ids; created by one of its class methods.

    Example:
        >>> vocab = mindspore.dataset.text.Vocab.from_list(["a", "b"], special_tokens=["<unk>"])
        >>> vocab.tokens_to_ids(["b", "a"])
        [2, 1]
    Source: mindspore.dataset.text.Vocab
    """

    def __init__(self):
        self._numbers, self._words = {}, {}

    @classmethod
    def _from_numbers(cls, numbers):
        vocab = cls()
        vocab._numbers = numbers
        vocab._words = {number: word for word, number in numbers.items()}
        return vocab

    @classmethod
    def from_list(cls, word_list, special_tokens=None, special_first=True):
        """A vocabulary of the words of a list.

        Args:
            word_list (list[str]): different words.
            special_tokens (list[str]): further words. Default: ``None``.
            special_first (bool): whether these come first; otherwise last. Default: ``True``.
        Raises:
            TypeError: if they are not lists of str.  ValueError: if a word is repeated.
        Source: mindspore.dataset.text.Vocab.from_list
        """
        words = _words(word_list, "from_list", "word_list")
        special = _words(special_tokens or [], "from_list", "special_tokens")
        words = special + words if check.boolean(special_first, "special_first", "from_list") else words + special
        if len(set(words)) < len(words):
            [twice, *_] = [word for word, count in collections.Counter(words).items() if count > 1]
            refuse(ValueError, "from_list", "word_list", "made of distinct words", twice)
        return cls._from_numbers({word: number for number, word in enumerate(words)})

    @classmethod
    def from_dict(cls, word_dict):
        """A vocabulary from a dict of words and non-negative ids.

        Raises:
            TypeError: if it is not a dict of int by str.  ValueError: if an id is negative.
        Source: mindspore.dataset.text.Vocab.from_dict
        """
        for word, number in require(word_dict, dict, "from_dict", "word_dict").items():
            require(word, str, "from_dict", "word_dict")
            if require(number, int, "from_dict", "word_dict") < 0:
                refuse(ValueError, "from_dict", "word_dict", "made of non-negative numbers", number)
        return cls._from_numbers(dict(word_dict))

    @classmethod
    def from_file(cls, file_path, delimiter="", vocab_size=None, special_tokens=None, special_first=True):
        """A vocabulary of the lines of a file.

        Args:
            file_path (str): its path.
            delimiter (str): separates the word from the rest of the line. Default: ``''``, the line is the word.
            vocab_size (int): the number of lines to read. Default: ``None``, all.
            special_tokens, special_first: as for `from_list`.
        Raises:
            RuntimeError: if the file is missing, or a word is repeated.  ValueError: if ``vocab_size`` is not positive.
        Source: mindspore.dataset.text.Vocab.from_file
        """
        if not os.path.isfile(require(file_path, str, "from_file", "file_path")):
            refuse(RuntimeError, "from_file", "file_path", "the path of a file", file_path)
        require(delimiter, str, "from_file", "delimiter")
        if vocab_size is not None and require(vocab_size, int, "from_file", "vocab_size") < 1:
            refuse(ValueError, "from_file", "vocab_size", "a positive int", vocab_size)
        with open(file_path, encoding="utf-8") as file:
            words = [line.rstrip("\r\n") for line in file]
        words = [word.partition(delimiter)[0] if delimiter else word for word in words][:vocab_size]
        if len(set(words)) < len(words):
            refuse(RuntimeError, "from_file", "file_path", "the path of a file of distinct words", file_path)
        return cls.from_list(words, special_tokens, special_first)

    @classmethod
    def from_dataset(cls, dataset, columns=None, freq_range=None, top_k=None, special_tokens=None, special_first=True):
        """A vocabulary of the words in a dataset, the most frequent first.

        Args:
            dataset (Dataset): the dataset whose words are counted.
            columns (str | list[str]): their columns. Default: ``None``, all.
            freq_range (tuple): the smallest and largest count of a word; None for no bound. Default: ``None``.
            top_k (int): the largest number of words. Default: ``None``.
            special_tokens, special_first: as for `from_list`.
        Raises:
            TypeError, ValueError: for other arguments.  RuntimeError: if a column does not hold strings, or a special
                token is one of the words.
        Source: mindspore.dataset.text.Vocab.from_dataset
        """
        names = [columns] if isinstance(columns, str) else columns or dataset.get_col_names()
        low, high = _range(freq_range)
        if top_k is not None and require(top_k, int, "from_dataset", "top_k") < 1:
            refuse(ValueError, "from_dataset", "top_k", "a positive int", top_k)
        counts = collections.Counter()
        for row in dataset.project(names).create_tuple_iterator(num_epochs=1, output_numpy=True):
            for value in row:
                if value.dtype.kind not in "US":
                    refuse(RuntimeError, "from_dataset", "columns", "columns of strings", str(value.dtype))
                texts = np.char.decode(value, "utf-8") if value.dtype.kind == "S" else value
                counts.update(texts.reshape(-1).tolist())
        if twice := counts.keys() & set(_words(special_tokens or [], "from_dataset", "special_tokens")):
            refuse(RuntimeError, "from_dataset", "special_tokens", "none of the words", sorted(twice))
        fitting = [
            (word, count) for word, count in counts.items() if (low or 0) <= count and (high is None or count <= high)
        ]
        words = [word for word, _ in sorted(fitting, key=lambda pair: (-pair[1], pair[0]))]
        return cls.from_list(words[:top_k], special_tokens, special_first)

    def vocab(self):
        """The ids by word, a dict.  Source: mindspore.dataset.text.Vocab.vocab"""
        return dict(self._numbers)

    def tokens_to_ids(self, tokens):
        """The id of a word (str), or those of a list; -1 for unknown words. A list of one gives an int.

        Source: mindspore.dataset.text.Vocab.tokens_to_ids
        """
        if isinstance(tokens, np.ndarray):
            tokens = tokens.tolist()
        if isinstance(tokens, str):
            return self._numbers.get(tokens, -1)
        return _alone([self._numbers.get(word, -1) for word in _words(tokens, "tokens_to_ids", "tokens")])

    def ids_to_tokens(self, ids):
        """The word of an id (int), or those of a list; an empty str for unknown ids. A list of one gives a str.

        Source: mindspore.dataset.text.Vocab.ids_to_tokens
        """
        if isinstance(ids, np.ndarray):
            ids = ids.tolist()
        numbers = ids if isinstance(ids, list) else [ids]
        for number in numbers:
            if require(number, int, "ids_to_tokens", "ids") < 0:
                refuse(ValueError, "ids_to_tokens", "ids", "non-negative", number)
        return _alone([self._words.get(number, "") for number in numbers])


def _alone(values):
    return values[0] if len(values) == 1 else values


def _range(freq_range):
    """The bounds of ``freq_range``, None for none."""
    bounds = (None, None) if freq_range is None else require(freq_range, tuple, "from_dataset", "freq_range")
    if len(bounds) != 2 or not all(bound is None or isinstance(bound, int) for bound in bounds):
        refuse(ValueError, "from_dataset", "freq_range", "two ints or None", freq_range)
    low, high = bounds
    if low is not None and low < 0 or high is not None and high < (low or 0):
        refuse(ValueError, "from_dataset", "freq_range", "non-negative and ascending", freq_range)
    return low, high


def _words(value, owner, argument):
    for word in require(value, list, owner, argument):
        require(word, str, owner, argument)
    return list(value)
