"""Distribution: the base class of all distributions."""

import inspect
from typing import Any

from .... import ops
from ...._contracts.check import non_negative_int
from ...._contracts.doc import filled
from ...._contracts.signature import function, parse
from ....engine.refusal import refuse, require
from .._parameters import are_numbers, batch_shape, common_dtype, require_tensor, tensor_of
from .._parametrized import Parametrized
from ._formula import check_formulas

_TEXT = """{summary}

    Args:
{args}        args, kwargs (Tensor): parameters in place of those that the constructor was given.
    Returns:
        {returns}
    Raises:
        NotImplementedError: if the distribution has no formula for it.
        TypeError: if what must be a Tensor is none, or a parameter is missing.
    Example:
        >>> {example}
    Source: mindspore.nn.probability.distribution.Distribution.{name}
    """
_OF_VALUE = "        value (Tensor): where.\n"
_OF_OTHER = "        dist (str): the name of the other distribution's class; its parameters come first in ``args``.\n"
_NORMAL = "nn.probability.distribution.Normal(0.0, 1.0)"


def _method(text, summary, doctest, returns="Tensor."):
    """Makes a public method, which finds its formula by name when it is called (`Distribution._find`)."""
    name, signature = parse(text)
    inputs = ", ".join(str(each).partition("=")[0] for each in list(signature.parameters.values())[1:])
    method = function(name, signature, f"self._find({name!r})({inputs})", {})
    args = _OF_VALUE if "value" in signature.parameters else _OF_OTHER if "dist" in signature.parameters else ""
    call, answer = doctest
    example = f"{_NORMAL}.{call}\n        {answer}"
    method.__doc__ = filled(_TEXT, summary=summary, args=args, returns=returns, example=example, name=name)
    return method


def _complement(y):
    return 1.0 - y


# How each method can be derived: a formula of the class, or another method, and a function of that.
_WAYS = {
    "prob": [("_prob", None), ("_log_prob", ops.exp)],
    "log_prob": [("_log_prob", None), ("_prob", ops.log)],
    "cdf": [
        ("_cdf", None), ("_log_cdf", ops.exp), ("_survival_function", _complement),
        ("_log_survival", lambda y: -ops.expm1(y)),
    ],
    "log_cdf": [("_log_cdf", None), ("cdf", ops.log)],
    "survival_function": [("_survival_function", None), ("_log_survival", ops.exp), ("cdf", _complement)],
    "log_survival": [("_log_survival", None), ("survival_function", ops.log)],
    "sd": [("_sd", None), ("_var", ops.sqrt)],
    "var": [("_var", None), ("_sd", ops.square)],
}  # fmt: skip


