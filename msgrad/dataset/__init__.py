"""``mindspore.dataset``: pipelines of data."""

from . import config, transforms, vision
from .batching import BatchDataset, BatchInfo, BucketBatchByLengthDataset, PaddedBatchDataset
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

__all__ = [
    "BatchDataset",
    "BatchInfo",
    "BucketBatchByLengthDataset",
    "ConcatDataset",
    "config",
    "Dataset",
    "DictIterator",
    "DistributedSampler",
    "DSCallback",
    "FilterDataset",
    "GeneratorDataset",
    "Iterator",
    "MapDataset",
    "NumpySlicesDataset",
    "PaddedBatchDataset",
    "PaddedDataset",
    "PKSampler",
    "ProjectDataset",
    "RandomSampler",
    "RenameDataset",
    "RepeatDataset",
    "Sampler",
    "Schema",
    "SequentialSampler",
    "Shuffle",
    "ShuffleDataset",
    "SkipDataset",
    "SubsetRandomSampler",
    "SubsetSampler",
    "SyncWaitDataset",
    "TakeDataset",
    "transforms",
    "TupleIterator",
    "vision",
    "WeightedRandomSampler",
    "zip",
    "ZipDataset",
]
