"""Errors of pipelines: RuntimeErrors, as in MindSpore, that name the operation and include the user's error."""

import traceback

_MSG_USER = (
    "Exception thrown from user defined Python function in dataset: '{}' failed{}.\n\n{}\nThe error above is that of "
    "the function; this one says where in the pipeline it happened."
)
_MSG_PIPELINE = "Exception thrown from dataset pipeline: for '{}', {}."


def pipeline_error(message):
    """A RuntimeError of a pipeline, marked as such: outer nodes raise it again unchanged."""
    # A mark, not a class of its own: the traceback shows the class's name, and MindSpore's says RuntimeError.
    error = RuntimeError(message)
    error.is_of_pipeline = True
    return error


def broken(node, sentence):
    """The error for rows that ``node`` (str) cannot process; ``sentence`` is the reason."""
    return pipeline_error(_MSG_PIPELINE.format(node, sentence))


def user_error(node, error, row=None):
    """The error of a pipeline in which a user's function raised ``error``.

    Args:
        node (str): the dataset or operation.
        error (Exception | str): what was raised, or its traceback.
        row (int): the number of the row in its epoch. Default: ``None``, unknown.
    """
    if getattr(error, "is_of_pipeline", False):
        return error
    text = error if isinstance(error, str) else "".join(traceback.format_exception(error))
    raised = pipeline_error(_MSG_USER.format(node, "" if row is None else f" at row {row}", text))
    raised.__cause__ = None if isinstance(error, str) else error
    return raised
