"""``device_count`` and ``is_available``, which the three kinds of devices share."""

from .._compat.modules import hal


def counting(target):
    """The functions ``device_count`` and ``is_available`` of a kind of device."""

    def device_count():
        """The number of devices of this kind (int).

        Raises:
            RuntimeError: if there is none.
        """
        if not hal.is_available(target):
            raise RuntimeError(f"For 'device_count', there is no device of type {target} here: check is_available().")
        return hal.device_count(target)

    return device_count, lambda: hal.is_available(target)
