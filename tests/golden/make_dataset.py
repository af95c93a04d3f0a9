"""What MindSpore 2.10 gives for the cases in tests/dataset/cases.

GLOG_v=4 ORACLE tests/golden/make_dataset.py [name ...]
"""

import json
import pathlib
import sys

import mindspore.dataset as ds

FOLDER = pathlib.Path(__file__).parent
sys.path.insert(0, str(FOLDER.parents[0] / "dataset"))

from cases import (  # noqa: E402
    batches,
    collections_image,
    collections_sound,
    collections_text,
    epochs,
    iterating,
    maps,
    orders,
    python_sources,
    run,
    samplers,
    sources,
    text,
    transforms,
    vectors,
    vision,
)

MODULES = {
    "batches": batches,
    "collections_image": collections_image,
    "collections_sound": collections_sound,
    "collections_text": collections_text,
    "epochs": epochs,
    "iterating": iterating,
    "maps": maps,
    "orders": orders,
    "python_sources": python_sources,
    "samplers": samplers,
    "sources": sources,
    "text": text,
    "transforms": transforms,
    "vectors": vectors,
    "vision": vision,
}


def main(names):
    for name in names or MODULES:
        found = run.outcomes(MODULES[name], ds)
        lines = [f"{json.dumps(case)}: {json.dumps(value)}" for case, value in found.items()]
        (FOLDER / f"dataset_{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
