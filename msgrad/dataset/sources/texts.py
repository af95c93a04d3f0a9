"""Published text datasets, in files of lines."""

import json
from typing import Any

import numpy as np

from . import _files
from ._rows import source
from .lines import RowsDataset, fields, opened, paths

_PARTS = ("train", "test", "all")
_PARTS_OF_CORPORA = ("train", "test", "valid", "all")
_TRAIN_FIRST = {"train": "train.csv", "test": "test.csv"}


class TextsDataset(RowsDataset):
    """Rows of the files of a folder.

    A table row of this kind has the ``_columns``, in ``_parts`` the file of each value of ``usage`` (in reading order),
    and ``_rows_of``, which reads a file.
    """

    _parts: Any = None
    _columns = ("text",)

    def _begin(self, arguments):
        names = ("num_samples", "num_parallel_workers", "shuffle", "num_shards", "shard_id", "cache")
        super().__init__(self._paths(arguments), *[arguments[name] for name in names])

    def _paths(self, arguments):
        wanted = list(self._parts) if arguments["usage"] == "all" else [arguments["usage"]]
        return [f"{arguments['dataset_dir']}/{self._parts[part]}" for part in wanted]

    def _names(self):
        return list(self._columns)

    def _lines(self, path):
        with opened(path, type(self).__name__) as file:
            for line in file:
                yield line.rstrip("\r\n")


class FieldsDataset(TextsDataset):
    """Rows of CSV files of strings."""

    _parts = {"test": "test.csv", "train": "train.csv"}

    def _rows_of(self, path):
        return fields(path, [""] * len(self._columns), type(self).__name__)


def _fields(name, about, *columns, tail="LINES", **members):
    about = f"{about}: {_listed(columns)}, strings."
    text = f"{name}(dataset_dir, usage=None, {tail})"
    files = "``train.csv`` and ``test.csv``"
    return source(FieldsDataset, text, about, files, {"usage": _PARTS}, _columns=columns, **members)


def _listed(names):
    return ", ".join(f"``{name}``" for name in names)


AGNewsDataset = _fields("AGNewsDataset", "AG News, news of four classes", "index", "title", "description")
AmazonReviewDataset = _fields("AmazonReviewDataset", "Reviews of Amazon's", "label", "title", "content")
DBpediaDataset = _fields("DBpediaDataset", "DBpedia, articles of 14 classes", "class", "title", "content")
SogouNewsDataset = _fields(
    "SogouNewsDataset", "News of Sogou's", "index", "title", "content", tail="LATER", _parts=_TRAIN_FIRST
)
YahooAnswersDataset = _fields("YahooAnswersDataset", "Questions of ten topics", "class", "title", "content", "answer")
YelpReviewDataset = _fields(
    "YelpReviewDataset", "Reviews of Yelp's", "label", "text", tail="LATER", _parts=_TRAIN_FIRST
)


class LinesDataset(TextsDataset):
    """Rows that are lines; empty ones are skipped."""

    def _rows_of(self, path):
        return ((np.array(line),) for line in self._lines(path) if line)


PennTreebankDataset = source(
    LinesDataset,
    "PennTreebankDataset(dataset_dir, usage=None, LINES)",
    "The corpus of the Penn Treebank: ``text``, a line.",
    "``ptb.train.txt``, ``ptb.test.txt`` and ``ptb.valid.txt``",
    {"usage": _PARTS_OF_CORPORA},
    _parts={part: f"ptb.{part}.txt" for part in ("test", "train", "valid")},
)
WikiTextDataset = source(
    LinesDataset,
    "WikiTextDataset(dataset_dir, usage=None, LINES)",
    "WikiText-2 or WikiText-103: ``text``, a line.",
    "``wiki.train.tokens``, ``wiki.test.tokens`` and ``wiki.valid.tokens``",
    {"usage": _PARTS_OF_CORPORA},
    _parts={part: f"wiki.{part}.tokens" for part in ("test", "train", "valid")},
)
EnWik9Dataset = source(
    TextsDataset,
    "EnWik9Dataset(dataset_dir, num_samples=None, num_parallel_workers=None, shuffle=True, num_shards=None, "
    "shard_id=None, cache=None)",
    "The first billion bytes of a dump of the English Wikipedia: ``text``, a line, which may be empty.",
    "``enwik9``",
    _paths=lambda self, arguments: [f"{arguments['dataset_dir']}/enwik9"],
    _rows_of=lambda self, path: ((np.array(line),) for line in self._lines(path)),
)


