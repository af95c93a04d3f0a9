"""An LSTM of two layers that classifies sequences, in MindSpore and in PyTorch."""

import numpy as np

FULL = {"batch": 16, "length": 64, "width": 512, "layers": 2, "classes": 10}


def data(sizes):
    random, batch = np.random.default_rng(0), sizes["batch"]
    x = random.standard_normal((sizes["length"], batch, sizes["width"]), np.float32)
    return x, random.integers(0, sizes["classes"], batch).astype(np.int32)


def mindspore_loss(sizes):
    """The network, and the loss as a function of it, sequences and labels."""
    from mindspore import nn

    class Classifier(nn.Cell):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(sizes["width"], sizes["width"], sizes["layers"])
            self.head = nn.Dense(sizes["width"], sizes["classes"])

        def construct(self, x):
            return self.head(self.lstm(x)[0][-1])

    cross_entropy = nn.CrossEntropyLoss()
    return Classifier(), lambda network, x, labels: cross_entropy(network(x), labels)


def torch_network(sizes, device):
    """The network, sequences and labels, on ``device``."""
    import torch
    from torch import nn

    class Classifier(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(sizes["width"], sizes["width"], sizes["layers"])
            self.head = nn.Linear(sizes["width"], sizes["classes"])

        def forward(self, x):
            return self.head(self.lstm(x)[0][-1])

    x, labels = (torch.tensor(each, device=device) for each in data(sizes))
    return Classifier().to(device), x, labels.long()
