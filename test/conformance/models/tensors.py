# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors in JSON, as executables read and write them."""

import base64

import numpy as np
import tensorflow as tf


def tensor_json(value):
    if value.dtype == object:
        return {"dtype": "string", "shape": list(value.shape),
                "data": [base64.b64encode(text).decode() for text in value.flat]}
    return {"dtype": tf.as_dtype(value.dtype).name, "shape": list(value.shape),
            "b64": base64.b64encode(value.tobytes()).decode()}


def tensor(value):
    if value["dtype"] == "string":
        texts = [base64.b64decode(text) for text in value["data"]]
        return np.array(texts, dtype=object).reshape(value["shape"])
    dtype = tf.as_dtype(value["dtype"]).as_numpy_dtype
    return np.frombuffer(base64.b64decode(value["b64"]), dtype).reshape(value["shape"])
