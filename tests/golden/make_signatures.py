"""Writes ``signatures.json``: the reference's signatures of what msgrad has of ``ops``, Tensor, Primitive, dialects.

    python tests/golden/make_signatures.py PATH/surface.json.gz

``surface.json.gz`` lists every public name of MindSpore 2.10 with its signatures; classes' are their constructors'.
"""

import gzip
import json
import pathlib
import sys

TARGET = pathlib.Path(__file__).resolve().parent / "signatures.json"
MODULES = (
    "mindspore.ops",
    "mindspore.ops.composite",
    "mindspore.Tensor",
    "mindspore.Parameter",
    "mindspore.ops.Primitive",
    "mindspore.mint",
    "mindspore.mint.distributed",
    "mindspore.mint.linalg",
    "mindspore.mint.nn",
    "mindspore.mint.nn.functional",
    "mindspore.mint.optim",
    "mindspore.mint.special",
    "mindspore.numpy",
    "mindspore.numpy.fft",
    "mindspore.scipy.fft",
    "mindspore.scipy.linalg",
    "mindspore.scipy.ops",
    "mindspore.scipy.optimize",
)
# What these have from the others says the same there.
INHERITED = {"mindspore.ops.composite": "mindspore.ops", "mindspore.Parameter": "mindspore.Tensor"}


def main(surface):
    listed = json.loads(gzip.open(surface).read())
    chosen = {
        module: {name: texts for name, (kind, texts) in sorted(listed[module].items()) if texts} for module in MODULES
    }
    for module, base in INHERITED.items():
        chosen[module] = {name: texts for name, texts in chosen[module].items() if chosen[base].get(name) != texts}
    TARGET.write_text(json.dumps(chosen, indent=0) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