def _sentences(self, path):
    is_test = self.usage == "test"
    for row in fields(path, ["", ""], "SST2Dataset", "\t", has_header=True):
        yield row[1:] if is_test else row


SST2Dataset = source(
    TextsDataset,
    "SST2Dataset(dataset_dir, usage=None, LINES)",
    "The Stanford Sentiment Treebank, of two classes: ``sentence`` and, except in the test split, ``label``, strings.",
    "``train.tsv``, ``test.tsv`` and ``dev.tsv``",
    {"usage": ("test", "dev", "train")},
    _parts={part: f"{part}.tsv" for part in ("train", "test", "dev")},
    _names=lambda self: ["sentence"] if self.usage == "test" else ["sentence", "label"],
    _rows_of=_sentences,
)


class TaggedDataset(TextsDataset):
    """Rows that are sentences: a word with its tags on each line, and an empty line between sentences."""

    _delimiter = None

    def _rows_of(self, path):
        words = []
        for line in [*self._lines(path), ""]:
            if line.strip():
                words.append(line.strip().split(self._delimiter))
                if len(words[-1]) != len(self._columns):
                    raise _files.damaged(type(self).__name__, path, f"{line!r} is not a word with two tags")
            elif words:
                yield tuple([np.array(column) for column in zip(*words, strict=True)])
                words = []


CoNLL2000Dataset = source(
    TaggedDataset,
    "CoNLL2000Dataset(dataset_dir, usage=None, LATER)",
    "CoNLL-2000, chunks of sentences: ``word``, ``pos_tag`` and ``chunk_tag``, strings, one for each word.",
    "``train.txt`` and ``test.txt``",
    {"usage": _PARTS},
    _parts={"test": "test.txt", "train": "train.txt"},
    _columns=("word", "pos_tag", "chunk_tag"),
)
UDPOSDataset = source(
    TaggedDataset,
    "UDPOSDataset(dataset_dir, usage=None, LATER)",
    "Parts of speech of Universal Dependencies: ``word``, ``universal`` and ``stanford``, strings, one for each word.",
    "``en-ud-tag.v2.train.txt``, ``en-ud-tag.v2.test.txt`` and ``en-ud-tag.v2.dev.txt``",
    {"usage": _PARTS_OF_CORPORA},
    _parts={"valid": "en-ud-tag.v2.dev.txt", "test": "en-ud-tag.v2.test.txt", "train": "en-ud-tag.v2.train.txt"},
    _columns=("word", "universal", "stanford"),
    _delimiter="\t",
)


def _answered(self, path):
    with opened(path, "SQuADDataset") as file:
        try:
            for article in json.load(file)["data"]:
                for paragraph in article["paragraphs"]:
                    for each in paragraph["qas"]:
                        answers = [(answer["text"], answer["answer_start"]) for answer in each["answers"]]
                        texts, starts = zip(*answers or [("", -1)], strict=True)
                        starts = np.array(starts, np.int64).astype(np.uint32)
                        yield np.array(paragraph["context"]), np.array(each["question"]), np.array(texts), starts
        except (ValueError, KeyError, TypeError) as error:
            raise _files.damaged("SQuADDataset", path, repr(error)) from error


def _of_either_version(self, arguments):
    wanted = ("train", "dev") if arguments["usage"] == "all" else (arguments["usage"],)
    return [
        path
        for part in wanted
        for path in _files.matching("SQuADDataset", arguments["dataset_dir"], f"{part}-v?.?.json")
    ]


