"""Published datasets of audio recordings."""

import os

import numpy as np

from . import _files
from ._formats.waves import sphere, waveform
from ._image_files import ImageFilesDataset, files, folders
from ._rows import checked_choice, source


class SoundsDataset(ImageFilesDataset):
    """Rows of WAV files: ``waveform``, float32 (channels by samples), ``sample_rate``, and further columns.

    A table row of this kind has ``_listed`` with the path of each recording and its other values, ``_rate``, the
    required sample rate, and ``rate_dtype``, the dtype of that column.
    """

    _rate, _rate_dtype = None, np.int32

    def _begin(self, arguments):
        super()._begin(arguments | {"decode": False})

    def _row(self, index):
        path, *rest = self._list[index]
        samples, rate = waveform(path, type(self).__name__, self._rate)
        return samples, np.array(rate, self._rate_dtype), *rest

    def _class_of(self, index):
        raise RuntimeError(f"For '{type(self).__name__}', there are no classes to sample from.")


def _stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def _answers(self):
    paths = files(self.dataset_dir, (".wav",))
    try:
        return [(path, np.array([int(each) for each in _stem(path).split("_")], np.int32)) for path in paths]
    except ValueError as error:
        raise _files.damaged("YesNoDataset", self.dataset_dir, error) from error


YesNoDataset = source(
    SoundsDataset,
    "YesNoDataset(dataset_dir, ROWS)",
    "YesNo, eight words of Hebrew: ``waveform``, float32, ``sample_rate``, int32, and ``label``, int32, 1 for yes.",
    "the recordings",
    _columns=("waveform", "sample_rate", "label"),
    _listed=_answers,
)

_GTZAN = {  # for each recording of a genre: in the train, valid or test subset, or in none
    "blues": "vvvvvvvvvvvveeeeeeeeeeeeeeeeetttttttttttttttttttttvvvvvvvvvvveeeeeeeeeeeetttttttttttttttttttttttttee",
    "classical": "vvvvvvvvvvveeeeeeeeeeeeeeeeeeetttteeeeeeee-ttttttettttttttttttttttttvvvvvvvvveeetttttttttttttttttttt",
    "country": "vvvvvvvv-vvvvvvvvvvttttttttvtteeeeeeeeeeevveeveevee-eeeeeeeeeeeettttttttttttttttttttttttttttttttttt",
    "disco": "vevvvtvvvvvvvvvttttttetttttttttttttttt-tttttttvtvt--vtt-ttet-teeeeevvet-vttveeeeeeeeeeeeetveeeevee-e",
    "hiphop": "e-tttttttttttttttttttttttteettetttttttt-etteee-----eeeettttttteeeeeeeeeeeeee-ttttvvvvvvvvvvvvvvvvvve",
    "jazz": "ttvvvvvvvvvttttttttttttttvvvvvvvv--------t-----tttttttttttttttttttttttttteeeeeeeeeeeeeeeeeeeeeeeeeee",
    "metal": "vvtt-tvvvvvveeeevvvvvteeteeeeeeeee-tvvee------tttttttttttt-ttttttttevtetteeevvettvveteteettttttttttt",
    "pop": "eettttttttvttee-ttttt--ttttttt-tttttt-tttttet-t--tt--v-v--vvvvveeee--eeeeeeeeeeetvevvvv-eeeeeeeeettt",
    "reggae": "ttt-t-t--t-tt-ttttttttttttttttttt-eeeeeee-tttttteettteetttttttvvteeeeetvev-v-vvve--eeev-eeee-vvvvvvvv",
    "rock": "tttttttttteeeeeettttttttttteeeeeeeeeeeveeeeeeeeeevvvvvvvvttttttttttttttvvvvvvvvvvvvvvveeeeettttttttt",
}


def _genres(self):
    rows = []
    for folder in folders(self.dataset_dir, "GTZANDataset"):
        genre = os.path.basename(folder)
        for path in files(folder, (".wav",)):
            if self.usage == "all" or _is_in_part(genre, _stem(path).partition(".")[2], self.usage):
                rows.append((path, np.array(genre)))
    return rows


