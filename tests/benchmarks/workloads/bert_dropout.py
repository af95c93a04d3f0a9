"""`bert_tiny` with dropout in nine places, of which each library draws its own numbers."""

import functools

from . import bert_tiny

TITLE = f"{bert_tiny.TITLE}, dropout in nine places"

mindspore_step = functools.partial(bert_tiny.mindspore_step, dropout=0.1)
jax_step = functools.partial(bert_tiny.jax_step, dropout=0.1)
