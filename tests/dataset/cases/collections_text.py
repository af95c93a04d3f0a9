"""Published text datasets, in miniature: files that the cases write themselves (see `basics`)."""

import json

from .folders import read, tree
from .run import each

FIELDS = '"1","A ""title""","Some, text"\n"2","Second","More\\n text"\n'
CORPUS = " = Title = \n\n some words \nmore\n"
TAGGED = "Rockwell NNP B-NP\nsaid VBD B-VP\n\nIt PRP B-NP\n. . O\n\n"
TABBED = "The\tDET\tDT\ncat\tNOUN\tNN\n\nsat\tVERB\tVBD\n\n"


def both(source, files):
    """What a collection of two parts gives for each, for both and for half of both.

    With one worker, MindSpore reads a file after the other; with several it mixes their rows.
    """
    path = tree(files)
    return each(
        lambda: read(source(path, "train", shuffle=False)),
        lambda: read(source(path, "test", shuffle=False)),
        lambda: sorted(map(str, read(source(path))[1])),
        lambda: read(source(path, "all", shuffle=False, num_samples=2, num_parallel_workers=1)),
        lambda: [
            read(source(path, "all", shuffle=False, num_shards=2, shard_id=k, num_parallel_workers=1)) for k in range(2)
        ],
        lambda: source(path, "other"),
        lambda: source("/no/such/folder"),
    )


def ag_news(ds):
    return both(ds.AGNewsDataset, {"train.csv": FIELDS, "test.csv": FIELDS.replace("Second", "Third")})


def amazon_review(ds):
    return both(ds.AmazonReviewDataset, {"train.csv": FIELDS, "test.csv": FIELDS.replace("Second", "Third")})


def dbpedia(ds):
    return both(ds.DBpediaDataset, {"train.csv": FIELDS, "test.csv": FIELDS.replace("Second", "Third")})


def sogou_news(ds):
    return both(ds.SogouNewsDataset, {"train.csv": FIELDS, "test.csv": FIELDS.replace("Second", "Third")})


def yahoo_answers(ds):
    four = '"1","title","content","answer"\n"2","another","","last"\n'
    return both(ds.YahooAnswersDataset, {"train.csv": four, "test.csv": four.replace("last", "end")})


def yelp_review(ds):
    return both(ds.YelpReviewDataset, {"train.csv": '"1","good"\n"2","bad"\n', "test.csv": '"1","so, so"\n'})


def csv_collection_with_few_fields(ds):
    return read(ds.AGNewsDataset(tree({"train.csv": '"1","2"\n'}), "train", shuffle=False))


def penn_treebank(ds):
    return both(ds.PennTreebankDataset, {"ptb.train.txt": CORPUS, "ptb.test.txt": "one\n", "ptb.valid.txt": "two\n"})


def wiki_text(ds):
    return both(
        ds.WikiTextDataset, {"wiki.train.tokens": CORPUS, "wiki.test.tokens": "a\n", "wiki.valid.tokens": "b\n"}
    )


def wiki_text_valid(ds):
    return read(ds.WikiTextDataset(tree({"wiki.valid.tokens": CORPUS}), "valid", shuffle=False))


def enwik9(ds):
    return each(
        lambda: read(ds.EnWik9Dataset(tree({"enwik9": "<page>\n\n  <title>A</title>\n</page>\n"}), shuffle=False)),
        lambda: read(ds.EnWik9Dataset(tree({"other": ""}))),
    )


def sst2(ds):
    parts = {"train.tsv": "sentence\tlabel\na good film \t1\nbad\t0\n", "dev.tsv": "sentence\tlabel\nso so\t1\n"}
    path = tree(parts | {"test.tsv": "index\tsentence\n0\tone\n1\tanother one\n"})
    result = [
        each(lambda part=part: read(ds.SST2Dataset(path, part, shuffle=False)))
        for part in ("train", "dev", "test", None, "all")
    ]
    return result


def conll2000(ds):
    return both(ds.CoNLL2000Dataset, {"train.txt": TAGGED, "test.txt": TAGGED.replace("said", "says")})