def _is_in_part(genre, number, part):
    parts = _GTZAN.get(genre, "")
    return (
        number.isdecimal()
        and int(number) < len(parts)
        and parts[int(number)] == {"train": "t", "valid": "v", "test": "e"}[part]
    )


GTZANDataset = source(
    SoundsDataset,
    "GTZANDataset(dataset_dir, usage=None, ROWS)",
    "GTZAN, music: ``waveform``, float32, ``sample_rate``, uint32, and ``label``, the genre, a str.",
    "the folders of the genres",
    {"usage": ("train", "valid", "test", "all")},
    _columns=("waveform", "sample_rate", "label"),
    _rate=22050,
    _rate_dtype=np.uint32,
    _listed=_genres,
)


def _spoken_words(self):
    lists = {"test": "testing_list.txt", "valid": "validation_list.txt"}
    if self.usage in lists:
        names = self._lines(lists[self.usage])
    else:
        left_out = [name for part in lists.values() for name in self._lines(part)] if self.usage == "train" else []
        every = [path for each in folders(self.dataset_dir, "SpeechCommandsDataset") for path in files(each, (".wav",))]
        names = [os.path.relpath(path, self.dataset_dir) for path in every]
        names = [name for name in names if name not in left_out and not name.startswith("_background_noise_")]
    rows = []
    for name in names:
        speaker, _, number = _stem(name).partition("_nohash_")
        if not number.isdecimal():
            raise _files.damaged("SpeechCommandsDataset", name, "its name has no speaker with a number")
        values = np.array(name.partition("/")[0]), np.array(speaker), np.array(int(number), np.int32)
        rows.append((os.path.join(self.dataset_dir, name), *values))
    return rows


SpeechCommandsDataset = source(
    SoundsDataset,
    "SpeechCommandsDataset(dataset_dir, usage=None, ROWS)",
    "Speech Commands, words: ``waveform``, float32, ``sample_rate``, int32, ``label`` and ``speaker_id``, strings, and "
    "``utterance_number``, int32.",
    "the folders of the words, ``testing_list.txt`` and ``validation_list.txt``",
    {"usage": ("train", "test", "valid", "all")},
    _columns=("waveform", "sample_rate", "label", "speaker_id", "utterance_number"),
    _listed=_spoken_words,
)


def _read_aloud(self):
    rows = []
    for line in self._lines("metadata.csv"):
        fields = line.split("|")
        if len(fields) != 3:
            raise _files.damaged(
                "LJSpeechDataset", f"{self.dataset_dir}/metadata.csv", f"{line!r} has not three fields"
            )
        rows.append((f"{self.dataset_dir}/wavs/{fields[0]}.wav", *map(np.array, fields[1:])))
    return rows


LJSpeechDataset = source(
    SoundsDataset,
    "LJSpeechDataset(dataset_dir, ROWS)",
    "LJSpeech, a book read aloud: ``waveform``, float32, ``sample_rate``, int32, ``transcription`` and "
    "``normalized_transcription``, strings.",
    "``metadata.csv`` and ``wavs``",
    _columns=("waveform", "sample_rate", "transcription", "normalized_transcription"),
    _listed=_read_aloud,
)


def _arctic(self):
    folder, rows = f"cmu_us_{self.name}_arctic", []
    for line in self._lines(f"{folder}/etc/txt.done.data"):
        name, _, text = line.strip("() ").partition(" ")
        path = f"{self.dataset_dir}/{folder}/wav/{name}.wav"
        rows.append((path, np.array(text.strip().strip('"')), np.array(name.removeprefix("arctic_"))))
    return rows


CMUArcticDataset = source(
    SoundsDataset,
    "CMUArcticDataset(dataset_dir, name=None, ROWS)",
    "CMU Arctic, sentences of one speaker: ``waveform``, float32, ``sample_rate``, uint32, ``transcript`` and "
    "``utterance_id``, strings.",
    "the folders of the speakers",
    {"name": tuple("ahw aup awb axb bdl clb eey fem gka jmk ksp ljm lnh rms rxr slp slt aew".split())},
    _columns=("waveform", "sample_rate", "transcript", "utterance_id"),
    _rate=16000,
    _rate_dtype=np.uint32,
    _listed=_arctic,
)

