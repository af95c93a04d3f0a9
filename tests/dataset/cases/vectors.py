"""Word vectors (see `basics`)."""

import numpy as np

from .folders import tree
from .run import each

LINES = "ok 0.418 0.24968 -0.41242\n! 0.1 0.2 0.3\nthe 1 2 3\nok 9 9 9\n"
PARTS = "4 3\n1gram-a 1 2 3\n1gram-b 0 1 0\n2gram-ab 1 1 1\n2gram-#BEGIN#a 5 5 5\n3gram-ab#END# 0 1 2\n"


def vectors_of_words(ds):
    path, text = tree({"v.txt": LINES, "glove.6B.test.txt": LINES, "wiki.test.vec": f"4 3\n{LINES}"}), ds.text
    plain = text.Vectors.from_file(f"{path}/v.txt")
    words = ("ok", "OK", "zzz", "the", "The")
    makers = [text.ToVectors(plain), text.ToVectors(plain, [-1, -1, -1]), text.ToVectors(plain, lower_case_backup=True)]
    return each(
        lambda: [[make(word) for word in words] for make in makers],
        lambda: makers[0](["ok", "the"]),
        lambda: makers[0](np.array(3)),
        lambda: text.ToVectors(text.Vectors.from_file(f"{path}/v.txt", 1))("the"),
        lambda: text.ToVectors(text.GloVe.from_file(f"{path}/glove.6B.test.txt"))("!"),
        lambda: text.ToVectors(text.FastText.from_file(f"{path}/wiki.test.vec"))("the"),
        lambda: text.GloVe.from_file(f"{path}/v.txt"),
        lambda: text.FastText.from_file(f"{path}/v.txt"),
    )


def vectors_of_parts(ds):
    make = ds.text.ToVectors(ds.text.CharNGram.from_file(tree({"charNgram.txt": PARTS}) + "/charNgram.txt"))
    return [make(word) for word in ("ab", "a", "b", "zz")]


def vectors_that_are_none(ds):
    path = tree({"short": "ok 1 2\nno 1\n", "one": "ok 1\n", "uneven": "ok 1 2\nno 1 2 3\n", "good": LINES})
    read = ds.text.Vectors.from_file
    return each(
        *[lambda name=name: read(f"{path}/{name}") for name in ("short", "one", "uneven", "missing")],
        lambda: read(f"{path}/good", -1),
        lambda: read(3),
        lambda: ds.text.ToVectors(3),
    )
