"""The modules of cases that have figures of MindSpore's, by name: those of each are in ``dataset_<name>.json``."""

from . import (
    batches,
    collections_image,
    collections_sound,
    collections_text,
    epochs,
    iterating,
    maps,
    orders,
    python_sources,
    samplers,
    sources,
    text,
    transforms,
    vectors,
    vision,
)

MODULES = {
    each.__name__.rpartition(".")[2]: each
    for each in (
        batches,
        collections_image,
        collections_sound,
        collections_text,
        epochs,
        iterating,
        maps,
        orders,
        python_sources,
        samplers,
        sources,
        text,
        transforms,
        vectors,
        vision,
    )
}