_LIBRI = ("dev-clean", "dev-other", "test-clean", "test-other", "train-clean-100", "train-clean-360", "train-other-500")


def _libri(self):
    owner, rows = "LibriTTSDataset", []
    parts = _LIBRI if self.usage == "all" else (self.usage,)
    for part in (f"{self.dataset_dir}/{part}" for part in parts):
        if self.usage == "all" and not os.path.isdir(part):
            continue
        for chapter in (chapter for speaker in folders(part, owner) for chapter in folders(speaker, owner)):
            for path in files(chapter, (".trans.tsv",)):
                for line in self._lines(os.path.relpath(path, self.dataset_dir)):
                    name, *texts = line.split("\t")
                    numbers = [np.array(int(number), np.uint32) for number in name.split("_")[:2]]
                    rows.append((f"{chapter}/{name}.wav", *map(np.array, texts), *numbers, np.array(name)))
    return rows


LibriTTSDataset = source(
    SoundsDataset,
    "LibriTTSDataset(dataset_dir, usage=None, ROWS)",
    "LibriTTS, books read aloud: ``waveform``, float32, ``sample_rate``, uint32, ``original_text`` and "
    "``normalized_text``, strings, ``speaker_id`` and ``chapter_id``, uint32, and ``utterance_id``, a str.",
    "``dev-clean``, ``train-clean-100``, ...",
    {"usage": (*_LIBRI, "all")},
    _columns=(
        "waveform",
        "sample_rate",
        "original_text",
        "normalized_text",
        "speaker_id",
        "chapter_id",
        "utterance_id",
    ),
    _rate=24000,
    _rate_dtype=np.uint32,
    _listed=_libri,
)

_TEDLIUM = {
    "release1": ("train", "test", "dev", "all"),
    "release2": ("train", "test", "dev", "all"),
    "release3": ("all",),
}


def _begin_talks(self, arguments):
    self.usage = checked_choice(self.usage, _TEDLIUM[self.release], "TedliumDataset", "usage")
    SoundsDataset._begin(self, arguments)


def _talks(self):
    parts = ("data",) if self.release == "release3" else (self.usage,)
    parts = _TEDLIUM[self.release][:3] if parts == ("all",) else parts
    rows = []
    for part in parts:
        for path in _files.matching("TedliumDataset", self.dataset_dir, f"{part}/stm/*.stm"):
            for line in self._lines(os.path.relpath(path, self.dataset_dir)):
                talk, _, speaker, start, end, identifier, *words = line.split(" ", 6)
                sound = f"{self.dataset_dir}/{part}/sph/{talk}{self.extensions}"
                texts = map(np.array, (" ".join(words), talk, speaker, identifier))
                rows.append((sound, float(start), float(end), *texts))
    return rows


def _talk(self, index):
    path, start, end, *texts = self._list[index]
    samples, rate = sphere(path, "TedliumDataset")
    part = samples[:, int(start * rate) : int(end * rate)]
    return part, np.array(rate, np.int32), *texts


TedliumDataset = source(
    SoundsDataset,
    "TedliumDataset(dataset_dir, release, usage=None, extensions=None, ROWS)",
    "TED-LIUM, talks: ``waveform``, float32, ``sample_rate``, int32, ``transcript``, ``talk_id``, ``speaker_id`` and "
    "``identifier``, strings.",
    "``train``, ``test`` and ``dev``, or ``data``, each with ``sph`` and ``stm``",
    {
        "release": ("release1", "release2", "release3"),
        "usage": "(str): ``'train'``, ``'test'``, ``'dev'`` or ``'all'``; of the third release ``'all'`` alone. "
        "Default: ``None``, all.",
        "extensions": (".sph",),
    },
    _columns=("waveform", "sample_rate", "transcript", "talk_id", "speaker_id", "identifier"),
    _begin=_begin_talks,
    _listed=_talks,
    _row=_talk,
)
