"""Expressions whose terms leave the range or the precision of half types: reductions, norms, losses, and their inputs.

``x`` is what is differentiated, ``y`` another array of its shape and dtype, ``p`` probabilities and ``w`` weights
(ones) of that dtype, ``t`` classes. ``tests/golden/make_halves.py`` computes them by MindSpore.
"""

import numpy as np

ROWS = """
    ops.sum(x); ops.mean(x); ops.mean(x, -1); ops.ReduceSum()(x, 1); ops.ReduceMean()(x, 1); ops.nansum(x);
    ops.AddN()([x, x, y]); ops.var(x, -1); ops.std(x, -1); ops.std(x, None, 1); x.var(); x.std(axis=1);
    ops.var_mean(x); ops.std_mean(x); ops.ReduceStd(1)(x); ops.prod(x / 256, 1); ops.cumprod(x / 256, 1);
    ops.cumsum(x, 1); ops.trace(x); ops.diff(x); ops.trapz(x); ops.cov(x); ops.logsumexp(x, 1); ops.logcumsumexp(x, 1);
    ops.logaddexp(x, y); ops.softmax(x); ops.log_softmax(x); ops.softmin(x); ops.LogSoftmax()(x); ops.norm(x);
    ops.norm(x, 1, 1); ops.norm(x, 3, 1); ops.norm(x, -1, 1); x.norm(dim=1); ops.vector_norm(x, 2, 1);
    ops.matrix_norm(x); ops.matrix_norm(x, 2); ops.norm(x, "nuc", (0, 1));
    ops.LpNorm(1)(x); ops.dist(x, y); ops.cdist(x, y); ops.L2Normalize(1)(x);
    ops.renorm(x, 2, 0, 5.0); ops.square(x); ops.SquareSumAll()(x, y); ops.l2_loss(x); ops.clip_by_norm(x, 4.0);
    ops.clip_by_global_norm((x, y), 4.0); ops.cosine_similarity(x, y); nn.ClipByNorm()(x, Tensor(4.0, x.dtype));
    ops.matmul(x, y.T); ops.bmm(x[None], y.T[None]); ops.tensor_dot(x, y, 2); ops.inner(x, y); ops.mv(x, y[0]);
    ops.addmm(x @ y.T, x, y.T); ops.outer(x[0], y[0]); ops.lp_pool1d(x[None], 2.0, 2); ops.avg_pool1d(x[None], 4);
    ops.adaptive_avg_pool1d(x[None], 1); nn.AvgPool2d(2)(x[None, None]); ops.unsorted_segment_sum(x, t * 0, 1);
    ops.tensor_scatter_add(x, t[:, None] * 0, y); ops.scatter_nd(t[:, None] * 0, x, (2, x.shape[1]))

    ops.LayerNorm(1, 1)(x, w, w); nn.LayerNorm((x.shape[1],))(x); nn.LayerNorm((x.shape[1],), dtype=x.dtype)(x);
    ops.rms_norm(x, w); ops.layer_norm(x, (x.shape[1],), w, w); ops.group_norm(x[:, :4], 2);
    nn.GroupNorm(2, 4)(x[:, :4, None, None]); nn.GroupNorm(2, 4, dtype=x.dtype)(x[:, :4, None, None]);
    nn.InstanceNorm2d(2)(x[None, :, :, None]); nn.BatchNorm1d(4)(x[:, :4]); nn.BatchNorm1d(4).set_train()(x[:, :4]);
    nn.BatchNorm2d(2).set_train()(x[None, :, :, None]); nn.BatchNorm2d(2)(x[None, :, :, None]);
    ops.batch_norm(x, w * 0, w * 1, w, w, True); ops.batch_norm(x, w * 0, w * 1, w, w); ops.lrn(x[:, :, None, None])

    ops.mse_loss(x, y); nn.MSELoss()(x, y); nn.RMSELoss()(x, y); nn.MAELoss()(x, y); ops.l1_loss(x, y);
    ops.smooth_l1_loss(x, y); nn.SmoothL1Loss()(x, y); ops.huber_loss(x, y); nn.HuberLoss()(x, y);
    ops.cross_entropy(x, t); nn.CrossEntropyLoss()(x, t); ops.cross_entropy(x, p); ops.nll_loss(ops.log_softmax(x), t);
    ops.nll_loss(x, t); nn.SoftmaxCrossEntropyWithLogits()(x, p); ops.binary_cross_entropy_with_logits(x, p, w, w);
    nn.BCEWithLogitsLoss()(x, p); ops.binary_cross_entropy(ops.abs(x), p); nn.BCELoss()(ops.abs(x), p);
    ops.kl_div(x, p); nn.KLDivLoss()(x, p); ops.soft_margin_loss(x, ops.sign(y));
    ops.hinge_embedding_loss(x, ops.sign(y)); ops.margin_ranking_loss(x, y, ops.sign(y));
    ops.cosine_embedding_loss(x, y, t * 2 - 1); ops.triplet_margin_loss(x, y, -y); ops.multi_margin_loss(x, t);
    ops.multilabel_soft_margin_loss(x, ops.sign(y)); ops.gaussian_nll_loss(x, y, w + 0 * x);
    ops.poisson_nll_loss(x, y); nn.PoissonNLLLoss(False)(ops.abs(x), y); nn.DiceLoss()(x, y);
    nn.FocalLoss()(x, ops.sign(y).astype(ms.int32)); nn.CosineEmbeddingLoss()(x, y, t * 2 - 1)
"""
ROWS = [row.strip() for line in ROWS.splitlines() for row in line.split(";") if row.strip()]


