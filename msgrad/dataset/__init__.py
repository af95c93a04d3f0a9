"""``mindspore.dataset``: pipelines of data."""

from .. import alias
from . import config, saving, text, transforms, vision
from .batching import BatchDataset, BatchInfo, BucketBatchByLengthDataset, PaddedBatchDataset
from .caching import DatasetCache
from .callbacks import DSCallback
from .generator import GeneratorDataset, NumpySlicesDataset, PaddedDataset
from .iterators import DictIterator, Iterator, TupleIterator
from .joining import ConcatDataset, ProjectDataset, RenameDataset, SyncWaitDataset, ZipDataset, zip
from .mapping import MapDataset
from .node import Dataset
from .ordering import FilterDataset, RepeatDataset, ShuffleDataset, SkipDataset, TakeDataset
from .samplers import (
    DistributedSampler,
    PKSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    SubsetSampler,
    WeightedRandomSampler,
)
from .schema import Schema
from .shuffling import Shuffle
from .sources.annotated import CocoDataset, VOCDataset
from .sources.arrays import (
    Cifar10Dataset,
    Cifar100Dataset,
    EMnistDataset,
    FashionMnistDataset,
    KMnistDataset,
    MnistDataset,
)
from .sources.images import CelebADataset, ImageFolderDataset, ManifestDataset
from .sources.lines import CSVDataset, TextFileDataset
from .sources.mindrecord import MindDataset
from .sources.tfrecord import TFRecordDataset

__all__ = [
    "BatchDataset",
    "BatchInfo",
    "BucketBatchByLengthDataset",
    "CelebADataset",
    "Cifar100Dataset",
    "Cifar10Dataset",
    "CocoDataset",
    "ConcatDataset",
    "config",
    "CSVDataset",
    "Dataset",
    "DatasetCache",
    "DictIterator",
    "DistributedSampler",
    "DSCallback",
    "EMnistDataset",
    "FashionMnistDataset",
    "FilterDataset",
    "GeneratorDataset",
    "ImageFolderDataset",
    "Iterator",
    "KMnistDataset",
    "ManifestDataset",
    "MapDataset",
    "MindDataset",
    "MnistDataset",
    "NumpySlicesDataset",
    "PaddedBatchDataset",
    "PaddedDataset",
    "PKSampler",
    "ProjectDataset",
    "RandomSampler",
    "RenameDataset",
    "RepeatDataset",
    "Sampler",
    "saving",
    "Schema",
    "SequentialSampler",
    "Shuffle",
    "ShuffleDataset",
    "SkipDataset",
    "SubsetRandomSampler",
    "SubsetSampler",
    "SyncWaitDataset",
    "TakeDataset",
    "text",
    "TextFileDataset",
    "TFRecordDataset",
    "transforms",
    "TupleIterator",
    "vision",
    "VOCDataset",
    "WeightedRandomSampler",
    "zip",
    "ZipDataset",
]

alias.attach()  # the legacy paths below this package, which is imported after msgrad itself
