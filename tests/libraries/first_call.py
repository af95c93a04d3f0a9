"""Prints the processor time of a model's first call; not part of the suite, since it needs mindnlp 0.5.1.

    MINDNLP_PYTHON -m msgrad run tests/libraries/first_call.py MODEL
    MINDSPORE_PYTHON tests/libraries/first_call.py MODEL

MODEL is one of `small_models`, or ``generate``: 12 tokens by GPT-2. MINDSPORE_PYTHON has MindSpore 2.7.0 and mindnlp.
Imports and the model's Parameters are there before; the result is fetched to NumPy. The second figure is that of the
second call.
"""

import sys
import time

import mindnlp  # noqa: F401  makes ``torch`` its own
import torch
import transformers
from small_models import MODELS, arguments_of


def prepare(model):
    """The call, a function without arguments."""
    kind, config, values, asked, prompt = MODELS["gpt2" if model == "generate" else model]
    net = getattr(transformers, kind)(getattr(transformers, config)(**values)).eval()
    arguments = arguments_of(asked, torch.tensor)
    if model == "generate":
        return lambda: net.generate(arguments[prompt], max_new_tokens=12, pad_token_id=0, do_sample=False).numpy()
    return lambda: net(**arguments).loss.numpy()


def seconds(call):
    """The processor time of a call."""
    start = time.process_time()
    with torch.no_grad():
        call()
    return time.process_time() - start


if __name__ == "__main__":
    call = prepare(sys.argv[1])
    print(sys.argv[1], *(f"{seconds(call):.2f}" for _ in range(2)))