def udpos(ds):
    names = [f"en-ud-tag.v2.{part}.txt" for part in ("train", "test", "dev")]
    path = tree(dict(zip(names, (TABBED, TABBED.replace("cat", "dog"), TABBED.replace("cat", "cow")), strict=True)))
    return each(
        lambda: read(ds.UDPOSDataset(path, "valid", shuffle=False)),
        lambda: read(ds.UDPOSDataset(path, shuffle=False, num_parallel_workers=1)),
    )


def multi30k(ds):
    files = {}
    for folder, stem in (("training", "train"), ("validation", "val"), ("mmt16_task1_test", "test")):
        files |= {
            f"{folder}/{stem}.en": f"{stem} one\n{stem} two\n",
            f"{folder}/{stem}.de": f"{stem} eins\n{stem} zwei\n",
        }
    path = tree(files)
    return each(
        lambda: both(ds.Multi30kDataset, files),
        lambda: read(ds.Multi30kDataset(path, "valid", ["de", "en"], shuffle=False)),
        lambda: read(ds.Multi30kDataset(path, "train", ["en", "fr"], shuffle=False)),
        lambda: read(ds.Multi30kDataset(path, "train", ("en", "de"), shuffle=False)),
    )


def xml(lines):
    segments = "".join(f'<seg id="{k}"> {line} </seg>\n' for k, line in enumerate(lines))
    documents = f'<doc docid="1">\n<url>u</url>{segments}</doc>\n<doc>{segments}</doc>'
    return f'<?xml version="1.0"?>\n<mteval><srcset>{documents}</srcset></mteval>\n'


def iwslt2016(ds):
    files = {}
    for pair in (("de", "en"), ("en", "fr")):
        folder, tag = f"texts/{pair[0]}/{pair[1]}/{pair[0]}-{pair[1]}", "-".join(pair)
        for language in pair:
            files[f"{folder}/train.tags.{tag}.{language}"] = (
                f"<url>http</url>\n {language} one\n<title>a</title>\n  {language} <b>two</b>\n"
            )
            for name in ("tst2013", "tst2014", "dev2010"):
                files[f"{folder}/IWSLT16.TED.{name}.{tag}.{language}.xml"] = xml([f"{name} {language}", "second"])
    path = tree(files)
    source = ds.IWSLT2016Dataset
    return each(
        lambda: read(source(path, "train", shuffle=False)),
        lambda: read(source(path, "valid", shuffle=False)),
        lambda: read(source(path, "test", shuffle=False)),
        lambda: read(source(path, "test", ("en", "fr"), "tst2013", "dev2010", shuffle=False)),
        lambda: sorted(map(str, read(source(path))[1])),
        lambda: read(source(path, "all", ("en", "fr"), shuffle=False, num_samples=3, num_parallel_workers=1)),
        lambda: source(path, "train", ("fr", "de")),
        lambda: source(path, "train", test_set="tst2020"),
        lambda: source(path, "train", ["fr", "en"], shuffle=False).get_col_names(),
    )


def iwslt2017(ds):
    files, folder = {}, "texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo"
    for language in ("de", "en"):
        files[f"{folder}/train.tags.de-en.{language}"] = f"<url>http</url>\n {language} one\n{language} two\n"
        for name in ("tst2010", "dev2010"):
            files[f"{folder}/IWSLT17.TED.{name}.de-en.{language}.xml"] = xml([f"{name} {language}", "second"])
    path = tree(files)
    return each(
        lambda: read(ds.IWSLT2017Dataset(path, "train", shuffle=False)),
        lambda: read(ds.IWSLT2017Dataset(path, "valid", shuffle=False)),
        lambda: read(ds.IWSLT2017Dataset(path, "test", shuffle=False)),
        lambda: ds.IWSLT2017Dataset(path, "test", ("fr", "en")),
    )


