"""First derivatives of a network with ``GradOperation``: inputs, weights, and a scaled output."""

import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore import dtype as mstype


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.matmul = ops.MatMul()
        self.scale = Parameter(Tensor(np.array([2.0], np.float32)), name="scale")

    def construct(self, x, y):
        return self.matmul(x * self.scale, y)


class GradientOfFirstInput(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.grad_op = ops.GradOperation()

    def construct(self, x, y):
        return self.grad_op(self.net)(x, y)


class GradientOfAllInputs(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.grad_op = ops.GradOperation(get_all=True)

    def construct(self, x, y):
        return self.grad_op(self.net)(x, y)


class GradientOfWeights(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.weights = ParameterTuple(net.trainable_params())
        self.grad_op = ops.GradOperation(get_by_list=True)

    def construct(self, x, y):
        return self.grad_op(self.net, self.weights)(x, y)


class GradientOfEverything(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.weights = ParameterTuple(net.trainable_params())
        self.grad_op = ops.GradOperation(get_all=True, get_by_list=True)

    def construct(self, x, y):
        return self.grad_op(self.net, self.weights)(x, y)


class ScaledGradient(nn.Cell):
    def __init__(self, net, sens):
        super().__init__()
        self.net = net
        self.sens = sens
        self.grad_op = ops.GradOperation(sens_param=True)

    def construct(self, x, y):
        return self.grad_op(self.net)(x, y, self.sens)


x = Tensor([[0.5, 1.0, 2.0], [1.5, 0.25, 3.0]], dtype=mstype.float32)
y = Tensor([[1.0, 0.5, 4.0], [2.0, 0.25, 1.0], [0.5, 8.0, 3.0]], dtype=mstype.float32)
sens = Tensor([[1.0, 0.0, 0.5], [0.25, 2.0, 1.0]], dtype=mstype.float32)

print("first input", GradientOfFirstInput(Net())(x, y), sep="\n")
print("all inputs", GradientOfAllInputs(Net())(x, y), sep="\n")
print("weights", GradientOfWeights(Net())(x, y), sep="\n")
print("inputs and weights", GradientOfEverything(Net())(x, y), sep="\n")
print("scaled", ScaledGradient(Net(), sens)(x, y), sep="\n")
