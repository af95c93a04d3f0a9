"""A small detector in the manner of YOLOv3: a backbone, two scales of predictions, the loss by anchors."""

import mindspore.common.dtype as mstype
import mindspore.nn as nn
import numpy as np
from _helpers import drawn, fill, show
from mindspore import Tensor
from mindspore.common.parameter import ParameterTuple
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P

ANCHORS = [(10, 13), (16, 30), (33, 23), (30, 61), (62, 45), (59, 119)]
CLASSES, SIZE, BATCH = 3, 32, 2


def conv_block(in_channel, out_channel, kernel_size, stride=1):
    return nn.SequentialCell(
        [
            nn.Conv2d(in_channel, out_channel, kernel_size=kernel_size, stride=stride, padding=0, pad_mode="same"),
            nn.BatchNorm2d(out_channel, momentum=0.9, eps=1e-5),
            nn.LeakyReLU(alpha=0.1),
        ]
    )


class ResidualBlock(nn.Cell):
    def __init__(self, channels):
        super().__init__()
        self.conv1 = conv_block(channels, channels // 2, kernel_size=1)
        self.conv2 = conv_block(channels // 2, channels, kernel_size=3)
        self.add = P.Add()

    def construct(self, x):
        return self.add(self.conv2(self.conv1(x)), x)


class DarkNet(nn.Cell):
    def __init__(self, widths=(8, 16, 16)):
        super().__init__()
        self.stem = conv_block(3, widths[0], kernel_size=3)
        self.stages = nn.CellList(
            [
                nn.SequentialCell([conv_block(a, b, kernel_size=3, stride=2), ResidualBlock(b)])
                for a, b in zip(widths[:-1], widths[1:], strict=True)
            ]
        )

    def construct(self, x):
        c = self.stem(x)
        features = ()
        for stage in self.stages:
            c = stage(c)
            features = features + (c,)
        return features[-2], features[-1]


class YOLO(nn.Cell):
    def __init__(self, out_channel):
        super().__init__()
        self.backbone = DarkNet()
        self.block0 = conv_block(16, 16, kernel_size=3)
        self.head0 = nn.Conv2d(16, out_channel, kernel_size=1, has_bias=True)
        self.reduce = conv_block(16, 8, kernel_size=1)
        self.block1 = conv_block(24, 16, kernel_size=3)
        self.head1 = nn.Conv2d(16, out_channel, kernel_size=1, has_bias=True)
        self.concat = P.Concat(axis=1)
        self.shape = P.Shape()

    def construct(self, x):
        feature1, feature2 = self.backbone(x)
        con = self.block0(feature2)
        big = self.head0(con)
        height = self.shape(x)[2] // 2
        width = self.shape(x)[3] // 2
        up = P.ResizeNearestNeighbor((height, width))(self.reduce(con))
        small = self.head1(self.block1(self.concat((up, feature1))))
        return big, small


class Detection(nn.Cell):
    """What a scale predicts, as boxes."""

    def __init__(self, anchors):
        super().__init__()
        self.anchors = Tensor(np.array(anchors, np.float32).reshape((1, 1, 1, -1, 2)))
        self.count = len(anchors)
        self.sigmoid, self.reshape, self.transpose = nn.Sigmoid(), P.Reshape(), P.Transpose()
        self.tile, self.concat, self.exp = P.Tile(), P.Concat(axis=-1), P.Exp()

    def construct(self, x, input_shape):
        n, _, height, width = P.Shape()(x)
        prediction = self.reshape(x, (n, self.count, 5 + CLASSES, height, width))
        prediction = self.transpose(prediction, (0, 3, 4, 1, 2))
        grid_x = self.tile(self.reshape(F.tuple_to_array(range(width)), (1, 1, -1, 1, 1)), (1, height, 1, 1, 1))
        grid_y = self.tile(self.reshape(F.tuple_to_array(range(height)), (1, -1, 1, 1, 1)), (1, 1, width, 1, 1))
        grid = P.Cast()(self.concat((grid_x, grid_y)), mstype.float32)
        box_xy = (self.sigmoid(prediction[:, :, :, :, :2]) + grid) / P.Cast()(
            F.tuple_to_array((width, height)), mstype.float32
        )
        box_wh = self.exp(prediction[:, :, :, :, 2:4]) * self.anchors / input_shape
        return prediction, grid, box_xy, box_wh


class Iou(nn.Cell):
    def __init__(self):
        super().__init__()
        self.min, self.max = P.Minimum(), P.Maximum()

    def construct(self, box1, box2):
        mins1, maxs1 = box1[..., 0:2] - box1[..., 2:4] / 2.0, box1[..., 0:2] + box1[..., 2:4] / 2.0
        mins2, maxs2 = box2[..., 0:2] - box2[..., 2:4] / 2.0, box2[..., 0:2] + box2[..., 2:4] / 2.0
        wh = self.max(self.min(maxs1, maxs2) - self.max(mins1, mins2), F.scalar_to_tensor(0.0))
        inter = P.Squeeze(-1)(wh[..., 0:1]) * P.Squeeze(-1)(wh[..., 1:2])
        area1 = P.Squeeze(-1)(box1[..., 2:3]) * P.Squeeze(-1)(box1[..., 3:4])
        area2 = P.Squeeze(-1)(box2[..., 2:3]) * P.Squeeze(-1)(box2[..., 3:4])
        return inter / (area1 + area2 - inter)


class ScaleLoss(nn.Cell):
    def __init__(self, anchors):
        super().__init__()
        self.detection, self.iou = Detection(anchors), Iou()
        self.anchors = Tensor(np.array(anchors, np.float32))
        self.cross_entropy, self.reduce_sum = P.SigmoidCrossEntropyWithLogits(), P.ReduceSum()
        self.reduce_max = P.ReduceMax(keep_dims=False)
        self.expand, self.log, self.select = P.ExpandDims(), P.Log(), P.Select()
        self.tile, self.cast, self.square = P.Tile(), P.Cast(), P.Square()

    def construct(self, x, y_true, gt_box, input_shape):
        prediction, grid, box_xy, box_wh = self.detection(x, input_shape)
        object_mask = y_true[..., 4:5]
        class_probs = y_true[..., 5:]
        grid_shape = P.Shape()(x)[2:4]
        grid_shape = self.cast(F.tuple_to_array(grid_shape[::-1]), mstype.float32)
        true_xy = y_true[..., :2] * grid_shape - grid
        true_wh = y_true[..., 2:4]
        true_wh = self.select(P.Equal()(true_wh, 0.0), P.Fill()(mstype.float32, P.Shape()(true_wh), 1.0), true_wh)
        true_wh = self.log(true_wh / self.anchors * input_shape)
        box_scale = 2 - y_true[..., 2:3] * y_true[..., 3:4]

        boxes = self.expand(P.Concat(axis=-1)((box_xy, box_wh)), -2)
        gt = self.expand(self.expand(self.expand(gt_box, 1), 1), 1)
        best = self.reduce_max(self.iou(boxes, gt), -1)
        ignore = self.expand(self.cast(best < 0.5, mstype.float32), -1)
        ignore = F.stop_gradient(ignore)

        xy_loss = object_mask * box_scale * self.cross_entropy(prediction[..., :2], true_xy)
        wh_loss = object_mask * box_scale * 0.5 * self.square(true_wh - prediction[..., 2:4])
        confidence = self.cross_entropy(prediction[..., 4:5], object_mask)
        confidence = object_mask * confidence + (1 - object_mask) * confidence * ignore
        class_loss = object_mask * self.cross_entropy(prediction[..., 5:], class_probs)
        total = (
            self.reduce_sum(xy_loss, ())
            + self.reduce_sum(wh_loss, ())
            + self.reduce_sum(confidence, ())
            + self.reduce_sum(class_loss, ())
        )
        return total / P.Shape()(prediction)[0]


class YoloWithLoss(nn.Cell):
    def __init__(self, network):
        super().__init__()
        self.yolo_network = network
        self.loss_big, self.loss_small = ScaleLoss(ANCHORS[3:]), ScaleLoss(ANCHORS[:3])

    def construct(self, x, y0, y1, gt0, gt1, input_shape):
        big, small = self.yolo_network(x)
        return self.loss_big(big, y0, gt0, input_shape) + self.loss_small(small, y1, gt1, input_shape)


class TrainingWrapper(nn.Cell):
    def __init__(self, network, optimizer, sens=1.0):
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.weights = optimizer.parameters
        self.optimizer = optimizer
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.sens = sens

    def construct(self, *args):
        weights = self.weights
        loss = self.network(*args)
        sens = P.Fill()(P.DType()(loss), P.Shape()(loss), self.sens)
        grads = self.grad(self.network, weights)(*args, sens)
        return F.depend(loss, self.optimizer(grads))


def truth(cells, anchors):
    """Ground truth of a scale: a box a picture, in one cell, at one anchor."""
    y = np.zeros((BATCH, cells, cells, len(anchors), 5 + CLASSES), np.float32)
    boxes = np.zeros((BATCH, 4, 4), np.float32)
    for k in range(BATCH):
        cx, cy, w, h = drawn(f"box{k}{cells}", (4,), 0.2, 0.7)
        i, j, anchor = int(cy * cells), int(cx * cells), k % len(anchors)
        y[k, i, j, anchor] = [cx, cy, w, h, 1.0, *np.eye(CLASSES)[k % CLASSES]]
        boxes[k, 0] = cx, cy, w, h
    return Tensor(y), Tensor(boxes)


network = fill(YoloWithLoss(YOLO(3 * (5 + CLASSES))))
rates = [0.002 * min(1.0, (step + 1) / 4) for step in range(10)]
optimizer = nn.Momentum(
    params=[
        {"params": [p for p in network.trainable_params() if p.name.endswith((".gamma", ".beta", ".bias"))],
         "weight_decay": 0.0},
        {"params": [p for p in network.trainable_params() if not p.name.endswith((".gamma", ".beta", ".bias"))]},
    ],
    learning_rate=Tensor(np.array(rates, np.float32)), momentum=0.9, weight_decay=5e-4,
)  # fmt: skip
train = TrainingWrapper(network, optimizer).set_train()
images = Tensor(drawn("images", (BATCH, 3, SIZE, SIZE)))
(y0, gt0), (y1, gt1) = truth(SIZE // 4, ANCHORS[3:]), truth(SIZE // 2, ANCHORS[:3])
shape = Tensor(np.array([SIZE, SIZE], np.float32))
show("yolo", [float(train(images, y0, y1, gt0, gt1, shape).asnumpy()) for _ in range(10)])
assert isinstance(train.weights, ParameterTuple)
