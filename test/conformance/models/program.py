# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each model of the table is: a function of TensorFlow, its variables, and calls of it."""

import os
import zlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

RANDOM = np.random.RandomState(11)


def drawn(*shape, dtype="float32", scale=1.0):
    return np.asarray(scale * RANDOM.randn(*shape)).astype(dtype)


def counts(high, *shape, dtype="int32", low=0):
    return np.asarray(RANDOM.randint(low, high, shape)).astype(dtype)


class Program:
    """`function` has an input signature and gives a dictionary; `calls` are the inputs by name.
    `layers`: a model of Keras, which is exported in its own way. `recursive`: name of what stands in
    the traced graph where a function is to call itself, and of that function. `frozen`: gives graphs
    that cannot be made by freezing, or None. `reference`: what gives the values, if not `function`.
    `is_constant`: no call changes a variable, so that all of them can be frozen."""

    def __init__(self, function, calls, module=None, layers=None, recursive=None,
                 frozen=lambda lowered: None, reference=None, is_constant=True):
        self.function, self.layers, self.recursive = function, layers, recursive or {}
        self.module = module if module is not None else tf.Module()
        self.module.function = function
        self.frozen, self.reference = frozen, reference or function
        self.is_constant = is_constant
        specs = {each.name: each for each in function.input_signature}
        self.calls = [{name: np.asarray(value, specs[name].dtype.as_numpy_dtype)
                       for name, value in call.items()} for call in calls]


def spec(name, *shape, dtype=tf.float32):
    return tf.TensorSpec(shape, dtype, name=name)


def traced(function, *specs):
    return tf.function(function, input_signature=specs)


def of_model(model, *calls, is_constant=True):
    """A program with the inputs that a model of Keras has."""
    specs = [spec(each.name, *each.shape, dtype=each.dtype) for each in model.inputs]

    def function(*inputs):
        result = model(list(inputs) if len(inputs) > 1 else inputs[0], training=False)
        results = result if isinstance(result, (list, tuple)) else [result]
        return {f"output_{i}": value for i, value in enumerate(results)}

    names = [each.name for each in model.inputs]
    return Program(traced(function, *specs), [dict(zip(names, call)) for call in calls], model, model,
                   is_constant=is_constant)


def start(name):
    """Draws the same numbers for a model whichever others were made before."""
    seed = zlib.crc32(name.encode())
    RANDOM.seed(seed)
    tf.keras.utils.set_random_seed(seed)
    tf.keras.backend.clear_session()
