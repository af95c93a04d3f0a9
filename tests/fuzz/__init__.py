"""Random MindSpore programs, run in all modes, which must agree: ``python -m tests.fuzz --minutes N``.

| file | question it answers |
|---|---|
| `grammar.py` | What may a program consist of? Tables of MindSpore text. |
| `writer.py` | How is a program drawn from a seed? |
| `running.py` | What is seen of a program that runs, and in which ways does it run? |
| `plain.py` | What are gradients, by differences of values alone? |
| `checking.py` | Where do the ways disagree? |
| `shrink.py` | What is the smallest program that still does? |

And random jaxprs, which NumPy and XLA must compute alike: ``python -m tests.fuzz.tiers --each N``.

| file | question it answers |
|---|---|
| `jaxprs.py` | Which primitives and operands does a jaxpr of a family have? |
| `tiers.py` | Where do NumPy's results differ from XLA's? |
| `options.py` | Which families are run, and how many jaxprs of each? |
| `lengths.py` | Where do padded programs differ from exact ones? ``python -m tests.fuzz.lengths --each N`` |
"""
