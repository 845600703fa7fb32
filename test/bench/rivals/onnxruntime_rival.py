# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX Runtime, with what tf2onnx makes of TensorFlow's function."""

import numpy as np
import onnxruntime


class Rival:
    def __init__(self, threads, _kind, _place):
        self.options = onnxruntime.SessionOptions()
        self.options.intra_op_num_threads, self.options.inter_op_num_threads = threads, 1
        self.options.log_severity_level = 4

    def load(self, folder, _name):
        session = onnxruntime.InferenceSession(str(folder.onnx), self.options,
                                               providers=["CPUExecutionProvider"])
        facts = folder.facts
        there = {each.name.split(":")[0]: each.name for each in session.get_inputs()}
        inputs = [there.get(name) for name in facts["inputs"]]
        names = [each.name for each in session.get_outputs()]
        # Outputs of a function are in the order of their names.
        names = names if len(names) == len(facts["outputs"]) else None

        def run(*given):
            return session.run(names, {name: value for name, value in zip(inputs, given) if name})

        return run

    @staticmethod
    def given(value):
        return np.asarray(value, order="C")

    @staticmethod
    def array(value):
        return value
