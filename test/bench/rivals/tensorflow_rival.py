# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TensorFlow: the signature of the SavedModel; or XLA's code of the same, traced with the sizes of the calls,
as it compiles for these anyway."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow as tf  # noqa: E402


class Rival:
    def __init__(self, threads, kind, _place):
        tf.config.threading.set_intra_op_parallelism_threads(threads)
        tf.config.threading.set_inter_op_parallelism_threads(threads)
        self.is_compiled = kind.endswith("XLA")
        self.loaded = None

    def load(self, folder, _name):
        facts = folder.facts
        # Lives as long as its function.
        self.loaded = tf.saved_model.load(str(folder.static if self.is_compiled else folder.saved))
        signature = self.loaded.signatures["serving_default"]
        inputs, outputs = facts["inputs"], facts["outputs"]

        def call(*given):
            found = signature(**dict(zip(inputs, given)))
            return [found[name] for name in outputs]

        return tf.function(call, jit_compile=True) if self.is_compiled else call

    @staticmethod
    def given(value):
        return tf.constant(value)

    @staticmethod
    def array(value):
        return value.numpy()
