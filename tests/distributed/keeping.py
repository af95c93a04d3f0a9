"""A key-value store without a coordination service, for tests in one process."""

import threading


class Client:
    """The client of the service, as far as `Store` uses it; ``values`` are those of the store, by key."""

    def __init__(self):
        self.values, self._changed = {}, threading.Condition()

    def key_value_set_bytes(self, key, value, allow_overwrite=False):
        with self._changed:
            if key in self.values and not allow_overwrite:
                raise RuntimeError("ALREADY_EXISTS")
            self.values[key] = value
            self._changed.notify_all()

    def blocking_key_value_get_bytes(self, key, milliseconds):
        with self._changed:
            if not self._changed.wait_for(lambda: key in self.values, milliseconds / 1000):
                raise RuntimeError("DEADLINE_EXCEEDED")
            return self.values[key]

    def key_value_dir_get_bytes(self, folder):
        return [(key, value) for key, value in self.values.items() if key.startswith(folder)]

    def key_value_delete(self, folder):
        self.values = {key: value for key, value in self.values.items() if not key.startswith(folder)}
