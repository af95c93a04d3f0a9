"""From data to a trained, evaluated and saved network."""

# %%
import mindspore as ms
import numpy as np
from mindspore import Tensor, nn
from mindspore.dataset import NumpySlicesDataset, transforms, vision

ms.set_seed(1)

# %% Images of bright squares, whose class is the corner that they are in.
generator = np.random.default_rng(0)
corners = generator.integers(0, 4, 256).astype(np.int32)
images = generator.integers(0, 60, (256, 8, 8, 1)).astype(np.uint8)
for image, corner in zip(images, corners, strict=True):
    image[4 * (corner // 2) :, 4 * (corner % 2) :][:4, :4] += 180


# %%
def batches(part):
    data = NumpySlicesDataset((images[part], corners[part]), ["image", "label"], shuffle=False)
    data = data.map([vision.Rescale(1 / 255, 0), vision.HWC2CHW()], "image")
    return data.map(transforms.TypeCast(ms.int32), "label").batch(32)


train, test = batches(slice(0, 192)), batches(slice(192, None))
next(train.create_dict_iterator())["image"].shape


# %%
class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.layers = nn.SequentialCell(nn.Dense(64, 32), nn.ReLU(), nn.Dense(32, 4))

    def construct(self, x):
        return self.layers(self.flatten(x))


net = Network()
net

# %%
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.Adam(net.trainable_params(), 0.01)
step = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)
losses = []
for _ in range(5):
    net.set_train()
    for x, y in train:
        loss, gradients = step(x, y)
        optimizer(gradients)
    losses.append(loss.item())
losses

# %%
net.set_train(False)
right = sum((net(x).argmax(1) == y).sum().item() for x, y in test)
assert losses[-1] < losses[0] / 2 and right > 48
right / 64

# %%
ms.save_checkpoint(net, "quick_start.ckpt")
again = Network()
missing, unexpected = ms.load_param_into_net(again, ms.load_checkpoint("quick_start.ckpt"))
assert not missing and not unexpected
x = Tensor(images[:2].transpose(0, 3, 1, 2).astype(np.float32))
np.testing.assert_array_equal(again(x).asnumpy(), net(x).asnumpy())
