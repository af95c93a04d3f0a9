"""Vocabularies and tokenizers (see `basics`)."""

import pathlib
import tempfile

import numpy as np

from .basics import mindspore, rows
from .run import each, outcome

SENTENCE = np.array("Unaffable  welcome, to Beijing! [UNK] 北京 don't É")
PLAIN = np.array("Unaffable  welcome, to Beijing! 北京 don't É")
WORDS = [
    "[PAD]",
    "[UNK]",
    "un",
    "##aff",
    "##able",
    "welcome",
    "to",
    "beijing",
    ",",
    "!",
    "北",
    "京",
    "don",
    "'",
    "t",
    "e",
]


def vocabularies(ds):
    Vocab = ds.text.Vocab  # noqa: N806
    path = pathlib.Path(tempfile.mkdtemp()) / "vocab.txt"
    path.write_text("one,1\ntwo,2\nthree,3\n")
    plain = Vocab.from_list(["a", "b", "c"], special_tokens=["<pad>", "<unk>"])
    return each(
        lambda: plain.vocab(),
        lambda: Vocab.from_list(["a", "b"], ["<pad>"], special_first=False).vocab(),
        lambda: Vocab.from_dict({"x": 3, "y": 5}).vocab(),
        lambda: Vocab.from_file(str(path), ",").vocab(),
        lambda: Vocab.from_file(str(path), ",", 2, ["<unk>"], True).vocab(),
        lambda: plain.tokens_to_ids("b"),
        lambda: plain.tokens_to_ids(["b", "zz"]),
        lambda: plain.ids_to_tokens([2, 3]),
        lambda: plain.ids_to_tokens(4),
        lambda: [
            plain.tokens_to_ids(["b"]),
            plain.tokens_to_ids([]),
            plain.ids_to_tokens([4]),
            plain.ids_to_tokens([]),
        ],
        lambda: Vocab.from_list(["a", "a"]),
        lambda: Vocab.from_list([]).vocab(),
        lambda: Vocab.from_dict({"a": -1}),
        lambda: Vocab.from_list("abc"),
    )


def vocabulary_of_dataset(ds):
    def words():
        return ds.NumpySlicesDataset(["b", "a", "b", "c", "b", "a"], ["text"], shuffle=False)

    Vocab = ds.text.Vocab  # noqa: N806
    return each(
        lambda: Vocab.from_dataset(words(), "text").vocab(),
        lambda: Vocab.from_dataset(words(), "text", freq_range=(2, None), special_tokens=["<pad>"]).vocab(),
        lambda: Vocab.from_dataset(words(), ["text"], top_k=1).vocab(),
    )


def lookups(ds):
    text = ds.text
    vocab = text.Vocab.from_list(WORDS)
    return each(
        lambda: text.Lookup(vocab)(np.array(["to", "welcome"])),
        lambda: text.Lookup(vocab, "[UNK]")(np.array(["to", "nothing"])),
        lambda: text.Lookup(vocab)(np.array(["nothing"])),
        lambda: text.Lookup(vocab)(np.array("to")),
        lambda: text.Lookup(vocab, "nothing"),
        lambda: text.Lookup(3),
    )


def tokenizers(ds):
    text = ds.text
    vocab = text.Vocab.from_list(WORDS)
    return each(
        lambda: text.WhitespaceTokenizer()(SENTENCE),
        lambda: text.WhitespaceTokenizer(True)(SENTENCE),
        lambda: text.UnicodeCharTokenizer()(np.array("a 北")),
        lambda: text.UnicodeCharTokenizer(True)(np.array("a 北京")),
        lambda: text.UnicodeScriptTokenizer()(np.array("Welcome to 北京!")),
        lambda: text.BasicTokenizer()(SENTENCE),
        lambda: text.BasicTokenizer(True)(PLAIN),
        lambda: text.BasicTokenizer(True, True)(PLAIN),
        lambda: text.WordpieceTokenizer(vocab)(np.array(["unaffable", "to", "nothing"])),
        lambda: text.BertTokenizer(vocab, lower_case=True)(PLAIN),
        lambda: text.BertTokenizer(vocab)(SENTENCE),
        lambda: text.RegexTokenizer(r"\s+")(np.array("a b  c")),
        lambda: text.RegexTokenizer(r"\s+", r"\s+")(np.array("a b  c")),
        lambda: text.PythonTokenizer(lambda line: line.split())(np.array("a b")),
        lambda: text.WhitespaceTokenizer()(np.array("   ")),
        lambda: text.RegexTokenizer(r"\p{P}", r"(?<sign>,)")(np.array("a,b.c")),
        lambda: text.RegexTokenizer("(")(np.array("a")),
    )


