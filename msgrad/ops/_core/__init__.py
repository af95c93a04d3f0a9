"""How operations are defined, their faces made, and calls run: three phases, which the README draws."""
