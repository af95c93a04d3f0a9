"""Networks written for MindSpore; `describe` builds them, under MindSpore or msgrad, and describes them.

Each module of `NAMES` has ``build(width)``, ``WIDTH``, the width of the published network, and ``SHAPE``, that of an
input for a narrow one. Those of `TRAINED` give their own loss, and have ``data()`` and ``optimizer(network)``: `train`
has them learn. They import ``mindspore``: run them with the reference's interpreter, or through ``msgrad.alias``.
"""

NAMES = ("resnet50", "mobilenet_v2", "unet", "dcgan")
TRAINED = ("transformer", "bilstm_crf")
