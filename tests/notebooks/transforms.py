"""Transforms of images and texts, Compose, and one's own."""

# %%
import mindspore as ms
import numpy as np
from mindspore.dataset import GeneratorDataset, NumpySlicesDataset, text, transforms, vision

# %%
image = np.random.default_rng(0).integers(0, 256, (16, 16, 3)).astype(np.uint8)
composed = transforms.Compose(
    [vision.Resize((8, 8)), vision.Rescale(1 / 255, 0), vision.Normalize([0.5] * 3, [0.5] * 3), vision.HWC2CHW()]
)
data = NumpySlicesDataset([image], ["image"]).map(composed, "image")
(result,) = next(data.create_tuple_iterator(output_numpy=True))
assert result.shape == (3, 8, 8) and -1 <= result.min() <= result.max() <= 1
result.mean()

# %%
vision.HorizontalFlip()(image)[0, 0], image[0, -1]

# %%
lines = GeneratorDataset(["welcome to the notebook"], ["text"])
words = lines.map(text.PythonTokenizer(str.split), "text")
vocabulary = text.Vocab.from_dataset(words)
(tokens,) = next(words.map(text.Lookup(vocabulary), "text").create_tuple_iterator(output_numpy=True))
assert sorted(tokens.tolist()) == [0, 1, 2, 3]
vocabulary.vocab()

# %%
doubled = NumpySlicesDataset([1.0, 2.0], ["x"], shuffle=False).map(
    [lambda x: x * 2, transforms.TypeCast(ms.float16)], "x"
)
[(x.item(), x.dtype) for (x,) in doubled]
