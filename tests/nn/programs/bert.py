"""BERT's pretraining in the manner of 1.x: a step with a scale of the loss, clipping and a check for overflows."""

import mindspore.common.dtype as mstype
import mindspore.nn as nn
import numpy as np
from _helpers import counted, fill, show
from mindspore import Tensor, context
from mindspore.common.initializer import TruncatedNormal, initializer
from mindspore.common.parameter import Parameter
from mindspore.communication.management import get_group_size
from mindspore.context import ParallelMode
from mindspore.nn.learning_rate_schedule import LearningRateSchedule, PolynomialDecayLR, WarmUpLR
from mindspore.nn.wrap.grad_reducer import DistributedGradReducer
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P

BATCH, LENGTH, WIDTH, HEADS, VOCABULARY, MASKED = 2, 8, 16, 2, 30, 3
GRADIENT_CLIP_TYPE, GRADIENT_CLIP_VALUE = 1, 1.0

clip_grad = C.MultitypeFuncGraph("clip_grad")
grad_scale = C.MultitypeFuncGraph("grad_scale")
grad_overflow = C.MultitypeFuncGraph("grad_overflow")
reciprocal = P.Reciprocal()


@clip_grad.register("Number", "Number", "Tensor")
def _clip_grad(clip_type, clip_value, grad):
    if clip_type not in (0, 1):
        return grad
    dt = F.dtype(grad)
    if clip_type == 0:
        new_grad = C.clip_by_value(
            grad, F.cast(F.tuple_to_array((-clip_value,)), dt), F.cast(F.tuple_to_array((clip_value,)), dt)
        )
    else:
        new_grad = nn.ClipByNorm()(grad, F.cast(F.tuple_to_array((clip_value,)), dt))
    return new_grad


@grad_scale.register("Tensor", "Tensor")
def tensor_grad_scale(scale, grad):
    return grad * reciprocal(scale)


@grad_overflow.register("Tensor")
def _tensor_grad_overflow(grad):
    return 1 - P.Cast()(P.ReduceAll()(P.IsFinite()(grad)), mstype.float32)


class EmbeddingPostprocessor(nn.Cell):
    def __init__(self):
        super().__init__()
        self.token_type_embedding = nn.Embedding(vocab_size=2, embedding_size=WIDTH, use_one_hot=True)
        self.full_position_embedding = nn.Embedding(vocab_size=LENGTH, embedding_size=WIDTH, use_one_hot=False)
        self.layernorm = nn.LayerNorm((WIDTH,))
        self.dropout = nn.Dropout(p=0.0)
        self.position_ids = Tensor(np.arange(LENGTH).reshape(-1, LENGTH).astype(np.int32))

    def construct(self, token_type_ids, word_embeddings):
        output = P.Add()(word_embeddings, self.token_type_embedding(token_type_ids))
        output = P.Add()(output, P.ExpandDims()(self.full_position_embedding(self.position_ids)[0], 0))
        return self.dropout(self.layernorm(output))


class SaturateCast(nn.Cell):
    def __init__(self, dst_type=mstype.float32):
        super().__init__()
        self.tensor_min_type = float(np.finfo(mstype.dtype_to_nptype(dst_type)).min)
        self.tensor_max_type = float(np.finfo(mstype.dtype_to_nptype(dst_type)).max)
        self.min_op, self.max_op, self.cast, self.dst_type = P.Minimum(), P.Maximum(), P.Cast(), dst_type

    def construct(self, x):
        out = self.max_op(x, self.tensor_min_type)
        out = self.min_op(out, self.tensor_max_type)
        return self.cast(out, self.dst_type)


class BertAttention(nn.Cell):
    def __init__(self):
        super().__init__()
        self.size = WIDTH // HEADS
        self.scores_mul = 1.0 / float(np.sqrt(self.size))
        weight = TruncatedNormal(0.02)
        self.query_layer = nn.Dense(WIDTH, WIDTH, weight_init=weight)
        self.key_layer = nn.Dense(WIDTH, WIDTH, weight_init=weight)
        self.value_layer = nn.Dense(WIDTH, WIDTH, weight_init=weight)
        self.matmul_trans_b, self.matmul = P.BatchMatMul(transpose_b=True), P.BatchMatMul()
        self.multiply, self.sub, self.add = P.Mul(), P.Sub(), P.Add()
        self.trans_shape = (0, 2, 1, 3)
        self.transpose, self.reshape, self.softmax = P.Transpose(), P.Reshape(), nn.Softmax()
        self.cast_compute_type = SaturateCast(dst_type=mstype.float32)

    def construct(self, tensor, attention_mask):
        shape = (-1, LENGTH, HEADS, self.size)
        flat = self.reshape(tensor, (-1, WIDTH))
        query = self.transpose(self.reshape(self.query_layer(flat), shape), self.trans_shape)
        key = self.transpose(self.reshape(self.key_layer(flat), shape), self.trans_shape)
        value = self.transpose(self.reshape(self.value_layer(flat), shape), self.trans_shape)
        scores = self.multiply(self.matmul_trans_b(query, key), self.scores_mul)
        adder = self.multiply(self.sub(1.0, P.ExpandDims()(attention_mask, 1)), -10000.0)
        probs = self.softmax(self.cast_compute_type(self.add(adder, scores)))
        return self.reshape(self.transpose(self.matmul(probs, value), self.trans_shape), (-1, WIDTH))