SQuADDataset = source(
    TextsDataset,
    "SQuADDataset(dataset_dir, usage=None, LINES)",
    "SQuAD 1.1 or 2.0, questions about a text: ``context``, ``question``, ``text`` (the answers, strings) and "
    "``answer_start`` (uint32); without an answer an empty text and 4294967295.",
    "``train-v1.1.json`` and ``dev-v1.1.json``, or those of v2.0",
    {"usage": ("train", "dev", "all")},
    _columns=("context", "question", "text", "answer_start"),
    _paths=_of_either_version,
    _rows_of=_answered,
)

_PAIRS = {"label": "label", "sentence1": "sentence1", "sentence2": "sentence2"}
_CLUE = {  # the position of each column in the objects of a task, except of its test
    "AFQMC": _PAIRS,
    "CMNLI": _PAIRS,
    "TNEWS": {name: name for name in ("keywords", "label", "label_desc", "sentence")},
    "IFLYTEK": {name: name for name in ("label", "label_des", "sentence")},
    "WSC": {
        "idx": "idx",
        "label": "label",
        **{name: f"target/{name}" for name in ("span1_index", "span1_text", "span2_index", "span2_text")},
        "text": "text",
    },
    "CSL": {name: name for name in ("abst", "id", "keyword", "label")},
}


def _clue_columns(self):
    """The positions of the columns, in alphabetical order."""
    keys = dict(_CLUE[self.task])
    if self.usage == "test":
        keys = {name: key for name, key in keys.items() if name not in ("label", "label_des", "label_desc")}
        keys |= {} if self.task == "WSC" else {"id": "id"}
    return dict(sorted(keys.items()))


def _objects(self, path):
    keys = _clue_columns(self)
    for number, line in enumerate(self._lines(path)):
        if line:
            try:
                entry = json.loads(line)
                yield tuple([_entry_value(entry, key) for key in keys.values()])
            except (ValueError, KeyError, TypeError) as error:
                raise _files.damaged("CLUEDataset", path, f"line {number + 1}: {error!r}") from error


def _entry_value(entry, path):
    for name in path.split("/"):
        entry = entry[name]
    return np.array(entry, np.uint32) if isinstance(entry, int) else np.array(entry)


CLUEDataset = source(
    TextsDataset,
    "CLUEDataset(dataset_files, task='AFQMC', usage='train', LINES)",
    "CLUE, tasks of Chinese: the columns of the task in alphabetical order, strings and uint32.",
    arguments={
        "dataset_files": "(str | list[str]): paths or patterns of files with a JSON object on each line.",
        "task": ("AFQMC", "TNEWS", "IFLYTEK", "CMNLI", "WSC", "CSL"),
        "usage": ("test", "eval", "train"),
    },
    _paths=lambda self, arguments: paths(arguments["dataset_files"], "CLUEDataset"),
    _names=lambda self: list(_clue_columns(self)),
    _rows_of=_objects,
)


def _digits(self, path):
    for number, line in enumerate(self._lines(path)):
        try:
            label, *pixels = line.split()
            values = np.array([float(pixel.partition(":")[2]) for pixel in pixels]).reshape(16, 16, 1)
            yield ((values + 1) / 2 * 255).astype(np.uint8), np.array(int(label) - 1, np.uint32)
        except ValueError as error:
            raise _files.damaged("USPSDataset", path, f"line {number + 1}: {error}") from error


USPSDataset = source(
    TextsDataset,
    "USPSDataset(dataset_dir, usage=None, LINES)",
    "USPS, digits of envelopes: ``image``, uint8 of ``(16, 16, 1)``, and ``label``, uint32.",
    "``usps`` and ``usps.t``",
    {"usage": _PARTS},
    _parts={"train": "usps", "test": "usps.t"},
    _columns=("image", "label"),
    _rows_of=_digits,
)