def changes(ds):
    text = ds.text
    form = text.NormalizeForm
    return each(
        lambda: text.CaseFold()(np.array("Welcome ÉßI")),
        lambda: [text.NormalizeUTF8(f)(np.array("ṩ ﬁ")) for f in (form.NFC, form.NFD, form.NFKC, form.NFKD, form.NONE)],
        lambda: text.RegexReplace(r"\s+", "_")(np.array("a b  c")),
        lambda: text.RegexReplace(r"\s+", "_", False)(np.array("a b  c")),
    )


# White space, controls, format characters, marks, compatibility forms, capital letters that fold to two, private use.
UNUSUAL = (
    "\t\n\v\f\r\x00\x01\x1b\x1c\x1f\x7f\x85\xa0\xad\u034f\u0600\u1680\u180e\u2003\u200b\u200e\u2028\u2029\u202f\u2060\u3000"
    "\ufeff\u115f\u3164\ufe0f\u0301\u0308\u3099ªº²¼ßĳŀǆﬀﬁⅣ①℃℀㎏Ａａ５ΩϹϲſİıÅK\u212b\u037a\u1d2c\u2024\u2025\uff04\ufe33\ue000\u0378北。！"
)


def unusual_characters(ds):
    text = ds.text
    transforms = {
        "fold": text.CaseFold(),
        "white space": text.WhitespaceTokenizer(),
        "basic": text.BasicTokenizer(),
        "lower": text.BasicTokenizer(True),
        "keep": text.BasicTokenizer(keep_whitespace=True),
        "lower, keep": text.BasicTokenizer(True, True),
        "NFKC": text.BasicTokenizer(normalization_form=text.NormalizeForm.NFKC),
    }
    return {
        name: [transform(np.array(f"A{character}b")) for character in UNUSUAL]
        + [transform(np.array("\ta b\n c\r\n")), transform(np.array("\t"))]
        for name, transform in transforms.items()
    }


REPLACEMENTS = [
    (r"(\w)(\d)", "$2$1"),
    (r"(a)", "$0$0"),
    (r"(a)", "$1x"),
    (r"(a)", "$10"),
    (r"(a)", "$2"),
    (r"(a)|(b)", "<$1$2>"),
    (r"(a)", r"\1"),
    ("a", "$"),
    ("a", r"\$"),
    ("a", "$$"),
    ("a", "$a"),
    ("a", "\\\\"),
    ("a", r"\n"),
    ("a", r"\u0041"),
    ("a", "b\\"),
    ("(?<n>a)", "${n}!"),
    ("(?<n>a)", "${m}"),
    (r"(?<n>\w)\k<n>", "$1"),
    ("", "-"),
    ("(", "x"),
    (r"\p{L}+", "_"),
    (r"[\p{Lu}\d]", "_"),
    (r"\P{L}", "_"),
    (r"\x{61}", "_"),
    (r"\h", "_"),
    (r"\z", "_"),
    (r"[]a]", "_"),
]


def replacements(ds):
    return {
        f"{pattern} {replace} {often}": outcome(
            lambda *arguments: ds.text.RegexReplace(*arguments)(np.array("xAa1é٣ .bb2a")), pattern, replace, often
        )
        for pattern, replace in REPLACEMENTS
        for often in (True, False)
    }


def lengths_of_truncate(ds):
    return [
        outcome(lambda length: ds.text.Truncate(length)(np.array(["a", "b"])), each) for each in (0, -1, 1, 1.0, True)
    ]


def sequences(ds):
    text, ms, words = ds.text, mindspore(ds), np.array(["a", "b", "c", "d"])
    return each(
        lambda: text.Truncate(2)(words),
        lambda: text.Truncate(9)(words),
        lambda: text.AddToken("x")(words),
        lambda: text.AddToken("x", False)(words),
        lambda: text.SlidingWindow(2)(np.arange(4)),
        lambda: text.SlidingWindow(2)(words),
        lambda: text.SlidingWindow(5)(words),
        lambda: text.Ngram(2)(words),
        lambda: text.Ngram([1, 3], ("<", 1), (">", 2), "-")(words),
        lambda: text.Ngram(6)(words),
        lambda: text.ToNumber(ms.int32)(np.array(["1", "-20"])),
        lambda: text.ToNumber(ms.float32)(np.array(["1.5", "2"])),
        lambda: text.ToNumber(ms.int8)(np.array(["300"])),
        lambda: text.ToNumber(ms.int32)(np.array(["x"])),
        lambda: text.TruncateSequencePair(4)(np.array([1, 2, 3, 4]), np.array([5, 6])),
        lambda: text.to_bytes(np.array(["a", "é"])),
        lambda: text.to_str(np.array([b"a", b"bc"])),
    )


def in_pipelines(ds):
    text = ds.text
    vocab = text.Vocab.from_list(WORDS)
    dataset = ds.NumpySlicesDataset(["Welcome to", "Beijing"], ["text"], shuffle=False)
    dataset = dataset.map([text.BasicTokenizer(True), text.Lookup(vocab, "[UNK]")], ["text"])
    offsets = ds.NumpySlicesDataset(["a bc"], ["text"], shuffle=False)
    offsets = offsets.map(text.WhitespaceTokenizer(True), ["text"], ["token", "start", "end"])
    return [rows(dataset), rows(offsets)]


