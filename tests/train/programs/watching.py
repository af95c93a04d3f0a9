from _data import Batches, network
from mindspore import nn
from mindspore.train import EarlyStopping, LambdaCallback, LearningRateScheduler, Model, ReduceLROnPlateau


def epochs(rate, callbacks, count=6, metrics=None):
    net = network()
    optimizer = nn.SGD(net.trainable_params(), rate)
    model = Model(net, nn.MSELoss(), optimizer, metrics=metrics)
    seen = LambdaCallback(
        on_train_epoch_end=lambda context: print(
            "epoch", context.original_args().cur_epoch_num, f"{float(optimizer.learning_rate.asnumpy()):.6f}"
        )
    )
    if metrics:
        model.fit(count, Batches(), Batches(4), callbacks=[*callbacks, seen])
    else:
        model.train(count, Batches(), callbacks=[*callbacks, seen])
    print(f"{net.weight.asnumpy().sum():.3f}")


epochs(3.0, [EarlyStopping("loss", patience=1, verbose=True, mode="min", restore_best_weights=True)])
epochs(0.01, [EarlyStopping(patience=2, min_delta=0.5, verbose=True)], metrics={"mae"})
epochs(0.01, [EarlyStopping("mae", mode="max", patience=3)], metrics={"mae"})
epochs(0.01, [EarlyStopping("mae", baseline=0.001, patience=2)], metrics={"mae"})
epochs(0.5, [ReduceLROnPlateau("loss", patience=1, verbose=True, factor=0.3, mode="max")])
epochs(0.5, [ReduceLROnPlateau("loss", patience=2, factor=0.1, mode="max", cooldown=1, min_lr=0.01)])
epochs(0.5, [ReduceLROnPlateau(patience=1, factor=0.1, min_delta=10.0)], metrics={"mae"})
epochs(0.5, [LearningRateScheduler(lambda rate, step: rate * 0.5)], count=2)
