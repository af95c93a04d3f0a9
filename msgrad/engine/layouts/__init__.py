"""How arrays are stored between the convolutions of a program on a CPU: with channels in the last axis, or the first.

| file | question it answers |
|---|---|
| `stored.py` | How is a value stored? In another order; as what is repeated; as a product that may yet be summed. |
| `aligned.py` | How do primitives whose results have the axes of their operands keep an order? |
| `reshaping.py` | Which order has an array after axes are merged, split, added or left out? |
| `products.py` | How are convolutions and products computed, so that their results have channels last? |
| `channels_last.py` | Which programs are rewritten, and how? |
"""
