"""Inputs of metrics: expressions over ``nn``, ``Tensor`` and ``np``, read by msgrad and by MindSpore."""

_P = "Tensor([[0.2, 0.5, 0.3], [0.6, 0.1, 0.3], [0.1, 0.2, 0.7], [0.4, 0.35, 0.25]])"
_Y = "Tensor([1, 0, 1, 2])"
_HOT = "Tensor(np.eye(3, dtype=np.float32)[[1, 0, 1, 2]])"
_IMAGES = "Tensor([[[0.2, 0.7], [0.8, 0.3]], [[0.9, 0.4], [0.1, 0.6]]]), Tensor([[1, 0], [0, 0]])"
_LABELS = "Tensor([[0, 1, 1], [1, 0, 1], [0, 0, 1]]), Tensor([[0, 1, 1], [1, 1, 1], [0, 1, 0]])"
_SETS = (
    "Tensor(np.array([[0, 1, 1, 0, 0], [0, 1, 1, 1, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 0]])), "
    "Tensor(np.array([[1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [0, 1, 1, 1, 0], [0, 0, 1, 1, 1]])), 1"
)
_WORDS = '[["a", "cat", "sat", "on", "a", "mat"]], [[["the", "cat", "sat", "on", "a", "mat"], ["a", "cat", "sat"]]]'
_TWICE = "(lambda m: (m.update({}), m.update({}), m.eval())[2])({})"
_CHANNELS = (
    "Tensor(np.array([[[1, 0, 1], [0, 1, 1]], [[1, 1, 0], [0, 0, 0]]])), "
    "Tensor(np.array([[[1, 1, 0], [0, 1, 0]], [[1, 0, 0], [0, 0, 1]]]))"
)
_RATIOS = (
    "sensitivity", "TNR", "precision", "npv", "miss rate", "fall_out", "fdr", "for", "prevalence threshold", "csi",
    "accuracy", "balanced accuracy", "f1 score", "mcc", "fowlkes mallows index", "informedness", "mk",
)  # fmt: skip

VALUES = [
    f"nn.Accuracy()({_P}, {_Y})",
    f"nn.Accuracy()({_P}, {_HOT})",
    f"nn.Accuracy()({_IMAGES})",
    f"nn.Accuracy('multilabel')({_LABELS})",
    f"nn.Accuracy().set_indexes([2, 1])(None, {_Y}, {_P})",
    _TWICE.format(f"{_P}, {_Y}", f"{_P}, {_HOT}", "nn.Accuracy()"),
    f"nn.TopKCategoricalAccuracy(2)({_P}, {_Y})",
    f"nn.Top1CategoricalAccuracy()({_P}, {_HOT})",
    "nn.Top5CategoricalAccuracy()(Tensor([[0.1, 0.3, 0.2, 0.4, 0.0, 0.5]]), Tensor([0]))",
    "nn.MAE()(Tensor([[1.0, 2.0], [3.0, 5.0]]), Tensor([[1.5, 2.0], [2.0, 7.0]]))",
    "nn.MSE()(Tensor([[1.0, 2.0], [3.0, 5.0]]), Tensor([[1.5, 2.0], [2.0, 7.0]]))",
    "nn.MSE()([1.0, 2.0], np.array([3.0, 5.0]))",
    _TWICE.format("Tensor(0.5)", "Tensor([1.0, 2.0])", "nn.Loss()"),
    f"nn.Perplexity()({_P}, {_Y})",
    f"nn.Perplexity(1)({_P}, {_Y})",
    *[
        text.format(each)
        for each in ("Precision", "Recall")
        for text in (
            f"nn.{{}}()({_P}, {_Y})",
            f"nn.{{}}()({_IMAGES})",
            f"(lambda m: (m.update({_P}, {_HOT}), m.eval(True))[1])(nn.{{}}())",
            f"nn.{{}}('multilabel')({_LABELS})",
            f"(lambda m: (m.update({_LABELS}), m.eval(True))[1])(nn.{{}}('multilabel'))",
        )
    ],
    f"nn.Fbeta(2)({_P}, {_Y})",
    f"nn.F1()({_P}, {_HOT})",
    f"(lambda m: (m.update({_P}, {_Y}), m.eval(True))[1])(nn.F1())",
    "nn.Dice()(Tensor([[0.2, 0.5], [0.7, 0.1]]), Tensor([[0, 1], [1, 0]]))",
    f"nn.CosineSimilarity()({_P})",
    f"nn.CosineSimilarity('dot', 'mean', False)({_P})",
    f"nn.CosineSimilarity(reduction='sum')({_P})",
    f"nn.BleuScore()({_WORDS})",
    f"nn.BleuScore(2, True)({_WORDS})",
    'nn.BleuScore()([["a", "b"]], [[["c", "d"]]])',
    "nn.ROC()(Tensor([0.1, 0.8, 0.4, 0.8, 0.3]), Tensor([0, 1, 1, 0, 0]))",
    "nn.ROC(pos_label=0)(Tensor([0.1, 0.8, 0.4]), Tensor([0, 1, 1]))",
    "nn.ROC(class_num=3)(Tensor([[0.2, 0.5, 0.3], [0.6, 0.1, 0.3], [0.1, 0.2, 0.7]]), Tensor([1, 0, 2]))",
    "nn.auc(np.array([0.0, 0.2, 1.0]), np.array([0.0, 0.5, 1.0]))",
    "nn.auc(np.array([1.0, 0.2, 0.0]), np.array([1.0, 0.5, 0.0]))",
    "nn.auc(np.array([1.0, 0.2, 0.5]), np.array([1.0, 0.5, 0.0]), reorder=True)",
    f"nn.HausdorffDistance()({_SETS})",
    f"nn.HausdorffDistance('taxicab', directed=True, crop=False)({_SETS})",
    f"nn.HausdorffDistance('chessboard', 50.0)({_SETS})",
    *[
        f"nn.{each}({arguments})({_SETS})"
        for each in ("MeanSurfaceDistance", "RootMeanSquareDistance")
        for arguments in ("", "True", "True, 'chessboard'", "False, 'taxicab'")
    ],
    "nn.OcclusionSensitivity(0.5, 1, 128, [1, -1])(nn.Flatten(), Tensor([[1.0, 2.0, 3.0, 4.0]]), Tensor(1))",
    "nn.OcclusionSensitivity(margin=1)(nn.Flatten(), Tensor([[[1.0, 2.0], [3.0, 4.0]]]), Tensor(2))",
    f"nn.ConfusionMatrix(3)({_P}, {_Y})",
    f"nn.ConfusionMatrix(3, 'target')({_P}, {_Y})",
    f"nn.ConfusionMatrix(3, 'prediction')({_P}, {_Y})",
    "nn.ConfusionMatrix(2, 'all', 0.4)(Tensor([0.3, 0.4, 0.9]), Tensor([0, 0, 1]))",
    "nn.ConfusionMatrix(2)(Tensor([1, 0, 1]), Tensor([0, 0, 1]))",
    *[f"nn.ConfusionMatrixMetric(metric_name='{name}')({_CHANNELS})" for name in _RATIOS],
    *[
        f"nn.ConfusionMatrixMetric(True, '{name}', True, '{decrease}')({_CHANNELS})"
        for name, decrease in (("precision", "mean"), ("tpr", "mean"), ("f1", "sum"))
    ],
    f"nn.ConfusionMatrixMetric(False, 'accuracy')({_CHANNELS})",
    "nn.names()",
    f"nn.get_metric_fn('topk', 2)({_P}, {_Y})",
    "sorted(nn.get_metrics({'mae', 'acc'}))",
    "nn.get_metrics(None)",
]

