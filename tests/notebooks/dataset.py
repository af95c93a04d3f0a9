"""Datasets: sources, pipelines, iterators, and one's own."""

# %%
import numpy as np
from mindspore.dataset import GeneratorDataset, NumpySlicesDataset

# %%
data = NumpySlicesDataset({"x": np.arange(10), "label": np.arange(10) % 2}, shuffle=False)
data.get_col_names(), data.get_dataset_size()

# %%
for row in data.take(2).create_dict_iterator(output_numpy=True):
    print(row)

# %%
data = data.filter(lambda x: x > 1, "x").map(lambda x: (x * 10).astype(np.float32), "x").shuffle(4).batch(3)
sum(x.size for x, _ in data.create_tuple_iterator(num_epochs=1, output_numpy=True))


# %%
class Squares:
    def __len__(self):
        return 5

    def __getitem__(self, number):
        return np.float32(number), np.float32(number**2)


def halves():
    for number in range(3):
        yield (np.float32(number / 2),)


# %%
squares = GeneratorDataset(Squares(), ["x", "y"], shuffle=False)
assert [(x.item(), y.item()) for x, y in squares][-1] == (4.0, 16.0)
[x.item() for (x,) in GeneratorDataset(halves, ["x"])]
