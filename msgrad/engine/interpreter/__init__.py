"""Jaxprs run by NumPy: compiling a program by XLA takes 30 to 400 ms, too much for one that is run for the first time.

| file | what lies there |
|---|---|
| `plan.py` | A jaxpr as a list of NumPy calls, if each of its primitives has a rule; how long they take. |
| `generated.py` | A short plan as a Python function of its own. |
| `generated_programs.py` | A program of many plans as a Python function. |
| `kernels.py` | What XLA makes of the equations, by which the time to compile them is estimated. |
| `pickled.py` | Plans as bytes, for the next process. |
| `table.py` | The rules of all primitives, by name. |
| `shaped.py` | Calls that are made for the shapes of an equation: shape primitives, and faster ones than some rules. |
| `shaped_products.py` | The same of matrix products. |
| `shaped_indexing.py` | The same of gathers. |
| `elementwise.py` | Arithmetic, comparisons, conversions, special functions. |
| `reductions.py` | Sums, maxima, argmax, cumulative sums, sorting. |
| `reshaping.py` | Broadcasting, transposition, slices, padding, concatenation. |
| `indexing.py` | Gather, scatter, slices at dynamic starts. |
| `products.py` | Matrix products and convolutions. |
| `blas_threads.py` | One thread for NumPy's products. |
| `subnormals.py` | Subnormal numbers as 0, as in compiled code. |
| `quiet.py` | NumPy without its warnings. |
| `linear_algebra.py` | Cholesky decomposition, triangular systems, Fourier transforms. |
| `windows.py` | Reductions over sliding windows. |

A rule takes the parameters of the primitive and NumPy arrays, and returns an array, or a tuple where the primitive has
several results. Results agree with XLA's within rounding: integers wrap and divide alike, sums of halves
accumulate in float32. No result depends on the memory layout of an operand, but for the rounding of float sums.
"""

from .plan import make_plan
from .table import NotCovered

__all__ = ["NotCovered", "make_plan"]
