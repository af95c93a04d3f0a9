"""The base of layers with distributions of weights."""

from ....engine.refusal import refuse
from ...cell import Cell
from ..distribution.distribution import Distribution


class Variational(Cell):
    """A layer whose weights are sampled at each call from distributions that it learns."""

    def _learn_(self, weights, shape, prior, posterior):
        """Creates the prior and posterior distributions of some weights.

        Args:
            weights (str): ``"weight"`` or ``"bias"``.
            shape (tuple): of the weights.
            prior (Cell | callable): the prior, or a function that makes it.
            posterior (callable): makes the posterior from ``name`` and ``shape``.
        """
        setattr(self, f"{weights}_prior", self._made(f"{weights}_prior_fn", prior))
        setattr(self, f"{weights}_posterior", self._made(f"{weights}_posterior_fn", posterior, f"bnn_{weights}", shape))

    def _made(self, argument, make, *named):
        try:
            distribution = make if isinstance(make, Cell) else make(**dict(zip(("name", "shape"), named, strict=False)))
        except TypeError as error:
            refuse(TypeError, self.cls_name, argument, "a function of 'name' and 'shape'", make, f"It says: {error}")
        if not all(
            name == "normal" and isinstance(cell, Distribution) for name, cell in distribution.name_cells().items()
        ):
            hint = "Give it a distribution called 'normal', as NormalPrior and NormalPosterior have it."
            refuse(TypeError, self.cls_name, argument, "a Cell of a normal distribution", distribution, hint)
        return distribution

    def _drawn_(self, weights):
        """A sample of the weights ``weights`` (str)."""
        return getattr(self, f"{weights}_posterior")("sample")

    def compute_kl_loss(self):
        """The KL divergence of posteriors from priors, summed over all weights: a 0-d Tensor."""
        return sum(self._divergence(weights) for weights in (("weight", "bias") if self.has_bias else ("weight",)))

    def _divergence(self, weights):
        prior, posterior = getattr(self, f"{weights}_prior"), getattr(self, f"{weights}_posterior")
        return prior("kl_loss", posterior("get_dist_type"), *posterior("get_dist_args")).sum()

    def _shown_(self, arguments):
        """The layer's text for ``repr``: its arguments by name, and its Parameters."""
        named = {name: getattr(self, name) for name in arguments} | self._learnt("weight")
        named |= {"has_bias": self.has_bias} | (self._learnt("bias") if self.has_bias else {})
        return ", ".join(f"{name}={value}" for name, value in named.items())

    def _learnt(self, weights):
        posterior = getattr(self, f"{weights}_posterior")
        return {f"{weights}_mean": posterior.mean, f"{weights}_std": posterior.untransformed_std}
