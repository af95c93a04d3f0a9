"""The rows: sizes of the transformer, what is done with it, and what is asked of msgrad."""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Sizes:
    """Of a decoder-only transformer."""

    layers: int
    width: int
    heads: int
    words: int
    places: int
    batch: int = 1


@dataclasses.dataclass(frozen=True)
class Row:
    """A row of the table.

    Attributes:
        title (str): what a turn does.
        work (str): the function of `work` that does it.
        sizes (Sizes): of the transformer.
        lengths (tuple of int): of the sequences; for a generation, of the prompt and of what is generated.
        turns (int): how often it is done.
        shown (tuple of int): the turns in the table, from 1.
        asked (tuple of float): the most times of PyTorch's median that these turns of msgrad's may take.
        programs (int): the most programs that msgrad may compile; None if no number is asked.
        settings (tuple of tuple): environment variables of msgrad's process.
        is_repeated (bool): whether msgrad runs it once more with ``MSGRAD_LENGTHS=off``, for the memory.
    """

    title: str
    work: str
    sizes: Sizes
    lengths: tuple
    turns: int
    shown: tuple
    asked: tuple = ()
    programs: int | None = None
    settings: tuple = ()
    is_repeated: bool = False


GPT2 = Sizes(layers=12, width=768, heads=12, words=50257, places=1024)
COMPILED_AT_ONCE = (("MSGRAD_TIERS", "off"),)

ROWS = {
    "gpt2-growing": Row(
        "GPT-2 (124 M), 64 tokens, cache that grows", "growing", GPT2, (8, 64), 10, (1, 2, 10), (1.5, 1.2, 1.1)
    ),
    "gpt2-static": Row("the same, cache of fixed size", "static", GPT2, (8, 64), 2, (1, 2), (2.0,)),
    "decoder": Row(
        "decoder (4 layers, 256 wide), 48 tokens, cache that grows",
        "growing",
        Sizes(layers=4, width=256, heads=8, words=1000, places=64),
        (8, 48),
        10,
        (1, 2, 10),
        (6.0, 1.3, 1.3),
    ),
    "training": Row(
        "training steps (2 layers, 64 wide, batch 4), 100 lengths of 16 to 115",
        "epoch",
        Sizes(layers=2, width=64, heads=4, words=100, places=128, batch=4),
        tuple(range(16, 116)),
        3,
        (1, 2, 3),
        (8.0, 3.0, 1.2),
    ),
    "programs": Row(
        "one token after 1 to 2 048 (1 layer, 32 wide), all compiled",
        "growing",
        Sizes(layers=1, width=32, heads=2, words=100, places=2050),
        (1, 2048),
        1,
        (1,),
        programs=20,
        settings=COMPILED_AT_ONCE,
    ),
    "memory": Row(
        "training steps (2 layers, 128 wide, batch 8), 6 lengths of 400 to 485, all compiled",
        "epoch",
        Sizes(layers=2, width=128, heads=8, words=100, places=512, batch=8),
        tuple(range(400, 486, 17)),
        1,
        (1,),
        settings=COMPILED_AT_ONCE,
        is_repeated=True,
    ),
}


def weights(sizes):
    """The weights of the transformer by name, the same for all libraries."""
    rng, width = np.random.default_rng(0), sizes.width

    def normal(*shape):
        return rng.standard_normal(shape, np.float32) * np.float32(0.05 if shape[0] != shape[-1] else 0.5 / width**0.5)

    named = {"words": normal(sizes.words, width), "places": normal(sizes.places, width)}
    shapes = {
        "inputs": (3 * width, width),
        "output": (width, width),
        "up": (4 * width, width),
        "down": (width, 4 * width),
    }
    for layer in range(sizes.layers):
        for name, shape in shapes.items():
            named[f"blocks.{layer}.{name}.weight"] = normal(*shape)
    return named


def text(sizes, length):
    """Words of ``(batch, length + 1)``, the same for all libraries."""
    return np.random.default_rng(length).integers(0, sizes.words, (sizes.batch, length + 1)).astype(np.int32)


def order(lengths, turn):
    """The lengths of an epoch, shuffled."""
    return np.random.default_rng(turn).permutation(lengths).tolist()
