"""Batches go to the device from the pipeline's thread, of whatever kind the source and the iterator are."""

import os
import subprocess
import sys

# Two CPU devices, the second of which plays an accelerator.
SCRIPT = """
import threading, time
import jax, numpy as np
import msgrad.dataset as ds
from msgrad.engine import host

host.is_cpu = lambda device: device == jax.devices()[0]
threads, put = [], host.device_put
host.device_put = lambda *args, **options: threads.append(threading.current_thread().name) or put(*args, **options)

class Rows:
    def __getitem__(self, index):
        return np.full(3, index, np.float32)
    def __len__(self):
        return 8

sources = {
    "slices": ds.NumpySlicesDataset(np.ones((8, 3), np.float32), ["x"]),
    "generator": ds.GeneratorDataset(Rows(), ["x"]),
    "mapped": ds.GeneratorDataset(Rows(), ["x"], num_parallel_workers=2).map(lambda x: x + 1, ["x"]),
}
with jax.default_device(jax.devices()[1]):
    for name, source in sources.items():
        batches = source.batch(2)
        for rows in (batches.create_dict_iterator(), batches.create_tuple_iterator()):
            threads.clear()
            taken = [next(rows)]
            end = time.monotonic() + 20
            while len(threads) < 4 and time.monotonic() < end:  # the others come while nobody asks
                time.sleep(0.001)
            taken += rows
            assert threads == ["msgrad-dataset"] * 4, (name, threads)
            for batch in taken:
                array = (batch["x"] if isinstance(batch, dict) else batch[0])._array_()
                assert array.devices() == {jax.devices()[1]}, (name, array.devices())
"""


def test_batches_go_to_the_device_from_the_pipelines_thread():
    environment = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2", "MSGRAD_CACHE": "off"}
    subprocess.run([sys.executable, "-c", SCRIPT], env=environment, check=True, timeout=100)
