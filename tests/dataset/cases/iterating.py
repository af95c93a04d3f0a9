"""Iterators, settings, and what a pipeline says of itself (see `basics`)."""

from .basics import mindspore, numbers, rows


def iterators(ds):
    def dataset():
        return numbers(ds, 3).batch(2)

    iterator = dataset().create_tuple_iterator(num_epochs=2, output_numpy=True)
    tensors = [[str(x.dtype), x.shape] for x in next(dataset().create_tuple_iterator())]
    names = dataset().create_dict_iterator().get_col_names()
    return [
        list(iterator),
        list(iterator),
        tensors,
        names,
        [list(batch) for batch in numbers(ds, 2).create_tuple_iterator(["x"], 1, True)],
    ]


def iterator_after_its_epochs(ds):
    iterator = numbers(ds, 2).create_tuple_iterator(num_epochs=1, output_numpy=True)
    return [list(iterator), list(iterator)]


def iterator_after_stop(ds):
    iterator = numbers(ds, 2).create_tuple_iterator(num_epochs=1, output_numpy=True)
    iterator.stop()
    return next(iterator)


def iterator_of_the_dataset(ds):
    return [[value.asnumpy() for value in row] for row in numbers(ds, 2)]


def iterator_types(ds):
    return [type(numbers(ds, 2).create_dict_iterator()).__name__, type(numbers(ds, 2).create_tuple_iterator()).__name__]


def iterator_wrong_epochs(ds):
    return numbers(ds, 2).create_tuple_iterator(num_epochs=0)


def iterator_wrong_numpy(ds):
    return numbers(ds, 2).create_tuple_iterator(output_numpy=1)


def settings(ds):
    config = ds.config
    result = {
        name: getattr(config, name)()
        for name in [
            "get_seed",
            "get_prefetch_size",
            "get_monitor_sampling_interval",
            "get_callback_timeout",
            "get_auto_num_workers",
            "get_numa_enable",
            "get_enable_autotune",
            "get_autotune_interval",
            "get_auto_offload",
            "get_enable_watchdog",
            "get_multiprocessing_timeout_interval",
            "get_dynamic_shape",
            "get_fast_recovery",
            "get_debug_mode",
            "get_iterator_mode",
            "get_multiprocessing_start_method",
            "get_video_backend",
        ]
    }
    config.set_prefetch_size(3)
    result["set"] = config.get_prefetch_size()
    config.set_prefetch_size(16)
    result["errors"] = str(config.get_error_samples_mode())
    return result


def setting_of_text(ds):
    ds.config.set_seed("1")


def setting_negative(ds):
    ds.config.set_seed(-1)


def setting_workers(ds):
    ds.config.set_num_parallel_workers(0)


def setting_flag(ds):
    ds.config.set_enable_shared_mem(1)


def synchronized(ds):
    seen = []

    class Weights:
        def __init__(self):
            self.value = 1

        def update(self, data):
            self.value = data["weight"]

        def times(self, x):
            return x * self.value

    weights = Weights()
    dataset = numbers(ds, 4).sync_wait("policy", callback=weights.update).map(weights.times, ["x"])
    for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
        seen.append(row["x"])
        dataset.sync_update("policy", data={"weight": int(row["x"]) + 2})
    return len(seen)


def synchronized_batches(ds):
    dataset = ds.GeneratorDataset([(k,) for k in range(12)], ["x"], shuffle=False).sync_wait(
        "policy", 1, lambda data: None
    )
    results = []
    for batch in dataset.batch(4).create_dict_iterator(num_epochs=1, output_numpy=True):
        results.append(batch["x"])
        dataset.sync_update("policy", data={})
    return results


def classes(ds):
    return [
        numbers(ds, 2).num_classes(),
        numbers(ds, 2).get_class_indexing(),
        numbers(ds, 2).is_shuffled(),
        numbers(ds, 2).is_sharded(),
    ]


def device_attributes(ds):
    dataset = numbers(ds, 4).batch(2)
    return [
        dataset.dataset_size,
        [type(child).__name__ for child in dataset.children],
        type(dataset).__name__,
        len(dataset.parent),
        isinstance(dataset, ds.Dataset),
    ]


def tensor_operations(ds):
    def dataset():
        return numbers(ds, 3)

    transforms = ds.transforms
    return [
        rows(dataset().map(transforms.TypeCast(mindspore(ds).float16), ["x"])),
        rows(dataset().map([transforms.OneHot(4)], ["x"])),
        rows(dataset().map([transforms.OneHot(4), lambda x: x.sum(), transforms.Fill(7)], ["x"])),
    ]
