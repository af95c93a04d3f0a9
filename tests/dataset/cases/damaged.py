"""Damaged files that MindSpore refuses or reads as msgrad does, and unusual but valid ones."""

import struct
import zlib

from .basics import mindspore, rows
from .run import outcome
from .sources import example, folder, masked_crc, message, varint

GIVEN = [{"f": [k / 2, 1.5], "n": [k, -k, 300], "s": [b"ab", bytes([65 + k])]} for k in range(2)]


def record(data):
    head = struct.pack("<Q", len(data))
    return head + struct.pack("<I", masked_crc(head)) + data + struct.pack("<I", masked_crc(data))


def feature(content, name=b"a"):
    """The message of a tf.train.Example of one feature."""
    return message(1, message(1, (b"" if name is None else message(1, name)) + content))


def ints(content):
    return feature(message(2, message(3, content)))


WHOLE = [record(example(features)) for features in GIVEN]


def number(field, wire_type, content):
    return varint(field << 3 | wire_type) + content


MESSAGES = {
    "whole": example(GIVEN[0]),
    "varint of 10 bytes": ints(message(1, b"\xff" * 9 + b"\x01")),
    "varint of 10 bytes, beyond 64 bits": ints(message(1, b"\xff" * 9 + b"\x7f")),
    "varint of 11 bytes": ints(message(1, b"\xff" * 10 + b"\x01")),
    "varint of 2000 bytes": ints(message(1, b"\xff" * 2000 + b"\x01")),
    "varint without end": ints(message(1, b"\xff")),
    "float32 of 3 bytes": feature(message(2, message(2, message(1, b"abc")))),
    "float32 not packed": feature(message(2, message(2, number(1, 5, struct.pack("<f", 2.5)) * 2))),
    "int64 not packed": feature(message(2, message(3, number(1, 0, b"\x05") + number(1, 0, b"\x06")))),
    "unknown list": feature(message(2, message(7, b"abc"))),
    "no list": feature(b""),
    "empty feature": feature(message(2, b"")),
    "feature is a varint": feature(number(2, 0, b"\x05")),
    "no name": feature(message(2, message(3, message(1, b"\x05"))), name=None),
    "name is no UTF-8": feature(message(2, message(3, message(1, b"\x05"))), name=b"\xff\xfe"),
    "field 0": number(0, 2, b"\x01a"),
    "tag 0": b"\x00",
    "tag beyond 32 bits": b"\xff" * 8 + b"\x01\x00",
    "unknown field": example(GIVEN[0]) + message(9, b"zzz"),
    "name twice": example({"a": [1]}) + example({"a": [7, 8]}),
    "two kinds of list": feature(message(2, message(3, message(1, b"\x05")) + message(2, message(1, b"abcd")))),
    "two lists": feature(message(2, message(3, message(1, b"\x05")) + message(3, message(1, b"\x06")))),
    "two maps": example({"a": [1]}) + example({"c": [7, 8]}),
    "no message": b"\xff\xff\xff",
}


def flipped(data, place, bit=0):
    """``data`` (bytes) with one bit that is the other."""
    result = bytearray(data)
    result[place] ^= 1 << bit
    return bytes(result)


FILES = {
    "whole": b"".join(WHOLE),
    "empty": b"",
    "text": b"no records at all, but some text that is long enough",
    "CRC of the first length": flipped(WHOLE[0], 9),
    "first length": flipped(WHOLE[0], 0),
    "first length, high": flipped(WHOLE[0], 7),
    "no CRCs": WHOLE[0][:8] + bytes(4) + WHOLE[0][12:-4] + bytes(4),
    "no CRC of the data": WHOLE[0][:-4] + bytes(4),
    "cut in the data": WHOLE[0] + WHOLE[1][:20],
    "cut in the head": WHOLE[0] + WHOLE[1][:5],
}


def read(ds, data, **options):
    """The rows of a TFRecord file of ``data`` (bytes)."""
    path = folder() / "a.tfrecord"
    path.write_bytes(data)
    return rows(ds.TFRecordDataset(str(path), shuffle=False, **options))


def tfrecord_messages(ds):
    return {name: outcome(read, ds, record(data)) for name, data in MESSAGES.items()}


def tfrecord_files(ds):
    return {name: outcome(read, ds, data) for name, data in FILES.items()}


def tfrecord_zlib(ds):
    whole = zlib.compress(b"".join(WHOLE))
    return {
        name: outcome(lambda data: read(ds, data, compression_type="ZLIB"), data)
        for name, data in {"whole": whole, "more behind": whole + b"rest", "no stream": b"no stream"}.items()
    }


STRINGS = {
    "uneven": [b"ab", b"c", b""],
    "NUL": [b"a\x00b"],
    "not ASCII": ["é".encode(), b"a"],
    "no UTF-8": [b"ab\xc3"],
    "none": [],
}


