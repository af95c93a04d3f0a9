"""Optimizers as declarations: hyperparameters, slots, and the formula that makes a step of them."""

from ...engine.refusal import refuse
from ...ops.optim.optimization import Update
from .optimizer import Optimizer


class FormulaOptimizer(Optimizer):
    """An optimizer that is a declaration; a subclass gives `update`, and attributes of the names in it.

    Attributes:
        update (Update): what a step does to a Parameter. Its names are ``parameter``, ``gradient``, ``rate``, ``decay``
            (the weight decay, of what is to decay) and attributes: a ParameterTuple is a slot, of which each Parameter
            has one; a Tensor or a float is shared by all; anything else is a part of the formula.
        is_decoupled (bool): whether the formula has the weight decay, so that gradients are not to have it.
    """

    update = None
    is_decoupled = False

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if isinstance(vars(cls).get("update"), Update):  # a program may name a method so
            cls.update.check(cls)

    def construct(self, gradients):
        """One step, by the gradients, a tuple of Tensors of the Parameters' shapes; returns a tuple of True."""
        if len(gradients) != len(self.parameters):
            every = f"{len(self.parameters)} Tensors, one for each Parameter"
            refuse(RuntimeError, self.cls_name, "gradients", every, len(gradients))
        sources = {"parameter": list(self.parameters), "gradient": list(self.prepared(gradients))}
        if self.is_decoupled:
            sources["decay"] = self.each_decay()
        rate = self.get_lr()
        self.global_step.write(self.global_step + 1)
        sources["rate"] = list(rate) if isinstance(rate, tuple) else rate
        self.advance(sources)
        self.update.write(lambda name: sources[name] if name in sources else getattr(self, name))
        return (True,) * len(self.parameters)

    def prepared(self, gradients):
        """The gradients, ready for the formula."""
        gradients = gradients if self.is_decoupled else self.decay_weight(gradients)
        return self.scale_grad(self.gradients_centralization(gradients))

    def advance(self, sources):
        """Updates shared state once a step, after ``global_step``; ``sources`` (dict): the formula's inputs by name."""
