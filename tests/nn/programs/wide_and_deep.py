"""A recommender in the manner of Wide&Deep: two towers over embeddings, an optimizer for each."""

import mindspore.common.dtype as mstype
import numpy as np
from _helpers import counted, drawn, fill, show
from mindspore import Parameter, ParameterTuple, Tensor, nn
from mindspore.common.initializer import Uniform, initializer
from mindspore.context import ParallelMode
from mindspore.nn import Dropout
from mindspore.nn.optim import FTRL, Adam
from mindspore.nn.wrap.grad_reducer import DistributedGradReducer
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P
from mindspore.parallel._utils import _get_device_num, _get_gradients_mean, _get_parallel_mode

VOCABULARY, FIELDS, WIDTH, BATCH = 50, 6, 4, 16


def init_method(method, shape, name, max_val=1.0):
    if method == "uniform":
        return Parameter(initializer(Uniform(max_val), shape, mstype.float32), name=name)
    return Parameter(initializer(method, shape, mstype.float32), name=name)


class DenseLayer(nn.Cell):
    def __init__(self, input_dim, output_dim, act_str, keep_prob=1.0, use_activation=True, drop_out=False):
        super().__init__()
        self.weight = init_method("uniform", [input_dim, output_dim], name="weight")
        self.bias = init_method("zeros", [output_dim], name="bias")
        self.act_func = P.ReLU() if act_str == "relu" else P.Sigmoid()
        self.matmul = P.MatMul(transpose_b=False)
        self.bias_add = P.BiasAdd()
        self.dropout = Dropout(p=1 - keep_prob)
        self.use_activation, self.drop_out_flag = use_activation, drop_out

    def construct(self, x):
        if self.training and self.drop_out_flag:
            x = self.dropout(x)
        wx = self.bias_add(self.matmul(x, self.weight), self.bias)
        return self.act_func(wx) if self.use_activation else wx


class WideDeepModel(nn.Cell):
    def __init__(self):
        super().__init__()
        self.wide_b = init_method("normal", [1], "wide_b")
        dims = [FIELDS * WIDTH, 16, 8, 1]
        self.dense_layer_1 = DenseLayer(dims[0], dims[1], "relu")
        self.dense_layer_2 = DenseLayer(dims[1], dims[2], "relu")
        self.dense_layer_3 = DenseLayer(dims[2], dims[3], "relu", use_activation=False)
        self.wide_embeddinglookup = nn.EmbeddingLookup(VOCABULARY, 1, target="DEVICE", sparse=False)
        self.deep_embeddinglookup = nn.EmbeddingLookup(VOCABULARY, WIDTH, target="DEVICE", sparse=False)
        self.embedding_table = self.deep_embeddinglookup.embedding_table
        self.deep_mul, self.wide_mul, self.reduce_sum = P.Mul(), P.Mul(), P.ReduceSum(keep_dims=False)
        self.reshape, self.deep_reshape, self.tile = P.Reshape(), P.Reshape(), P.Tile()

    def construct(self, id_hldr, wt_hldr):
        mask = self.reshape(wt_hldr, (BATCH, FIELDS, 1))
        wide_id_embs = self.wide_embeddinglookup(id_hldr)
        wide_out = self.reshape(self.reduce_sum(self.wide_mul(wide_id_embs, mask), 1) + self.wide_b, (-1, 1))
        deep_id_embs = self.deep_embeddinglookup(id_hldr)
        deep_in = self.deep_reshape(self.deep_mul(deep_id_embs, mask), (-1, FIELDS * WIDTH))
        deep_out = self.dense_layer_3(self.dense_layer_2(self.dense_layer_1(deep_in)))
        return wide_out + deep_out, self.embedding_table


class NetWithLossClass(nn.Cell):
    def __init__(self, network, l2_coef=8e-5):
        super().__init__(auto_prefix=False)
        self.network, self.l2_coef = network, l2_coef
        self.loss = P.SigmoidCrossEntropyWithLogits()
        self.square, self.reduceMean, self.reduceSum = P.Square(), P.ReduceMean(keep_dims=False), P.ReduceSum(False)

    def construct(self, batch_ids, batch_wts, label):
        predict, embedding_table = self.network(batch_ids, batch_wts)
        wide_loss = self.reduceMean(self.loss(predict, label))
        deep_loss = wide_loss + self.l2_coef * self.reduceSum(self.square(embedding_table)) / 2
        return wide_loss, deep_loss


