"""Published audio datasets, in miniature: files that the cases write themselves (see `basics`)."""

import numpy as np

from .folders import read, sound, tree
from .run import each

SHORT = sound([0, 16384, -32768, 32767])


def short(rate):
    return sound([0, 16384, -32768, 32767], rate)


def yes_no(ds):
    path = tree({"1_1_0_0_1_1_0_0.wav": SHORT, "0_0_0_1_0_0_1_1.wav": sound([5, -7, 9], 16000), "README": "text"})
    return each(
        lambda: sorted(map(str, read(ds.YesNoDataset(path, shuffle=False))[1])),
        lambda: read(ds.YesNoDataset(tree({"README": "text"}))),
        lambda: read(ds.YesNoDataset(tree({"1_1_0_0_1_1_0_0.wav": "no sound"}))),
        lambda: ds.YesNoDataset("/no/such/folder"),
    )


def gtzan(ds):
    from_names = "blues.00000.wav blues.00030.wav disco.00001.wav disco.00015.wav".split()
    path = tree({f"{name.split('.')[0]}/{name}": short(22050) for name in from_names})
    return each(
        lambda: sorted(map(str, read(ds.GTZANDataset(path, shuffle=False))[1])),
        lambda: read(ds.GTZANDataset(path, "train", shuffle=False)),
        lambda: read(ds.GTZANDataset(path, "valid", shuffle=False)),
        lambda: read(ds.GTZANDataset(path, "test", shuffle=False)),
        lambda: ds.GTZANDataset(path, "other"),
    )


def speech_commands(ds):
    names = "cat/b433eff_nohash_0 cat/5a33edf_nohash_1 dog/b433w2w_nohash_0 dog/c_nohash_12 _background_noise_/n"
    files = {f"{name}.wav": SHORT for name in names.split()}
    files |= {"testing_list.txt": "dog/c_nohash_12.wav\n", "validation_list.txt": "cat/5a33edf_nohash_1.wav\n"}
    path = tree(files)
    parts = ("train", "valid", "test", "all", None, "other")
    return [each(lambda part=part: read(ds.SpeechCommandsDataset(path, part, shuffle=False))) for part in parts]


def lj_speech(ds):
    lines = "LJ001-0001|Printing, in 1|Printing, in one\nLJ001-0002|in being|in being\n"
    path = tree({"metadata.csv": lines, "wavs/LJ001-0001.wav": SHORT, "wavs/LJ001-0002.wav": SHORT, "README": ""})
    return each(
        lambda: read(ds.LJSpeechDataset(path, shuffle=False)),
        lambda: read(ds.LJSpeechDataset(tree({"metadata.csv": lines}), shuffle=False)),
        lambda: read(ds.LJSpeechDataset(tree({"wavs/a.wav": SHORT}), shuffle=False)),
    )


def cmu_arctic(ds):
    files = {}
    for name in ("aew", "bdl"):
        files[f"cmu_us_{name}_arctic/etc/txt.done.data"] = (
            '( arctic_a0001 "Author of the danger trail, etc." )\n( arctic_a0002 "Not at this case." )\n'
        )
        files |= {f"cmu_us_{name}_arctic/wav/arctic_a000{k}.wav": short(16000) for k in (1, 2)}
    path = tree(files)
    return each(
        lambda: read(ds.CMUArcticDataset(path, shuffle=False)),
        lambda: read(ds.CMUArcticDataset(path, "bdl", shuffle=False, num_samples=1)),
        lambda: ds.CMUArcticDataset(path, "xyz"),
        lambda: read(ds.CMUArcticDataset(path, "slt", shuffle=False)),
    )


def libri_tts(ds):
    files = {}
    for part, speaker, chapter in (("dev-clean", 116, 288045), ("dev-clean", 116, 288046), ("test-other", 12, 7)):
        stem = f"{part}/{speaker}/{chapter}/{speaker}_{chapter}"
        files[f"{stem}.trans.tsv"] = f"{speaker}_{chapter}_000003_000000\tThe 1st, text\tThe first text\n"
        files[f"{stem}_000003_000000.wav"] = short(24000)
    path = tree(files)
    return each(
        lambda: read(ds.LibriTTSDataset(path, "test-other", shuffle=False)),
        lambda: sorted(map(str, read(ds.LibriTTSDataset(path, shuffle=False))[1])),
        lambda: read(ds.LibriTTSDataset(path, "train-clean-100", shuffle=False)),
        lambda: ds.LibriTTSDataset(path, "other"),
    )


def sphere(samples, rate=16000):
    head = (
        f"NIST_1A\n   1024\nchannel_count -i 1\nsample_rate -i {rate}\nsample_n_bytes -i 2\nsample_byte_format -s2 01\n"
    )
    head += f"sample_coding -s3 pcm\nsample_count -i {len(samples)}\nend_head\n"
    return head.encode().ljust(1024, b"\0") + np.array(samples, "<i2").tobytes()


def tedlium(ds):
    lines = "A_2009 1 A_2009 0.00 0.01 <o,f0,male> first words (2)\nA_2009 1 B 0.005 0.02 <o,f0,female> some more\n"
    newer = {"data/sph/A_2009.sph": sphere(range(320)), "data/stm/A_2009.stm": lines}
    older = {f"{part}/{kind}": content for part in ("train", "dev", "test") for kind, content in
             (("sph/A_2009.sph", sphere(range(320))), ("stm/A_2009.stm", lines))}  # fmt: skip
    return each(
        lambda: read(ds.TedliumDataset(tree(older), "release1", "dev", shuffle=False)),
        lambda: ds.TedliumDataset(tree(older), "release2", shuffle=False).get_dataset_size(),
        lambda: read(ds.TedliumDataset(tree(newer), "release3", shuffle=False)),
        lambda: ds.TedliumDataset(tree(newer), "release4"),
        lambda: ds.TedliumDataset(tree(newer), "release3", "train"),
    )