def vocabularies_of_files(ds):
    Vocab = ds.text.Vocab  # noqa: N806
    path = pathlib.Path(tempfile.mkdtemp()) / "vocab.txt"
    path.write_text("a\nb\na\n")
    return each(
        lambda: Vocab.from_file(str(path)),
        lambda: Vocab.from_file(str(path), vocab_size=2).vocab(),
        lambda: Vocab.from_file(str(path), vocab_size=0),
        lambda: Vocab.from_file(str(path.with_name("absent.txt"))),
        lambda: Vocab.from_file(3),
    )


def widths_of_strings(ds):
    """Each array of strings is as wide as its longest one; a function gets what the one before it gave."""
    words = np.array([["a", "bcdef"], ["x", "y"]])
    seen = []

    def noted(value):
        seen.append(str(value.dtype))
        return value

    def width(value):
        return str(value.dtype)

    def widths(*operations, source=words):
        dataset = ds.NumpySlicesDataset(source, ["x"], shuffle=False)
        if operations:
            dataset = dataset.map(list(operations), ["x"], num_parallel_workers=1)
        return [width(row["x"]) for row in rows(dataset)]

    def batched():
        dataset = ds.NumpySlicesDataset(["a", "bb", "cccc"], ["x"], shuffle=False)
        return [width(row["x"]) for row in rows(dataset.batch(2))]

    def generated(dtype):
        return [width(row["x"]) for row in rows(ds.GeneratorDataset([(np.array(["a", "b"], dtype),)], ["x"]))]

    return [
        widths(source=["a", "bcdef"]),
        widths(),
        widths(noted, lambda value: value[:1], noted),
        sorted(seen),
        widths(ds.transforms.Slice(slice(0, 1))),
        widths(ds.text.Truncate(1), ds.text.SlidingWindow(1)),
        widths(lambda value: value.astype("<U20")),
        width(ds.text.Truncate(1)(words[0])),
        width(ds.transforms.Compose([lambda value: value[:1]])(words[0])),
        batched(),
        generated("<U9"),
        generated("S9"),
    ]


def vocabularies_of_wrong_datasets(ds):
    def read(values=("a", "b", "a"), **options):
        dataset = ds.NumpySlicesDataset(list(values), ["x"], shuffle=False)
        return lambda: sorted(ds.text.Vocab.from_dataset(dataset, "x", **options).vocab().items())

    ranges = [(None, 1), (0, 1), (2, 1), (-1, 2), (1,), [1, 2], ("a", 2), (1.5, 2), 3]
    return each(
        *[read(freq_range=freq_range) for freq_range in ranges],
        *[read(top_k=top_k) for top_k in (1, 0, -1, 1.5)],
        read((1, 2)),
        read((b"a", b"bc")),
        read(special_tokens=["a"]),
        read(special_tokens=["s", "s"]),
    )


def tokenizers_in_python(ds):
    tokenizer = ds.text.PythonTokenizer(lambda line: line.split())
    texts = "a b", np.array("a b"), np.array(["a b", "c d"]), np.array(""), np.array(3), np.array(b"a bc")
    piped = ds.NumpySlicesDataset(["a b", ""], ["x"], shuffle=False).map(tokenizer, "x")
    return each(
        *[lambda text=text: tokenizer(text) for text in texts],
        lambda: ds.text.PythonTokenizer(lambda line: 3)(np.array("a")),
        lambda: ds.text.PythonTokenizer(lambda line: line)(np.array("abc")),
        lambda: rows(piped),
    )


def numbers_of_texts(ds):
    ms = mindspore(ds)
    texts = (
        "1.5|1.5x| 12 |\t7|0x1f|-0x1p3|1e|1e+|inf|-INF|nan|nan(3)x|.5|5.|.|+|- 1|1,000|１|1e400|1e-400|1e-310|0e-400"
    )
    texts = [
        *texts.split("|"),
        "1e-40",
        "9" * 25,
        "300",
        "-1",
        "-300",
        "70000",
        "65519",
        "1e39",
        "-0",
        "0b1",
        "1_0",
        "",
    ]
    dtypes = ms.int8, ms.int64, ms.uint8, ms.float16, ms.float32, ms.float64

    def converted(text):
        return each(*[lambda dtype=dtype: str(ds.text.ToNumber(dtype)([text])[0]) for dtype in dtypes])

    values = np.array([b"3", b"40"]), np.array([[3, 4]]), np.array([["1", "2"]])
    others = each(*[lambda value=value: ds.text.ToNumber(ms.int32)(value) for value in values])
    large = each(lambda: ds.text.ToNumber(ms.float64)(["0x1p99999"]), lambda: ds.text.ToNumber(ms.int32)(["9" * 5000]))
    return {text: converted(text) for text in texts} | {"others": others, "large": large}
