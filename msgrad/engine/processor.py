"""The processor of this machine, for which XLA's CPU backend compiles."""

import functools
import itertools
import platform


@functools.cache
def description():
    """Model and instruction sets, in lines of text."""
    try:
        with open("/proc/cpuinfo") as lines:
            first = list(itertools.takewhile(str.strip, lines))  # of the first of them, as far as an empty line
    except OSError:
        return "".join(platform.uname()[1:])
    names = ("model name", "vendor_id", "flags", "Features", "CPU ")
    return "".join([line for line in first if line.startswith(names)])


def multiplies_bfloat16():
    """Whether it has instructions for products of bfloat16: AMX, or those of AVX-512."""
    return not {"amx_bf16", "avx512_bf16"}.isdisjoint(description().split())