def tfrecord_strings(ds):
    ms, result = mindspore(ds), {}
    for name, strings in STRINGS.items():
        data = record(feature(message(2, message(1, b"".join(message(1, each) for each in strings)))))
        for kind in (None, ms.string, ms.int32):
            schema = None if kind is None else ds.Schema()
            if schema:
                schema.add_column("a", kind)
            result[f"{name}, {kind}"] = outcome(lambda data, schema: read(ds, data, schema=schema), data, schema)
    return result


INTS = ["1", "2147483647", "2147483648", "-2147483648", "-2147483649", "9223372036854775808", "1" * 30, "1" * 5000]
INTS += [" 1", "1 ", "+1", "1.5", "1_0", "0x10", "1e3", "abc", "\uff11", "-0", "+ 1", "--1", "\t1", "\u00a01", "00012"]
FLOATS = ["1", "1e400", "-1e400", "nan", "-NAN", "inf", "infinity", "1_0", "3.4028235e38", "3.4028236e38", "abc", " 1"]
FLOATS += ["1" * 400, "0x1p3", "0x.8", "0x", "1f", ".5", "5.", "1e", "1e+", "1e5x", "+", "1 2", "-1.5e-3"]
QUOTED = ['"a""b"', '"a\nb"', '"ab"c', '"a" ', '"abc', "x" * 200000]


def read_csv(ds, text, default):
    path = folder() / "a.csv"
    path.write_text(f"{text}\n7\n", encoding="utf-8")
    dataset = ds.CSVDataset(str(path), column_defaults=[default], column_names=["a"], shuffle=False)
    results = [row["a"] for row in rows(dataset)]
    return [str(results[0].dtype.kind), str(results[0])[:30], len(results)]


def csv_fields(ds):
    columns = {"int": (INTS, 0), "float": (FLOATS, 0.5), "str": (QUOTED, "z")}
    return {
        f"{name} {text[:15]}, {len(text)}": outcome(read_csv, ds, text, default)
        for name, (texts, default) in columns.items()
        for text in texts
    }


CSV_FILES = {
    "quoted": '"a","b"\n"1","2"\n',
    "quotes of all kinds": 'a,b\n"x,y","1""2"\n"","x\ny"\n"""x""",z\n',
    "quote within": 'a,b\n1,x"y\n',
    "quotes within": 'a,b\n1,x"y"\n',
    "quote after a space": 'a,b\n1, "2"\n',
    "text after quotes": 'a,b\n"1"x,2\n',
    "quote that is not closed": 'a,b\n1,"2\n',
    "quote in the header": 'a"x,b\n1,2\n',
    "nothing": "",
    "header": "a,b\n",
    "empty lines": "\n\n",
    "two names": "a,a\n1,2\n",
    "line without fields": "a,b\n\n1,2\n",
}


def read_csvs(ds, texts, **arguments):
    place = folder()
    for k, text in enumerate(texts):
        (place / f"{k}.csv").write_text(text)
    dataset = ds.CSVDataset(str(place / "*.csv"), shuffle=False, num_parallel_workers=1, **arguments)
    return [[str(each) for each in row.values()] for row in rows(dataset)]


def csv_quotes(ds):
    return {
        f"{name}, {names}": outcome(read_csvs, ds, [text], column_names=names)
        if names
        else outcome(read_csvs, ds, [text])
        for name, text in CSV_FILES.items()
        for names in (None, ["a", "b"])
    }


def csv_several(ds):
    second = ["", "a,b\n", "c,d\n3,4\n", "c\n3\n", "\n", "a,b\n3,4\n"]
    return [outcome(read_csvs, ds, ["a,b\n1,2\n", text]) for text in second]


def csv_arguments(ds):
    path = folder() / "a.csv"
    path.write_text("1,2\n")
    columns = [{"field_delim": each} for each in ('"', "\n", "\r", ";", "", "ab")]
    columns += [{"column_names": each} for each in (["a", "a"], ["a", ""], ["a", 1], ["a", "b"])]
    return [outcome(lambda kw: bool(ds.CSVDataset(str(path), **kw)), each) for each in columns]


def no_rows(ds):
    path = folder() / "a.txt"
    path.write_text("\n")
    sources = [ds.TextFileDataset, ds.CLUEDataset, lambda *a, **kw: ds.CSVDataset(*a, column_names=["a"], **kw)]
    return [outcome(lambda source: rows(source(str(path), shuffle=False)), source) for source in sources]


def not_utf8(ds):
    path = folder() / "a.txt"
    path.write_bytes(b"ab\xff\n")
    sources = [ds.TextFileDataset, ds.CSVDataset, ds.CLUEDataset]
    return [outcome(lambda source: rows(source(str(path), shuffle=False)), source) for source in sources]