class BertOutput(nn.Cell):
    def __init__(self, in_channels):
        super().__init__()
        self.dense = nn.Dense(in_channels, WIDTH, weight_init=TruncatedNormal(0.02))
        self.dropout, self.add, self.layernorm = nn.Dropout(p=0.0), P.Add(), nn.LayerNorm((WIDTH,))

    def construct(self, hidden, tensor):
        return self.layernorm(self.add(tensor, self.dropout(self.dense(hidden))))


class BertLayer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.attention, self.attention_output = BertAttention(), BertOutput(WIDTH)
        self.intermediate = nn.Dense(WIDTH, 2 * WIDTH, activation="gelu", weight_init=TruncatedNormal(0.02))
        self.output = BertOutput(2 * WIDTH)

    def construct(self, hidden, mask):
        attention = self.attention_output(self.attention(hidden, mask), hidden)
        return self.output(self.intermediate(attention), attention)


class BertModel(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, WIDTH, embedding_table=TruncatedNormal(0.02))
        self.postprocessor = EmbeddingPostprocessor()
        self.layers = nn.CellList([BertLayer() for _ in range(1)])
        self.dense = nn.Dense(WIDTH, WIDTH, weight_init=TruncatedNormal(0.02), activation="tanh")
        self.slice = P.StridedSlice()

    def construct(self, input_ids, token_type_ids, input_mask):
        hidden = P.Reshape()(self.postprocessor(token_type_ids, self.embedding(input_ids)), (-1, WIDTH))
        mask = P.Cast()(P.Reshape()(input_mask, (-1, 1, LENGTH)), mstype.float32)
        mask = P.BatchMatMul()(P.Fill()(mstype.float32, (BATCH, LENGTH, 1), 1.0), mask)
        for layer in self.layers:
            hidden = layer(hidden, mask)
        sequence = P.Reshape()(hidden, (-1, LENGTH, WIDTH))
        first = self.slice(sequence, (0, 0, 0), (BATCH, 1, WIDTH), (1, 1, 1))
        return sequence, self.dense(P.Reshape()(first, (-1, WIDTH))), self.embedding.embedding_table