def inputs(kind):
    """``x``, ``y``, ``p``, ``w`` and ``t`` as float32 and int32 arrays."""
    if kind == "large":
        x = np.array([[600, -600, 304, -300], [40960, 10, -20, 30]])
        y = x + np.array([[-300, 0, 4, 0], [0, 1, 0, 2]])
    elif kind == "small":
        x = np.array([[2**-10, -(2**-11), 2**-13, 2**-9], [2**-14, 2**-16, -(2**-15), 2**-14]])
        y = np.array([[2**-11, 2**-11, 2**-12, 2**-12], [2**-15, -(2**-16), 2**-14, 2**-15]])
    else:
        assert kind == "many"
        x = 1 + np.arange(2 * 2048).reshape(2, 2048) % 4 / 4
        y = 1 + np.arange(2 * 2048).reshape(2, 2048) % 5 / 8
    p = np.full(x.shape, 1 / x.shape[1])
    return [*[each.astype("float32") for each in (x, y, p, np.ones(x.shape[1]))], np.array([1, 0], "int32")]


DTYPES = ("float16", "bfloat16")
KINDS = ("large", "small", "many")


def evaluated(ms, row, dtype, kind):
    """The value of a row, and the gradient of the sum of its first result, as lists of ``[dtype, elements]``.

    Either is None if it cannot be computed. ``ms`` is the module of that name: MindSpore's, or msgrad.
    """
    *floats, t = map(ms.Tensor, inputs(kind))
    x, y, p, w = [each.astype(getattr(ms, dtype)) for each in floats]
    names = {"ms": ms, "nn": ms.nn, "ops": ms.ops, "Tensor": ms.Tensor, "y": y, "p": p, "w": w, "t": t}
    function = eval(compile("lambda x: " + row, row, "eval"), names)
    results = []
    for compute in (function, ms.grad(lambda x: _leaves(function(x))[0])):
        try:
            results.append([_figures(ms, each) for each in _leaves(compute(x))])
        except Exception:  # no kernel for the dtype, mostly
            results.append(None)
    return results


def _leaves(value):
    return [leaf for each in value for leaf in _leaves(each)] if isinstance(value, (tuple, list)) else [value]


def _figures(ms, value):
    return [str(value.dtype), value.astype(ms.float32).asnumpy().ravel()[:8].tolist()]
