"""One compiled program for many lengths: programs that differ in sizes alone, found, and padded to a few buckets.

| file | what lies there |
|---|---|
| `sizes.py` | A `Size`: a number in a program as a polynomial of the sizes that vary, solved from samples. |
| `rounded.py` | Sizes that are rounded, as after strides. |
| `ends.py` | What an operation pads an array with at its ends, as shapes tell it. |
| `beginnings.py` | Arrays before which a number of elements is added that varies. |
| `template.py` | A `Template`: the jaxpr that several jaxprs of different sizes have in common. |
| `constants.py` | Constants whose shape varies: positions, masks of a triangle. |
| `layout.py` | Where the valid elements of a padded array lie; masks, and changes of that layout. |
| `costs.py` | What a program costs at any sizes, by NumPy and compiled. |
| `padding.py` | A Template as a function of arrays that are padded to a bucket, and of the true sizes. |
| `rules.py` | The rules of all primitives, by name. |
| `elementwise.py` | Arithmetic, constants, and calls of inner jaxprs. |
| `reshaping.py` | Broadcasting, transposition, reshapes, slices, padding, concatenation. |
| `reductions.py` | Reductions, cumulative ones, sorting. |
| `products.py` | Matrix products and convolutions: what is contracted is masked. |
| `windows.py` | Reductions over windows, and the gradient of their maximum. |
| `random_bits.py` | Random bits: as without padding. |
| `indexing.py` | Gather, scatter, slices at dynamic starts. |
| `loops.py` | `scan`, `while_loop` and `cond`. |
| `sharding.py` | Sharding constraints: what is distributed over devices must not vary. |

The elements of a padded array beyond its true sizes may be anything, NaN included. A rule masks them where a valid
result would depend on them: in what reduces, contracts or scatters. What products contract is masked where it is made,
and on a CPU large masks are computed once a launch. Gradients are taken of the exact program, before.
"""
