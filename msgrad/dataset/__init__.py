"""``mindspore.dataset``: data pipelines."""

from . import _left_out, config, saving, text, transforms, utils, vision
from .base_classes import MappableDataset, SourceDataset, TextBaseDataset, VisionBaseDataset  # noqa: F401  for isinstance
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
    IterSampler,  # noqa: F401  MindSpore's module has it and does not list it
    PKSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    SubsetSampler,
    WeightedRandomSampler,
)
from .schema import Schema
from .serializing import compare, deserialize, serialize, show
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
from .sources.boxes import KITTIDataset, WIDERFaceDataset
from .sources.captions import FlickrDataset, SBUDataset
from .sources.classes import (
    Caltech256Dataset,
    Food101Dataset,
    IMDBDataset,
    LFWDataset,
    LSUNDataset,
    OmniglotDataset,
    Places365Dataset,
    RenderedSST2Dataset,
    SUN397Dataset,
)
from .sources.digits import PhotoTourDataset, QMnistDataset, SemeionDataset, STL10Dataset
from .sources.drawn import FakeImageDataset, RandomDataset
from .sources.image_pairs import CityscapesDataset, DIV2KDataset
from .sources.images import CelebADataset, ImageFolderDataset, ManifestDataset
from .sources.lines import CSVDataset, TextFileDataset
from .sources.matlab import Caltech101Dataset, Flowers102Dataset, SBDataset, SVHNDataset
from .sources.mindrecord import MindDataset
from .sources.sounds import (
    CMUArcticDataset,
    GTZANDataset,
    LibriTTSDataset,
    LJSpeechDataset,
    SpeechCommandsDataset,
    TedliumDataset,
    YesNoDataset,
)
from .sources.texts import (
    AGNewsDataset,
    AmazonReviewDataset,
    CLUEDataset,
    CoNLL2000Dataset,
    DBpediaDataset,
    EnWik9Dataset,
    PennTreebankDataset,
    SogouNewsDataset,
    SQuADDataset,
    SST2Dataset,
    UDPOSDataset,
    USPSDataset,
    WikiTextDataset,
    YahooAnswersDataset,
    YelpReviewDataset,
)
from .sources.tfrecord import TFRecordDataset
from .sources.translations import IWSLT2016Dataset, IWSLT2017Dataset, Multi30kDataset
from .utils import LineReader, imshow_det_bbox
from .waiting import WaitedDSCallback

__all__ = [
    "AGNewsDataset",
    "AmazonReviewDataset",
    "BatchDataset",
    "BatchInfo",
    "BucketBatchByLengthDataset",
    "Caltech101Dataset",
    "Caltech256Dataset",
    "CelebADataset",
    "Cifar100Dataset",
    "Cifar10Dataset",
    "CityscapesDataset",
    "CLUEDataset",
    "CMUArcticDataset",
    "CocoDataset",
    "compare",
    "ConcatDataset",
    "config",
    "CoNLL2000Dataset",
    "CSVDataset",
    "Dataset",
    "DatasetCache",
    "DBpediaDataset",
    "deserialize",
    "DictIterator",
    "DistributedSampler",
    "DIV2KDataset",
    "DSCallback",
    "EMnistDataset",
    "EnWik9Dataset",
    "FakeImageDataset",
    "FashionMnistDataset",
    "FilterDataset",
    "FlickrDataset",
    "Flowers102Dataset",
    "Food101Dataset",
    "GeneratorDataset",
    "GTZANDataset",
    "ImageFolderDataset",
    "IMDBDataset",
    "imshow_det_bbox",
    "Iterator",
    "IWSLT2016Dataset",
    "IWSLT2017Dataset",
    "KITTIDataset",
    "KMnistDataset",
    "LFWDataset",
    "LibriTTSDataset",
    "LineReader",
    "LJSpeechDataset",
    "LSUNDataset",
    "ManifestDataset",
    "MapDataset",
    "MindDataset",
    "MnistDataset",
    "Multi30kDataset",
    "NumpySlicesDataset",
    "OmniglotDataset",
    "PaddedBatchDataset",
    "PaddedDataset",
    "PennTreebankDataset",
    "PhotoTourDataset",
    "PKSampler",
    "Places365Dataset",
    "ProjectDataset",
    "QMnistDataset",
    "RandomDataset",
    "RandomSampler",
    "RenameDataset",
    "RenderedSST2Dataset",
    "RepeatDataset",
    "Sampler",
    "saving",
    "SBDataset",
    "SBUDataset",
    "Schema",
    "SemeionDataset",
    "SequentialSampler",
    "serialize",
    "show",
    "Shuffle",
    "ShuffleDataset",
    "SkipDataset",
    "SogouNewsDataset",
    "SpeechCommandsDataset",
    "SQuADDataset",
    "SST2Dataset",
    "STL10Dataset",
    "SubsetRandomSampler",
    "SubsetSampler",
    "SUN397Dataset",
    "SVHNDataset",
    "SyncWaitDataset",
    "TakeDataset",
    "TedliumDataset",
    "text",
    "TextFileDataset",
    "TFRecordDataset",
    "transforms",
    "TupleIterator",
    "UDPOSDataset",
    "USPSDataset",
    "utils",
    "vision",
    "VOCDataset",
    "WaitedDSCallback",
    "WeightedRandomSampler",
    "WIDERFaceDataset",
    "WikiTextDataset",
    "YahooAnswersDataset",
    "YelpReviewDataset",
    "YesNoDataset",
    "zip",
    "ZipDataset",
]

globals().update(_left_out.NAMES)