def squad(ds):
    answers = [{"answer_start": 4, "text": "cat"}, {"answer_start": 9, "text": "mat"}]
    questions = [{"id": "1", "question": "Who?", "answers": answers}, {"id": "2", "question": "Nobody?", "answers": []}]
    content = {
        "version": "2.0",
        "data": [{"title": "t", "paragraphs": [{"context": "The cat sat.", "qas": questions}]}],
    }
    path = tree({"train-v1.1.json": json.dumps(content), "dev-v1.1.json": json.dumps(content)})
    newer = tree({"train-v2.0.json": json.dumps(content)})
    return each(
        lambda: read(ds.SQuADDataset(path, "train", shuffle=False)),
        lambda: read(ds.SQuADDataset(path, "dev", shuffle=False, num_samples=1)),
        lambda: read(ds.SQuADDataset(path, shuffle=False, num_parallel_workers=1)),
        lambda: read(ds.SQuADDataset(newer, "train", shuffle=False)),
        lambda: read(ds.SQuADDataset(tree({"train-v1.1.json": "{"}), "train", shuffle=False)),
    )


CLUE = {
    "AFQMC": {"id": 3, "sentence1": "one", "sentence2": "two", "label": "0"},
    "TNEWS": {"id": 3, "label": "102", "label_desc": "news", "sentence": "a line", "keywords": "b,c"},
    "IFLYTEK": {"id": 3, "label": "7", "label_des": "app", "sentence": "a line"},
    "CMNLI": {"id": 3, "sentence1": "one", "sentence2": "two", "label": "neutral"},
    "WSC": {
        "target": {"span2_index": 25, "span1_index": 14, "span1_text": "a", "span2_text": "b"},
        "idx": 1,
        "label": "true",
        "text": "the text",
    },
    "CSL": {"id": 3, "abst": "long", "keyword": ["a", "b"], "label": "1"},
}


def clue(ds):
    results = {}
    for task, entry in CLUE.items():
        path = tree({"lines.json": json.dumps(entry) + "\n" + json.dumps(entry) + "\n"}) + "/lines.json"
        for usage in ("train", "test", "eval"):
            results[task + usage] = each(
                lambda path=path, task=task, usage=usage: read(ds.CLUEDataset(path, task, usage, shuffle=False))
            )
    return results


def clue_wrong(ds):
    path = tree({"a": "{}\n", "b": "no json\n"})
    return each(
        lambda: ds.CLUEDataset(f"{path}/a", "QQP"),
        lambda: ds.CLUEDataset(f"{path}/a", "CSL", "all"),
        lambda: read(ds.CLUEDataset(f"{path}/a", "CSL")),
        lambda: read(ds.CLUEDataset(f"{path}/b", "CSL")),
        lambda: ds.CLUEDataset(f"{path}/c"),
    )


def imdb(ds):
    path = tree({
        f"{part}/{kind}/{k}_{k + 2}.txt": f"{part} {kind} {k} <br />"
        for part in ("train", "test") for kind in ("pos", "neg") for k in range(2)
    })  # fmt: skip
    return each(
        lambda: read(ds.IMDBDataset(path, "train", shuffle=False)),
        lambda: read(ds.IMDBDataset(path, shuffle=False)),
        lambda: read(ds.IMDBDataset(path, "test", shuffle=False, num_shards=2, shard_id=1)),
        lambda: ds.IMDBDataset(path, shuffle=False).num_classes(),
        lambda: ds.IMDBDataset(path, shuffle=False).get_class_indexing(),
        lambda: ds.IMDBDataset(path, "other"),
        lambda: read(ds.IMDBDataset(tree({"nothing": ""}))),
    )


def usps(ds):
    pixels = [f"{k + 1}:{(k % 5 - 2) / 2}" for k in range(256)]
    files = {"usps": f"7 {' '.join(pixels)} \n1 {' '.join(pixels)} \n", "usps.t": f"10 {' '.join(pixels)} \n"}
    return each(
        lambda: both(ds.USPSDataset, files),
        lambda: read(ds.USPSDataset(tree({"usps": "1 1:1 \n"}), "train", shuffle=False)),
    )


def parts_missing(ds):
    return read(ds.AGNewsDataset(tree({"nothing": ""})))
