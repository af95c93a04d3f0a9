"""What reviews say, by an LSTM, in the style of MindSpore 2.x: text files, a vocabulary, embeddings, a loop.

The reviews are put together here from a few dozen words and written in IMDB's folders, one file each: a good or a bad
word, which "not" turns round, among others that say nothing. After six epochs, 144 steps, at least 90 % of the test
reviews are told right.
"""

import os
import tempfile

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.dataset import text, transforms

EPOCHS, BATCH, LENGTH = 6, 32, 16
GOOD = "good great fine lovely superb brilliant moving funny".split()
BAD = "bad poor dull awful boring weak silly tedious".split()
OTHERS = "the film was with a plot and an ending that i saw in one evening by its makers of course".split()


def write_reviews(folder, count, seed):
    random = np.random.RandomState(seed)
    for number in range(count):
        is_good = number % 2 == 0
        turned = bool(random.randint(0, 2))
        telling = random.choice(GOOD if is_good != turned else BAD)
        words = list(random.choice(OTHERS, random.randint(5, 14)))
        words.insert(random.randint(0, len(words)), f"not {telling}" if turned else telling)
        path = os.path.join(folder, "pos" if is_good else "neg", f"{number}.txt")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(" ".join(words).capitalize() + ".")


class Reviews:
    """One pair of a review and its label for each file, as `GeneratorDataset` takes it."""

    label_map = {"pos": 1, "neg": 0}

    def __init__(self, path):
        self.docs, self.labels = [], []
        for name, label in self.label_map.items():
            for file_name in sorted(os.listdir(os.path.join(path, name))):
                with open(os.path.join(path, name, file_name), encoding="utf-8") as file:
                    self.docs.append(file.read().rstrip("\n\r.").lower())
                self.labels.append([float(label)])

    def __getitem__(self, idx):
        return self.docs[idx], np.array(self.labels[idx], np.float32)

    def __len__(self):
        return len(self.docs)


def create_dataset(path, vocab, shuffle):
    data_set = ds.GeneratorDataset(Reviews(path), ["text", "label"], shuffle=shuffle)
    steps = [text.PythonTokenizer(lambda line: np.array(str(line).split())), text.Lookup(vocab, unknown_token="<unk>")]
    steps.append(transforms.PadEnd([LENGTH], pad_value=vocab.tokens_to_ids("<pad>")))
    data_set = data_set.map(steps, input_columns=["text"])
    data_set = data_set.map(transforms.TypeCast(ms.int32), input_columns=["text"])
    return data_set.batch(BATCH, drop_remainder=True)


class SentimentNet(nn.Cell):
    def __init__(self, vocab_size, embed=16, hidden=24, pad_idx=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embed, padding_idx=pad_idx)
        self.rnn = nn.LSTM(embed, hidden, num_layers=1, bidirectional=True, batch_first=True)
        self.fc = nn.Dense(2 * hidden, 1)

    def construct(self, inputs):
        _, (hidden, _) = self.rnn(self.embedding(inputs))
        return self.fc(ops.concat((hidden[-2, :, :], hidden[-1, :, :]), axis=1))


def main(folder):
    write_reviews(f"{folder}/train", 768, seed=0)
    write_reviews(f"{folder}/test", 256, seed=1)
    words = sorted(set(GOOD + BAD + OTHERS + ["not"]))
    vocab = text.Vocab.from_list(words, special_tokens=["<unk>", "<pad>"], special_first=False)
    print("words:", len(vocab.vocab()), "not:", vocab.tokens_to_ids("not"))
    train_set = create_dataset(f"{folder}/train", vocab, shuffle=True)
    test_set = create_dataset(f"{folder}/test", vocab, shuffle=False)
    first = next(test_set.create_dict_iterator(num_epochs=1))
    print("a batch:", first["text"].shape, first["text"].dtype, first["label"].shape, first["label"].dtype)

    model = SentimentNet(len(vocab.vocab()), pad_idx=vocab.tokens_to_ids("<pad>"))
    loss_fn = nn.BCEWithLogitsLoss()
    optimizer = nn.Adam(model.trainable_params(), learning_rate=0.01)

    def forward_fn(data, label):
        return loss_fn(model(data), label)

    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters)
    losses = []
    batches = train_set.create_tuple_iterator(num_epochs=EPOCHS)
    model.set_train()
    for _ in range(EPOCHS):
        for data, label in batches:
            loss, grads = grad_fn(data, label)
            optimizer(grads)
            losses.append(float(loss.asnumpy()))

    model.set_train(False)
    right = [
        np.mean((model(data).asnumpy() > 0) == (label.asnumpy() > 0.5))
        for data, label in test_set.create_tuple_iterator()
    ]
    print("the loss fell to less than a third:", np.mean(losses[-10:]) < losses[0] / 3)
    print("more than 90 % of the test reviews are right:", np.mean(right) > 0.9)
    for review in ("the film was not boring and i saw it in one evening", "a superb plot", "the ending was not good"):
        ids = vocab.tokens_to_ids([word if word in words else "<unk>" for word in review.split()])
        ids += [vocab.tokens_to_ids("<pad>")] * (LENGTH - len(ids))
        liked = float(ops.sigmoid(model(Tensor([ids], ms.int32))).asnumpy()[0, 0])
        print(f"{review!r}:", "positive" if liked > 0.5 else "negative")


if __name__ == "__main__":
    ms.set_seed(1)
    with tempfile.TemporaryDirectory() as folder:
        main(folder)