class Distribution(Parametrized):
    """A probability distribution; a Cell whose first argument is the name of the method: ``normal("prob", x)``.

    A subclass defines formulas: ``_log_prob`` or ``_prob``; one of ``_cdf``, ``_log_cdf``, ``_survival_function`` and
    ``_log_survival``; ``_mean``, ``_mode``, ``_sd`` or ``_var``; ``_entropy``, ``_kl_loss``, ``_sample``. The other
    methods follow from these.

    Args:
        seed (int | None): selects the random stream, non-negative; None is 0.
        dtype (mindspore.dtype): of the samples.
        name (str): of the distribution.
        param (dict): the constructor's arguments; under ``"param_dict"`` a dict of the parameters.
    Raises:
        TypeError: for arguments of other types, or parameters of different dtypes.
        ValueError: if ``seed`` is negative, or parameters do not broadcast.
    Example:
        >>> class Half(nn.probability.distribution.Distribution):
        ...     def __init__(self):
        ...         super().__init__(None, ms.float32, "Half", {"param_dict": {}})
        ...     def _log_cdf(self, value):
        ...         return ops.log(value / 2)
        >>> Half().survival_function(Tensor([0.5])).tolist()
        [0.75]
    Source: mindspore.nn.probability.distribution.Distribution
    """

    _family_ = None  # the name of the class in `kl_loss` and `get_dist_type`
    _shown_ = ()  # the parameters' names in ``repr``, in order
    _names_in_calls_ = {}  # the methods' names of parameters that differ from the constructor's
    _event_axes_ = 0  # the number of trailing parameter axes that belong to one outcome

    # Functions that user-defined formulas use.
    cast_base, dtype_base, shape_base = ops.Cast(), ops.DType(), ops.Shape()
    exp_base, log_base, sq_base, sqrt_base = ops.Exp(), ops.Log(), ops.Square(), ops.Sqrt()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        check_formulas(cls)

    def __init__(self, seed, dtype, name, param):
        super().__init__()
        owner = type(self).__name__
        self._name = require(name, str, owner, "name")
        self._seed = non_negative_int(0 if seed is None else seed, "seed", owner)
        self._dtype = dtype
        self._parameters = {key: value for key, value in param.items() if key != "self" and key[0] != "_"}
        self._reset_parameters()
        if "distribution" not in param:
            parameters = self._parameters.get("param_dict", {})
            self.parameter_type = common_dtype(parameters, dtype, owner)
            self._batch_shape = self._broadcast_shape = batch_shape(parameters, owner)
            self._is_scalar_batch = are_numbers(parameters)

    def _declare_(self, seed, dtype, name, **parameters):
        """Initializes a distribution with these parameters; most constructors only call this.

        Args:
            seed, dtype, name: as for the constructor.
            parameters (dict): by name; None for those passed to calls.
        """
        Distribution.__init__(
            self,
            seed,
            dtype,
            name,
            {**parameters, "seed": seed, "dtype": dtype, "name": name, "param_dict": parameters},
        )
        self._keep(parameters)

    def _keep(self, parameters):
        """Stores the parameters as attributes: ``_loc``, but ``_mean_value``, since ``_mean`` is a formula."""
        for key, value in parameters.items():
            suffix = "_value" if hasattr(Distribution, key) else ""
            setattr(self, f"_{key}{suffix}", self._add_parameter(value, key))

    # -- properties ---------------------------------------------------------------------------

    @property
    def dtype(self):
        """The dtype of samples."""
        return self._dtype

    @property
    def seed(self):
        """The random stream of samples (int)."""
        return self._seed

    @property
    def batch_shape(self):
        """The shape to which the parameters broadcast (tuple); None if they are passed to calls."""
        return self._batch_shape

    @property
    def broadcast_shape(self):
        """The shape of the batch of distributions (tuple): `batch_shape` without the axes of an outcome."""
        return self._broadcast_shape

    def extend_repr(self):
        """The parameters if they are numbers, else their shape."""
        if not self._shown_:
            return ""
        if not self.is_scalar_batch:
            return f"batch_shape = {self._broadcast_shape}"
        values = zip(self._shown_, self.default_parameters, strict=True)
        return ", ".join(f"{label} = {value}" for label, value in values)

    # -- parameters ---------------------------------------------------------------------------------------------------

    def _reset_parameters(self):
        self.default_parameters = []
        self.parameter_names = []

    def _add_parameter(self, value, name):
        """Stores a parameter as a Tensor of the common dtype; returns it."""
        value = tensor_of(value, self.parameter_type)
        self.default_parameters.append(value)
        self.parameter_names.append(name)
        return value

    def _check_value(self, value, name):
        """``value``, a Tensor."""
        return require_tensor(value, name, self._name)

    checktensor = _check_value

    def checktuple(self, value, name):
        """``value``, a tuple; TypeError if it is something else."""
        return require(value, tuple, self._name, name)

    def _check_param_type(self, *args):
        """The parameters of a call, each broadcast to the shape of all and cast; a single one, or a tuple.

        Args:
            args (Tensor | None): in the order of ``parameter_names``; None means the constructor's.
        Raises:
            TypeError: if one is not a Tensor, is missing, or has another dtype than the others.
            ValueError: if shapes do not broadcast.
        """
        names = self.parameter_names[: len(args)]
        parameters = [
            default if arg is None else arg for arg, default in zip(args, self.default_parameters, strict=False)
        ]
        for name, value in zip(names, parameters, strict=True):
            self._check_value(value, name)
            if value.dtype is not parameters[0].dtype:
                refuse(TypeError, self._name, name, f"of the dtype of '{names[0]}', {parameters[0].dtype}", value)
        shape = batch_shape(dict(zip(names, parameters, strict=True)), self._name)
        fitted = [value if value.shape == shape else value.broadcast_to(shape) for value in parameters]
        fitted = tuple([value.astype(self.parameter_type) for value in fitted])
        return fitted[0] if len(fitted) == 1 else fitted

    def _get_dist_args(self, *args, **kwargs):
        arguments = dict(zip(self.parameter_names, args, strict=False)) | kwargs
        parameters = dict(zip(self.parameter_names, self.default_parameters, strict=True))
        for name, value in arguments.items():
            if name not in parameters:
                refuse(TypeError, self._name, name, f"one of {self.parameter_names}", name)
            if value is not None:
                parameters[name] = self._check_value(value, name)
        return tuple(parameters.values())

    def _get_dist_type(self, **parameters):  # Parameters of other names do not change it
        if self._family_ is None:
            self._lack("get_dist_type")
        return self._family_

    # -- methods ------------------------------------------------------------------------------------------------------

    def _find(self, name) -> Any:
        """The function that computes ``name``: a formula of the class, or one derived from others."""
        method = self._look_for(name)
        if method is None:
            self._lack(name)
        return method

    def _look_for(self, name):
        for source, then in _WAYS.get(name, [(f"_{name}", None)]):
            method = self._look_for(source) if source in _WAYS else getattr(self, source, None)
            if method is not None:
                return method if then is None else lambda *args, **kwargs: then(method(*args, **kwargs))  # noqa: B023
        return None

    def _lack(self, name):
        sources = " or ".join(repr(source) for source, _ in _WAYS.get(name, [(f"_{name}", None)]))
        raise NotImplementedError(
            f"For '{self._name}', the method '{name}' is not available: the class {type(self).__name__} "
            f"has no {sources}."
        )

    def _cross_entropy(self, dist, *args, **kwargs):
        divergence = self._find("kl_loss")
        bound = inspect.signature(divergence).bind(dist, *args, **kwargs)
        bound.apply_defaults()
        own = bound.args[1 + len(self.parameter_names) :]
        return self._find("entropy")(*own) + divergence(*bound.args)

    prob = _method(
        "prob(self, value, *args, **kwargs)",
        "The probability density at ``value``; of a discrete distribution the probability.",
        ("log_prob(Tensor([0.0])).shape", "(1,)"),
    )
    log_prob = _method(
        "log_prob(self, value, *args, **kwargs)",
        "The logarithm of `prob`.",
        ("log_prob(Tensor([0.0])).shape", "(1,)"),
    )
    cdf = _method(
        "cdf(self, value, *args, **kwargs)",
        "The probability of an outcome up to ``value``.",
        ("cdf(Tensor([0.0])).tolist()", "[0.5]"),
    )
    log_cdf = _method(
        "log_cdf(self, value, *args, **kwargs)",
        "The logarithm of `cdf`.",
        ("log_cdf(Tensor([99.0])).tolist()", "[0.0]"),
    )
    survival_function = _method(
        "survival_function(self, value, *args, **kwargs)",
        "The probability of an outcome above ``value``.",
        ("survival_function(Tensor([0.0])).tolist()", "[0.5]"),
    )
    log_survival = _method(
        "log_survival(self, value, *args, **kwargs)",
        "The logarithm of `survival_function`.",
        ("log_survival(Tensor([-99.0])).tolist()", "[0.0]"),
    )
    kl_loss = _method(
        "kl_loss(self, dist, *args, **kwargs)",
        "The Kullback-Leibler divergence from this distribution to another.",
        ("kl_loss('Normal', Tensor([0.0]), Tensor([1.0])).tolist()", "[0.0]"),
    )
    cross_entropy = _method(
        "cross_entropy(self, dist, *args, **kwargs)",
        "`entropy` plus `kl_loss`.",
        ("cross_entropy('Normal', Tensor([0.0]), Tensor([1.0])).shape", "(1,)"),
    )
    mean = _method("mean(self, *args, **kwargs)", "The mean.", ("mean().item()", "0.0"))
    mode = _method("mode(self, *args, **kwargs)", "The most likely outcome.", ("mode().item()", "0.0"))
    sd = _method("sd(self, *args, **kwargs)", "The standard deviation.", ("sd().item()", "1.0"))
    var = _method("var(self, *args, **kwargs)", "The variance.", ("var().item()", "1.0"))
    entropy = _method("entropy(self, *args, **kwargs)", "The entropy, in nats.", ("entropy().shape", "()"))
    sample = _method(
        "sample(self, *args, **kwargs)",
        "Random outcomes; the first of ``args`` is their shape (tuple). Default: ``()``.",
        ("sample((2, 3)).shape", "(2, 3)"),
        "Tensor of shape ``shape + broadcast_shape``, dtype `dtype`.",
    )
    get_dist_args = _method(
        "get_dist_args(self, *args, **kwargs)",
        "The parameters: those given here, else those of the constructor.",
        ("get_dist_args(Tensor(3.0))[0].item()", "3.0"),
        "tuple of Tensors; None where there is none.",
    )
    get_dist_type = _method("get_dist_type(self)", "The name of the class.", ("get_dist_type()", "'Normal'"), "str.")

    def construct(self, name, *args, **kwargs):
        """Calls the method of that name.

        Args:
            name (str): ``"prob"``, ``"sample"``, ...
            args, kwargs: the method's.
        Raises:
            NotImplementedError: if there is no such method.
        Source: mindspore.nn.probability.distribution.Distribution.construct
        """
        return self._find(name)(*args, **kwargs)
