"""Unsupported names of ``mindspore.dataset``: they import, and raise an error with an alternative on use."""

import enum

from ..ops.legacy.left_out import LeftOut
from . import audio, text, transforms, vision
from .node import Dataset

_VIDEO = (
    "it decodes videos by compiled libraries",
    "Read the frames with opencv (cv2.VideoCapture) in a source for GeneratorDataset.",
)
_CLOUD = ("it reads from Huawei's object storage", "Copy the files to a local folder, and use MindDataset.")
_JIEBA = (
    "it is a compiled library that cuts Chinese text",
    "Use text.PythonTokenizer with a function of the package jieba.",
)
_SENTENCE_PIECE = (
    "it is a compiled library",
    "Use text.PythonTokenizer with a function of the package sentencepiece.",
)
_TREE = (
    "it builds the tree of MindSpore's compiled part, and a pipeline here is its own tree",
    "Iterate over the dataset, or ask it: children, to_json, get_dataset_size, output_shapes.",
)
_QUEUE = ("it feeds the queue of a device", "Iterate over the dataset, or use data_sink, and pass the Tensors on.")
_SIZED = ("the size of a batch follows from the pipeline", "Use get_batch_size to read it, and batch to set it.")
_ROWS = [
    (
        "OBSMindDataset(dataset_files, server, ak, sk, sync_obs_path, columns_list=None, shuffle=True, "
        "num_shards=None, shard_id=None, shard_equal_rows=True)",
        _CLOUD,
    ),
    ("sync_wait_for_dataset(rank_id, rank_size, current_epoch, obs_runtime)", _CLOUD),
]
_VISION = [
    ("DecodeVideo()", _VIDEO),
    ("VideoDecoder(source)", _VIDEO),
    ("read_video(filename, start_pts=0, end_pts=None, pts_unit='pts')", _VIDEO),
    ("read_video_timestamps(filename, pts_unit='pts')", _VIDEO),
]
_TRANSFORMS = [
    (
        "Plugin(lib_path, func_name, user_args=None)",
        ("it calls a compiled library in MindSpore's own form", "Call the library through ctypes in a function."),
    ),
]
_AUDIO = [
    (
        "Vad(sample_rate, trigger_level=7.0, trigger_time=0.25, search_time=1.0, allowed_gap=0.25, "
        "pre_trigger_time=0.0, boot_time=0.35, noise_up_time=0.1, noise_down_time=0.01, noise_reduction_amount=1.35, "
        "measure_freq=20.0, measure_duration=None, measure_smooth_time=0.4, hp_filter_freq=50.0, "
        "lp_filter_freq=6000.0, hp_lifter_freq=150.0, lp_lifter_freq=2000.0)",
        (
            "MindSpore's cuts where no voice begins, in ways that are not documented",
            "Write a function that finds the voice, and give it to dataset.map(...).",
        ),
    ),
]
_TEXT = [
    (
        "FilterWikipediaXML()",
        (
            "it is compiled rules for one dump of Wikipedia's",
            "Use text.PythonTokenizer with a function, or RegexReplace.",
        ),
    ),
    ("JiebaTokenizer(hmm_path, mp_path, mode='MIX', with_offsets=False)", _JIEBA),
    ("SentencePieceTokenizer(mode, out_type)", _SENTENCE_PIECE),
    ("SentencePieceVocab()", _SENTENCE_PIECE),
]
_DATASET = [
    ("copy_batch_size(self, value)", _SIZED),
    ("create_ir_tree(self, getter_mode=False)", _TREE),
    ("device_que(self, send_epoch_end=True, create_data_info_queue=False, queue_name='')", _QUEUE),
    ("iterator_bootstrap(self)", _TREE),
    ("parse(self, children=None)", _TREE),
    ("parse_tree(self, getter_mode=False)", _TREE),
    ("post_parse(self, ir_node)", _TREE),
    ("pre_parse(self, getter_mode)", _TREE),
    ("pre_process(self, dataset)", _TREE),
    ("recv(self, src=0, group=None)", _QUEUE),
    ("send(self, tensor=None, dst=0, group=None)", _QUEUE),
]
_ENUMS = {
    "JiebaMode": "MIX MP HMM",
    "SPieceTokenizerLoadType": "FILE MODEL",
    "SPieceTokenizerOutType": "STRING INT",
    "SentencePieceModel": "UNIGRAM BPE CHAR WORD",
}


def _made(path, rows):
    for row, reason in rows:
        yield row.partition("(")[0], LeftOut(path, row, reason)


NAMES = dict(_made("dataset", _ROWS))
for _module, _rows in ((audio, _AUDIO), (vision, _VISION), (transforms, _TRANSFORMS), (text, _TEXT)):
    vars(_module).update(_made(f"dataset.{_module.__name__.rpartition('.')[2]}", _rows))
for _name, _made_method in _made("dataset.Dataset", _DATASET):
    setattr(Dataset, _name, _made_method)
vars(text).update({name: enum.IntEnum(name, names, start=0, module=text.__name__) for name, names in _ENUMS.items()})
