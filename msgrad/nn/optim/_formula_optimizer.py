"""Optimizers as declarations: hyperparameters, slots, and the formula of a step."""

from ...ops.optim.optimization import Update, check_gradients, next_step
from ...tensor.parameter import write_all
from .optimizer import Optimizer


class FormulaOptimizer(Optimizer):
    """The base of declared optimizers; a subclass defines `update`, and the attributes that it names.

    Attributes:
        update (Update): the formula of a step. Its names are ``parameter``, ``gradient``, ``rate``, ``decay`` (the
            weight decay, 0 for Parameters without it) and attributes: a ParameterTuple is a slot, with one element for
            each Parameter; a Tensor or a float is shared by all; anything else is static.
        is_decoupled (bool): whether the formula applies the weight decay, so that it is not added to the gradients.
    """

    update = None
    is_decoupled = False

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if isinstance(vars(cls).get("update"), Update):  # a subclass's method may have this name
            cls.update.check(cls)

    def construct(self, gradients):
        """Makes one step with the gradients (tuple of Tensors of the Parameters' shapes); returns a tuple of True."""
        check_gradients(gradients, len(self.parameters), self.cls_name)
        sources = {"parameter": list(self.parameters), "gradient": list(self.prepared(gradients))}
        if self.is_decoupled:
            sources["decay"] = self.each_decay()
        rate = self.get_lr()
        write_all((self.global_step,), (next_step(self.global_step),))
        sources["rate"] = list(rate) if isinstance(rate, tuple) else rate
        self.advance(sources)
        self.update.write(lambda name: sources[name] if name in sources else getattr(self, name))
        return (True,) * len(self.parameters)

    def prepared(self, gradients):
        """The gradients as the formula takes them: centralized, scaled, with weight decay."""
        gradients = gradients if self.is_decoupled else self.decay_weight(gradients)
        return self.scale_grad(self.gradients_centralization(gradients))

    def advance(self, sources):
        """Updates shared state once per step, after ``global_step``; ``sources`` (dict): formula inputs by name."""
