#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds models with TensorFlow, and writes for each a folder with what rivals load: SavedModels, ONNX,
weights, calls, and the values that TensorFlow gives for these.

Usage, with a Python that has TensorFlow: exporting.py FOLDER NAME...
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from rivals.families import MODELS  # noqa: E402
from rivals.folder import Folder    # noqa: E402


def onnx_of(program, path):
    """The reason why there is none, or None. The converter does not say how it fails."""
    try:
        import tf2onnx
        tf2onnx.convert.from_function(program.function, program.function.input_signature, opset=17,
                                      output_path=str(path))
        return None
    except ImportError as error:
        return f"no {error.name}"
    except Exception as error:  # pylint: disable=broad-exception-caught
        return f"tf2onnx: {str(error).splitlines()[0][:100]}"


def write_static(program, folder):
    """With the sizes of the first call."""
    import tensorflow as tf
    call = program.calls[0]
    function = tf.function(program.function.python_function, input_signature=[
        tf.TensorSpec(call[each.name].shape, each.dtype, each.name)
        for each in program.function.input_signature])
    program.module.static = function
    tf.saved_model.save(program.module, str(folder), {"serving_default": function.get_concrete_function()})


def write(name, model, folder):
    import export
    import numpy as np
    import program as programs
    programs.start(name)
    program, variables = model.tensorflow()
    folder.path.mkdir(parents=True, exist_ok=True)
    exported = export.write(program, "SavedModel", folder.path)
    reasons = dict(model.without)
    if "TensorFlow, XLA" not in reasons:
        write_static(program, folder.static)
    if "ONNX Runtime" not in reasons:
        reason = onnx_of(program, folder.onnx)
        if reason:
            reasons["ONNX Runtime"] = reason
    folder.write_arrays("weights", {str(i): np.asarray(each) for i, each in enumerate(variables)})
    folder.write_arrays("calls", folder.flat(program.calls))
    folder.write_arrays("expected", folder.flat(export.expected(program)))
    # Last, as it tells that all else is there.
    folder.facts_path.write_text(json.dumps({
        "inputs": [each.name for each in program.function.input_signature], "outputs": exported.outputs,
        "flags": exported.flags, "without": reasons}))
    return reasons


def main():
    place, *names = sys.argv[1:]
    for name in names:
        reasons = write(name, MODELS[name], Folder(place, name))
        print(name, *(f"{rival}: {reason}" for rival, reason in reasons.items()), sep="; ", flush=True)


if __name__ == "__main__":
    main()
