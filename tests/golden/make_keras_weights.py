"""Writes `tests/golden/weights/keras.h5`, and what the model gives; run by a Python that has Keras 3.

KERAS_BACKEND=torch KERAS_PYTHON tests/golden/make_keras_weights.py
"""

import pathlib

import keras
import numpy as np

FOLDER = pathlib.Path(__file__).parent / "weights"


def main():
    layers = keras.layers
    model = keras.Sequential(
        [
            keras.Input((5, 5, 2)),
            layers.Conv2D(3, 3, padding="same"),
            layers.BatchNormalization(epsilon=1e-5),
            layers.DepthwiseConv2D(3, padding="same", use_bias=False),
            layers.Conv2DTranspose(2, 2, strides=2),
            layers.GlobalAveragePooling2D(),
            layers.Dense(2, activation="relu"),
            layers.Dense(3),
        ]
    )
    draw = np.random.RandomState(0)
    model.set_weights([draw.uniform(0.2, 1.0, value.shape).astype(np.float32) for value in model.get_weights()])
    x = draw.randn(2, 5, 5, 2).astype(np.float32)
    model.save(FOLDER / "keras.h5")
    np.savez(FOLDER / "keras.npz", x=x, y=keras.ops.convert_to_numpy(model(x)))


if __name__ == "__main__":
    main()
