"""The modules of cases that have figures of MindSpore's, by name: those of each are in ``dataset_<name>.json``."""

import importlib

_NAMES = """
    access batches collections_image collections_sound collections_text damaged epochs iterating joining kinds_of_images
    maps orders python_sources samplers sources text transforms vectors vision
"""
MODULES = {name: importlib.import_module(f".{name}", __package__) for name in _NAMES.split()}
