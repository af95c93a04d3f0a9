"""Steps of optimizers, gradient clipping and loss scaling."""
