"""How a Program is compiled, kept and launched, by XLA or by NumPy."""
