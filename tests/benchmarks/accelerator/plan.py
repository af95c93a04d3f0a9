"""Which parts there are, in which order, and how long each may take on a GPU with 16 cores."""

import dataclasses

from ...networks import NAMES, TRAINED
from .checks import EXAMPLES
from .cold import PROGRAMS
from .jobs import Job

SHARDS, ROWS_SECONDS = 3, 150  # processes that check rows of operations, and how long each does
WORKS = ("gpt2", "resnet50")
ENDS = ("first", "later")  # processes: with an empty cache, and with what the first one left
# Each group compiles side by side: what fits into the memory of one GPU of 80 GB.
STEPS = [
    [("gpt2", "bf16", ("graph", "pynative", "jax", "torch"))],
    [("resnet50", "bf16", ("graph", "pynative", "jax", "torch"))],
]
MORE_STEPS = [
    [("gpt2", "tf32", ("graph", "jax", "torch"))],
    [("resnet50", "tf32", ("graph", "jax", "torch")), ("resnet50", "default", ("graph",))],
    [("gpt2", "float32", ("graph", "torch")), ("resnet50", "float32", ("graph",))],
    [("gpt2", "float32", ("jax",)), ("gpt2", "tf32", ("pynative",)), ("resnet50", "float32", ("jax",))],
    [("gpt2", "float32", ("pynative",)), ("resnet50", "tf32", ("pynative",)), ("resnet50", "float32", ("torch",))],
]
# With --small: each version of each network once.
SMALL = [
    *[("gpt2", "bf16", ("graph", "jax")), ("gpt2", "tf32", ("pynative", "torch"))],
    *[("resnet50", "bf16", ("graph",)), ("resnet50", "float32", ("pynative", "jax", "torch"))],
]
FEW = {"networks": ("dcgan",), "examples": ("training_step",)}


@dataclasses.dataclass
class Group:
    """Timed jobs that compile side by side; ``is_quiet`` if nothing else may run meanwhile."""

    name: str
    jobs: list
    is_quiet: bool = False


def part(name, module, *arguments, limit=60, **options):
    """A job that runs a module of this package."""
    return Job(name, ["-m", f"{__package__}.{module}", *arguments], limit, **options)


def training(rows, torch, *options):
    """The jobs of some rows of training steps; none takes all the memory for itself, as XLA would."""
    for work, precision, versions in rows:
        share = "0.3" if work == "gpt2" and precision != "bf16" else "0.25"
        for version in versions:
            yield part(
                f"{work} {version} {precision}",
                *("training", work, version, precision, *options),
                limit=120,
                python=torch if version == "torch" else None,
                environment={"XLA_PYTHON_CLIENT_MEM_FRACTION": share},
            )


def groups(torch, is_small):
    """The groups of timed jobs, the most telling first; ``torch`` is the interpreter that has PyTorch."""
    options, pythons = ["--small"] if is_small else [], {"torch": torch}
    cold = {
        end: [part(f"cold {each} {end}", "cold", each, limit=45, cache=f"cold {each}") for each in PROGRAMS]
        for end in ENDS
    }
    others = [
        *[
            part(f"attention {each}", "attention", each, *options, python=pythons.get(each))
            for each in ("flash", "ops", "jax", "torch")
        ],
        *[part(f"small {each}", "small", each, python=pythons.get(each)) for each in ("msgrad", "torch")],
    ]
    named = [" and ".join(f"{work}, {precision}" for work, precision, _ in rows) for rows in [*STEPS, *MORE_STEPS]]
    steps = [Group(name, list(training(rows, torch))) for name, rows in zip(named, [*STEPS, *MORE_STEPS], strict=True)]
    return [
        *([Group("training steps", list(training(SMALL, torch, *options)))] if is_small else steps[: len(STEPS)]),
        *[Group(f"cold, {end} process", cold[end], is_quiet=True) for end in ENDS],
        Group("attention and small programs", others),
        *([] if is_small else steps[len(STEPS) :]),
    ]


def checks(is_small):
    """The jobs that check values."""
    networks = FEW["networks"] if is_small else (*NAMES, *TRAINED)
    examples = FEW["examples"] if is_small else [path.stem for path in sorted(EXAMPLES.glob("*.py"))]
    shards, seconds = (1, 15) if is_small else (SHARDS, ROWS_SECONDS)
    return [
        part("products", "products"),
        *[
            part(
                f"operations {shard}", *("checks", "operations", f"{shard}/{shards}", str(seconds)), limit=seconds + 60
            )
            for shard in range(shards)
        ],
        *[part(f"network {name}", "checks", "network", name, limit=150) for name in networks],
        *[
            part(f"example {name} {mode}", "checks", "example", name, mode, limit=100)
            for mode in ("GRAPH", "PYNATIVE")
            for name in examples
        ],
    ]