class IthOutputCell(nn.Cell):
    def __init__(self, network, output_index):
        super().__init__()
        self.network, self.output_index = network, output_index

    def construct(self, x1, x2, x3):
        return self.network(x1, x2, x3)[self.output_index]


class TrainStepWrap(nn.Cell):
    def __init__(self, network, sens=1024.0):
        super().__init__()
        self.network = network
        self.network.set_train()
        self.trainable_params = network.trainable_params()
        weights_w, weights_d = [], []
        for params in self.trainable_params:
            if "wide" in params.name:
                weights_w.append(params)
            else:
                weights_d.append(params)
        self.weights_w, self.weights_d = ParameterTuple(weights_w), ParameterTuple(weights_d)
        self.optimizer_w = FTRL(
            learning_rate=5e-2, params=self.weights_w, l1=1e-8, l2=1e-8, initial_accum=1.0, loss_scale=sens
        )
        self.optimizer_d = Adam(self.weights_d, learning_rate=3.5e-3, eps=1e-8, loss_scale=sens)
        self.hyper_map = C.HyperMap()
        self.grad_w = C.GradOperation(get_by_list=True, sens_param=True)
        self.grad_d = C.GradOperation(get_by_list=True, sens_param=True)
        self.sens = sens
        self.loss_net_w, self.loss_net_d = IthOutputCell(network, 0), IthOutputCell(network, 1)
        self.loss_net_w.set_grad()
        self.loss_net_d.set_grad()
        self.reducer_flag = _get_parallel_mode() in (ParallelMode.DATA_PARALLEL, ParallelMode.HYBRID_PARALLEL)
        if self.reducer_flag:
            mean, degree = _get_gradients_mean(), _get_device_num()
            self.grad_reducer_w = DistributedGradReducer(self.optimizer_w.parameters, mean, degree)
            self.grad_reducer_d = DistributedGradReducer(self.optimizer_d.parameters, mean, degree)

    def construct(self, batch_ids, batch_wts, label):
        weights_w, weights_d = self.weights_w, self.weights_d
        loss_w, loss_d = self.network(batch_ids, batch_wts, label)
        sens_w = P.Fill()(P.DType()(loss_w), P.Shape()(loss_w), self.sens)
        sens_d = P.Fill()(P.DType()(loss_d), P.Shape()(loss_d), self.sens)
        grads_w = self.grad_w(self.loss_net_w, weights_w)(batch_ids, batch_wts, label, sens_w)
        grads_d = self.grad_d(self.loss_net_d, weights_d)(batch_ids, batch_wts, label, sens_d)
        if self.reducer_flag:
            grads_w, grads_d = self.grad_reducer_w(grads_w), self.grad_reducer_d(grads_d)
        return F.depend(loss_w, self.optimizer_w(grads_w)), F.depend(loss_d, self.optimizer_d(grads_d))


class PredictWithSigmoid(nn.Cell):
    def __init__(self, network):
        super().__init__()
        self.network, self.sigmoid = network, P.Sigmoid()

    def construct(self, batch_ids, batch_wts, labels):
        logits, _ = self.network(batch_ids, batch_wts)
        return logits, self.sigmoid(logits), labels


model = fill(WideDeepModel())
train = TrainStepWrap(NetWithLossClass(model))
ids = Tensor(counted("ids", (BATCH, FIELDS), VOCABULARY))
weights = Tensor(drawn("weights", (BATCH, FIELDS), 0.5, 1.5))
label = Tensor((drawn("label", (BATCH, 1)) > 0).astype(np.float32))
losses = [[float(each.asnumpy()) for each in train(ids, weights, label)] for _ in range(10)]
show("wide", [wide for wide, _ in losses])
show("deep", [deep for _, deep in losses])
evaluate = PredictWithSigmoid(model).set_train(False)
show("prediction", evaluate(ids, weights, label)[1].asnumpy()[:4, 0])