class GetMaskedLMOutput(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(WIDTH, WIDTH, weight_init=TruncatedNormal(0.02), activation="gelu")
        self.layernorm = nn.LayerNorm((WIDTH,))
        self.output_bias = Parameter(initializer("zero", VOCABULARY), name="output_bias")
        self.matmul, self.log_softmax = P.MatMul(transpose_b=True), nn.LogSoftmax(axis=-1)
        self.gather, self.reshape, self.cast = P.Gather(), P.Reshape(), P.Cast()
        self.rng = Tensor(np.arange(BATCH).astype(np.int32))

    def construct(self, sequence, table, positions):
        flat_offsets = self.reshape(self.rng * LENGTH, (-1, 1))
        flat_position = self.reshape(positions + flat_offsets, (-1,))
        tensor = self.gather(self.reshape(sequence, (-1, WIDTH)), flat_position, 0)
        logits = self.matmul(self.layernorm(self.dense(tensor)), table) + self.output_bias
        return self.log_softmax(self.cast(logits, mstype.float32))


class BertNetworkWithLoss(nn.Cell):
    def __init__(self):
        super().__init__()
        self.bert, self.cls1 = BertModel(), GetMaskedLMOutput()
        self.cls2 = nn.Dense(WIDTH, 2, weight_init=TruncatedNormal(0.02))
        self.onehot, self.reduce_sum, self.reduce_mean = P.OneHot(), P.ReduceSum(), P.ReduceMean()
        self.on_value, self.off_value = Tensor(1.0, mstype.float32), Tensor(0.0, mstype.float32)
        self.last_idx, self.neg, self.cast = (-1,), P.Neg(), P.Cast()

    def construct(self, ids, mask, types, next_labels, positions, masked_ids, masked_weights):
        sequence, pooled, table = self.bert(ids, types, mask)
        log_probs = self.cls1(sequence, table, positions)
        one_hot = self.onehot(P.Reshape()(masked_ids, self.last_idx), VOCABULARY, self.on_value, self.off_value)
        per_example = self.neg(self.reduce_sum(log_probs * one_hot, self.last_idx))
        weights = self.cast(P.Reshape()(masked_weights, self.last_idx), mstype.float32)
        masked = self.reduce_sum(weights * per_example, ()) / (self.reduce_sum(weights, ()) + 1e-5)
        next_log = nn.LogSoftmax(axis=-1)(self.cls2(pooled))
        next_hot = self.onehot(P.Reshape()(next_labels, self.last_idx), 2, self.on_value, self.off_value)
        return masked + self.reduce_mean(self.neg(self.reduce_sum(next_hot * next_log, self.last_idx)), self.last_idx)


class BertTrainOneStepWithLossScaleCell(nn.TrainOneStepWithLossScaleCell):
    def __init__(self, network, optimizer, scale_update_cell=None):
        super().__init__(network, optimizer, scale_update_cell)
        self.cast, self.degree, self.reducer_flag = P.Cast(), 1, False
        if context.get_auto_parallel_context("parallel_mode") in (ParallelMode.DATA_PARALLEL,):
            self.degree, self.reducer_flag = get_group_size(), True
            self.grad_reducer = DistributedGradReducer(optimizer.parameters, False, self.degree)
        self.loss_scale = Parameter(
            Tensor(scale_update_cell.get_loss_scale(), dtype=mstype.float32), name="loss_scale_2"
        )

    def construct(self, ids, mask, types, next_labels, positions, masked_ids, masked_weights):
        weights = self.weights
        loss = self.network(ids, mask, types, next_labels, positions, masked_ids, masked_weights)
        scaling_sens = self.loss_scale
        grads = self.grad(self.network, weights)(
            ids,
            mask,
            types,
            next_labels,
            positions,
            masked_ids,
            masked_weights,
            self.cast(scaling_sens, mstype.float32),
        )
        grads = self.grad_reducer(grads)
        grads = self.hyper_map(F.partial(grad_scale, scaling_sens * self.degree), grads)
        grads = self.hyper_map(F.partial(clip_grad, GRADIENT_CLIP_TYPE, GRADIENT_CLIP_VALUE), grads)
        flags = P.AddN()(self.hyper_map(F.partial(grad_overflow), grads))
        cond = self.less_equal(self.base, P.Reshape()(flags, ()))
        overflow = self.loss_scaling_manager(self.loss_scale, cond)
        if not overflow:
            self.optimizer(grads)
        return loss, cond, F.depend(scaling_sens, cond)


class BertLearningRate(LearningRateSchedule):
    def __init__(self, learning_rate, end_learning_rate, warmup_steps, decay_steps, power):
        super().__init__()
        self.warmup_lr = WarmUpLR(learning_rate, warmup_steps)
        self.warmup_steps = Tensor(np.array([warmup_steps]).astype(np.float32))
        self.decay_lr = PolynomialDecayLR(learning_rate, end_learning_rate, decay_steps, power)
        self.greater, self.one, self.cast = P.Greater(), Tensor(np.array([1.0]).astype(np.float32)), P.Cast()

    def construct(self, global_step):
        is_warmup = self.cast(self.greater(self.warmup_steps, global_step), mstype.float32)
        return (self.one - is_warmup) * self.decay_lr(global_step) + is_warmup * self.warmup_lr(global_step)


def groups(network):
    params = network.trainable_params()
    decayed = list(filter(lambda x: "layernorm" not in x.name.lower() and "bias" not in x.name.lower(), params))
    other = list(filter(lambda x: "layernorm" in x.name.lower() or "bias" in x.name.lower(), params))
    return [{"params": decayed, "weight_decay": 0.01}, {"params": other, "weight_decay": 0.0}, {"order_params": params}]


inputs = [
    Tensor(counted("ids", (BATCH, LENGTH), VOCABULARY)),
    Tensor((np.arange(BATCH * LENGTH).reshape(BATCH, LENGTH) % LENGTH < 6).astype(np.int32)),
    Tensor(counted("types", (BATCH, LENGTH), 2)),
    Tensor(counted("next", (BATCH, 1), 2)),
    Tensor(counted("positions", (BATCH, MASKED), LENGTH)),
    Tensor(counted("masked", (BATCH, MASKED), VOCABULARY)),
    Tensor(np.ones((BATCH, MASKED), np.float32)),
]
network = fill(BertNetworkWithLoss())
optimizer = nn.Adam(groups(network), learning_rate=BertLearningRate(0.02, 0.0, 3, 20, 1.0))
update = nn.DynamicLossScaleUpdateCell(loss_scale_value=2**16, scale_factor=2, scale_window=4)
train = BertTrainOneStepWithLossScaleCell(network, optimizer, update).set_train()
losses, scales = [], []
for _ in range(10):
    loss, cond, scale = train(*inputs)
    losses.append(float(loss.asnumpy()))
    scales.append((bool(cond.asnumpy()), float(scale.asnumpy())))
show("adam", losses)
print(scales)