REFUSED = [
    "nn.Accuracy('x')",
    "nn.Accuracy().eval()",
    f"nn.Accuracy()({_P})",
    f"nn.Accuracy()({_P}, 3)",
    f"nn.Accuracy()({_P}, Tensor([1, 2]))",
    "nn.Accuracy()(Tensor([0.1, 0.9]), Tensor([0, 1]))",
    "nn.Precision()(Tensor([0.1, 0.9]), Tensor([0, 1]))",
    f"nn.Accuracy('multilabel')({_P}, {_P})",
    "nn.Accuracy().set_indexes(3)",
    "nn.TopKCategoricalAccuracy(0)",
    "nn.TopKCategoricalAccuracy(1.0)",
    f"nn.TopKCategoricalAccuracy(4)({_P}, {_Y})",
    f"nn.Top5CategoricalAccuracy()({_P}, {_Y})",
    "nn.MAE().eval()",
    "nn.MSE().update(1)",
    "nn.Loss()(Tensor([[1.0]]))",
    "nn.Loss().eval()",
    "nn.Perplexity('x')",
    f"nn.Perplexity()({_P}, Tensor([1, 2]))",
    "nn.Precision().eval()",
    f"nn.Recall()({_P}, Tensor([1, 0, 1, 3]))",
    "nn.Fbeta(0)",
    f"(lambda m: (m.update({_P}, {_Y}), m.eval(1)))(nn.F1())",
    "nn.Dice(0.0)",
    "nn.Dice(1)",
    "nn.CosineSimilarity('x')",
    "nn.CosineSimilarity(3)",
    "nn.CosineSimilarity().eval()",
    "nn.BleuScore(5)",
    "nn.BleuScore(1, 3)",
    "nn.BleuScore()([['a']], [])",
    "nn.ROC('x')",
    "nn.ROC().eval()",
    "nn.ROC(2)(Tensor([0.1, 0.8]), Tensor([0, 1]))",
    "nn.ROC()(Tensor([0.1, 0.8]), Tensor([1, 1]))",
    "nn.auc([0.0], [1.0])",
    "nn.auc(np.array([0.0]), np.array([1.0]))",
    "nn.auc(np.array([0.0, 2.0, 1.0]), np.array([1.0, 0.0, 1.0]))",
    "nn.HausdorffDistance('x')",
    "nn.HausdorffDistance(percentile=1)",
    "nn.HausdorffDistance().eval()",
    f"nn.HausdorffDistance()({_SETS[:-1]}7)",
    f"nn.MeanSurfaceDistance()({_SETS[:-1]}'a')",
    f"nn.RootMeanSquareDistance()({_SETS[:-1]}'a')",
    "nn.OcclusionSensitivity(1)",
    "nn.OcclusionSensitivity()(3, Tensor([[1.0]]), Tensor([0]))",
    "nn.ConfusionMatrix('x')",
    "nn.ConfusionMatrix(2, 'x')",
    "nn.ConfusionMatrix(2).eval()",
    "nn.ConfusionMatrixMetric(1)",
    "nn.ConfusionMatrixMetric(decrease='x')",
    f"nn.ConfusionMatrixMetric(metric_name='x')({_CHANNELS})",
    "nn.get_metric_fn('x')",
    "nn.get_metrics(3)",
    "nn.get_metrics({'a': 3})",
]
