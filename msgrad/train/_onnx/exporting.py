"""`onnx.export`: writes a network as an ONNX model."""

from ...engine.refusal import refuse, require
from .._exported import checked, opened
from . import models

_ENDING = ".onnx"


def export(
    net,
    *inputs,
    file_name,
    input_names=None,
    output_names=None,
    export_params=True,
    keep_initializers_as_inputs=False,
    dynamic_axes=None,
):
    """Writes a network to an ONNX file, for onnxruntime and other tools.

    The network is set to evaluation mode during the call. The package jax2onnx converts it, and onnxruntime runs the
    model with the ``inputs``; no file is written if the results differ. While the network is converted, no other thread
    should use JAX.

    Args:
        net (Cell | function): what to export.
        inputs (Tensor): its arguments; their shapes and dtypes count. ``Tensor(shape=[None, 3], dtype=...)`` makes
            an axis dynamic; the network's computation must not depend on its length.
        file_name (str): the path; ``.onnx`` is added if it is missing.
        input_names (list[str]): names of the first inputs. Default: ``None``, the argument names.
        output_names (list[str]): names of the first results. Default: ``None``, ``output_0`` and so on.
        export_params (bool): whether the file contains the Parameters, by name; otherwise they are inputs of the model,
            after the network's. Default: ``True``.
        keep_initializers_as_inputs (bool): whether stored Parameters can be overridden as inputs. Default: ``False``.
        dynamic_axes (dict[str, dict[int, str]]): names of dynamic axes, by input and axis, such as
            ``{"x": {0: "batch"}}``; those of results follow from them. Default: ``None``.
    Raises:
        TypeError, ValueError: for other values, for a network that returns anything but Tensors, and for Parameters of
            more than 2 GB.
        RuntimeError: if an operation has no form in ONNX.
        ImportError: without the packages of the extra ``onnx``.
    Example:
        >>> ms.onnx.export(net, x, file_name="net", dynamic_axes={"x": {0: "batch"}})  # doctest: +SKIP
    Source: mindspore.onnx.export
    """
    require(file_name, str, "export", "file_name")
    if not callable(net):
        refuse(ValueError, "export", "net", "a Cell or a function", net)
    names = _names(input_names, output_names, dynamic_axes)
    require(export_params, (bool, int), "export", "export_params")
    require(keep_initializers_as_inputs, (bool, int), "export", "keep_initializers_as_inputs")
    model = models.model(net, checked(net, inputs), inputs, names, export_params, keep_initializers_as_inputs)
    with opened(file_name, _ENDING) as file:
        file.write(model)


def _names(inputs, results, axes):
    """The names passed by the user, with their types checked."""
    names = {"input_names": (inputs, list), "output_names": (results, list), "dynamic_axes": (axes, dict)}
    for argument, (value, kind) in names.items():
        if value is not None and not isinstance(value, kind):
            refuse(ValueError, "export", argument, f"a {kind.__name__}", value)
    for argument, value in (("input_names", inputs), ("output_names", results), ("dynamic_axes", axes)):
        for name in value or ():
            require(name, str, "export", f"name in {argument}")
    for name, value in (axes or {}).items():
        if not isinstance(value, dict):
            refuse(ValueError, "export", f"dynamic_axes[{name!r}]", "a dict", value)
    return models.Names(inputs or [], results or [], axes or {})
