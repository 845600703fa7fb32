#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records checkpoints as TensorFlow writes them, for recorded_test.cpp.

Usage: record.py FOLDER (needs tensorflow-cpu; the files in recorded/ are of TensorFlow 2.21.0)
"""

import pathlib
import sys

import numpy as np
import tensorflow as tf

SIGNED = ["half", "bfloat16", "float", "double", "int8", "int16", "int32", "int64", "complex64",
          "complex128"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64", "bool"]
NOT_IN_TABLES = ["bfloat16", "uint32", "uint64"]
STRINGS = ["", "a", "b\0c", "x" * 200]


def tensors():
    """{name: tensor}: elements count from -2 or from 0; those of bool alternate."""
    numbers = np.arange(6).reshape(2, 3)
    result = {name: tf.cast(numbers - 2, name) for name in SIGNED}
    result |= {name: tf.cast(numbers % 2 if name == "bool" else numbers, name) for name in UNSIGNED}
    return result | {"string": tf.constant(STRINGS, shape=[2, 2]), "empty": tf.zeros([0, 3]),
                     "scalar": tf.constant(5.0)}


def save_bundle(prefix, named, slices=None):
    tf.raw_ops.SaveV2(prefix=prefix, tensor_names=list(named), tensors=list(named.values()),
                      shape_and_slices=slices or [""] * len(named))


def parts():
    """A matrix of 5 by 4 with the elements 0 to 19, in parts."""
    matrix = tf.reshape(tf.range(20.0), [5, 4])
    return [("5 4 0,2:-", matrix[:2]), ("5 4 2,3:0,1", matrix[2:, :1]),
            ("5 4 2,3:1,3", matrix[2:, 1:])]


def main(folder):
    save_bundle(f"{folder}/every-type", tensors())
    # Names with long beginnings in common, and restarts between.
    save_bundle(f"{folder}/many", {f"{'layer/' * 20}{i:04}": tf.constant(i, tf.int32)
                                   for i in range(300)})
    shards = []
    for i, (text, part) in enumerate(parts()):
        shards.append(f"{folder}/shards/{i}")
        named = {"matrix": part, f"of-{i}": tf.constant(i, tf.int64)}
        save_bundle(shards[-1], named, [text, ""])
    tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=shards, destination_prefix=f"{folder}/merged")
    named = {name: tensor for name, tensor in tensors().items() if name not in NOT_IN_TABLES}
    tf.raw_ops.Save(filename=f"{folder}/every-type.table", tensor_names=list(named),
                    data=list(named.values()))
    for i, (text, part) in enumerate(parts()):
        tf.raw_ops.SaveSlices(filename=f"{folder}/parts-{i}-of-3.table", tensor_names=["matrix"],
                              shapes_and_slices=[text], data=[part])


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
