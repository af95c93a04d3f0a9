"""Published translation datasets: sentences in two languages."""

import itertools
import xml.etree.ElementTree
from typing import Any

import numpy as np

from . import _files
from ._rows import source
from .texts import TextsDataset

_SETS = ("dev2010", "tst2010", "tst2011", "tst2012", "tst2013", "tst2014")


class PairsDataset(TextsDataset):
    """Rows of a sentence and its translation, from two files with equally many sentences."""

    _parts: Any
    language_pair: Any

    _columns = ("text", "translation")

    def _paths(self, arguments):
        parts = self._parts(arguments)
        wanted = parts if arguments["usage"] == "all" else {arguments["usage"]: parts[arguments["usage"]]}
        return [f"{arguments['dataset_dir']}/{path}" for path in wanted.values()]

    def _rows_of(self, path):
        columns = [self._sentences(path.format(language)) for language in self.language_pair]
        for row in itertools.zip_longest(*columns):
            if None in row:
                raise _files.damaged(
                    type(self).__name__, path.format("*"), "the two languages have other numbers of lines"
                )
            yield tuple(map(np.array, row))

    def _sentences(self, path):
        return (line for line in self._lines(path) if line)


Multi30kDataset = source(
    PairsDataset,
    "Multi30kDataset(dataset_dir, usage=None, language_pair=None, num_samples=None, num_parallel_workers=None, "
    "shuffle=None, num_shards=None, shard_id=None, cache=None)",
    "Multi30k, English and German captions: ``text`` and ``translation``, strings.",
    "``training``, ``validation`` and ``mmt16_task1_test``, each with a file ``.en`` and one ``.de``",
    {"usage": ("train", "test", "valid", "all"), "language_pair": (("de", "en"), ("en", "de"))},
    _parts=lambda self, arguments: {
        "test": "mmt16_task1_test/test.{}",
        "train": "training/train.{}",
        "valid": "validation/val.{}",
    },
)


class TalksDataset(PairsDataset):
    """Transcripts of talks: text files with tags on separate lines, and XML."""

    def _sentences(self, path):
        if path.endswith(".xml"):
            return self._segments(path)
        return (line.strip() for line in self._lines(path) if line.strip() and not _is_tag(line))

    def _segments(self, path):
        _files.existing_file(path, type(self).__name__)
        try:
            return [(each.text or "").strip() for each in xml.etree.ElementTree.parse(path).getroot().iter("seg")]
        except xml.etree.ElementTree.ParseError as error:
            raise _files.damaged(type(self).__name__, path, error) from error


def _is_tag(line):
    return line.lstrip().startswith(
        (
            "<url",
            "<keywords",
            "<talkid",
            "<title",
            "<description",
            "<reviewer",
            "<translator",
            "<doc",
            "</doc",
            "<speaker",
        )
    )


def _talks(year, folder, valid, test, arguments):
    """The files of each subset: ``{}`` is the language."""
    tag = "-".join(arguments["language_pair"])
    return {
        "train": f"{folder}/train.tags.{tag}.{{}}",
        "valid": f"{folder}/IWSLT{year}.TED.{valid}.{tag}.{{}}.xml",
        "test": f"{folder}/IWSLT{year}.TED.{test}.{tag}.{{}}.xml",
    }


def _talks_of_2016(self, arguments):
    source, target = arguments["language_pair"]
    return _talks(
        16, f"texts/{source}/{target}/{source}-{target}", arguments["valid_set"], arguments["test_set"], arguments
    )


IWSLT2016Dataset = source(
    TalksDataset,
    "IWSLT2016Dataset(dataset_dir, usage=None, language_pair=None, valid_set=None, test_set=None, LATER)",
    "IWSLT 2016, transcripts of talks: ``text`` and ``translation``, strings.",
    "``texts``, with a folder for each pair of languages",
    {
        "usage": ("train", "valid", "test", "all"),
        "language_pair": (
            *[("en", other) for other in ("ar", "fr", "cs")],
            *[(other, "en") for other in ("ar", "fr", "cs")],
            ("en", "de"),
            ("de", "en"),
        ),
        "valid_set": (*_SETS[:4], "tst2014", "tst2013"),
        "test_set": _SETS,
    },
    _parts=_talks_of_2016,
)
_LANGUAGES = ("en", "nl", "it", "ro", "de")
IWSLT2017Dataset = source(
    TalksDataset,
    "IWSLT2017Dataset(dataset_dir, usage=None, language_pair=None, LATER)",
    "IWSLT 2017, transcripts of talks: ``text`` and ``translation``, strings.",
    "``texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo``",
    {
        "usage": ("train", "valid", "test", "all"),
        "language_pair": (
            *[pair for pair in itertools.permutations(_LANGUAGES, 2) if pair != ("de", "en")],
            ("de", "en"),
        ),
    },
    _parts=lambda self, arguments: _talks(
        17, "texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo", "dev2010", "tst2010", arguments
    ),
)
