"""`bert_tiny` with nine dropout layers, of which each library draws its own numbers."""

import functools

from . import bert_tiny

TITLE = f"{bert_tiny.TITLE}, nine dropout layers"

mindspore_step = functools.partial(bert_tiny.mindspore_step, dropout=0.1)
jax_step = functools.partial(bert_tiny.jax_step, dropout=0.1)
