# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a model in the three forms in which models are given to the compiler."""

import pathlib
import re
import shutil
from typing import NamedTuple

import tensorflow as tf
from tensorflow.core.protobuf import saved_model_pb2
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

FORMS = ("SavedModel", "primitives", "functions")


class Frozen(NamedTuple):
    graph: object   # GraphDef
    feeds: list     # tensors, in the order of the signature
    fetches: list   # tensors, in the order of the sorted names of outputs


class Export(NamedTuple):
    path: pathlib.Path
    inputs: dict    # input of the model -> name that the executable knows
    outputs: list   # outputs of the model, in the order in which the executable gives them
    flags: list     # of sluicec


def is_traced(name, function):
    """Functions that were traced have numbers."""
    return name == function or re.fullmatch(rf"__inference_{function}_\d+", name)


def close_recursion(graph, recursive):
    """Lets calls of what stands in for a function call the function. Tracing cannot end otherwise."""
    bodies = [graph.node, *(each.node_def for each in graph.library.function)]
    names = [each.signature.name for each in graph.library.function]
    for stand_in, function in recursive.items():
        target = next(name for name in names if is_traced(name, function))
        for node in (node for body in bodies for node in body):
            if is_traced(node.op, stand_in):
                node.op = target
            for value in node.attr.values():
                if is_traced(value.func.name, stand_in):
                    value.func.name = target
    return graph


def saved_model(program, folder):
    shutil.rmtree(folder, ignore_errors=True)
    if program.layers is not None:
        program.layers.export(str(folder), verbose=False)
    else:
        tf.saved_model.save(program.module, str(folder),
                            {"serving_default": program.function.get_concrete_function()})
    if program.recursive:
        path = folder / "saved_model.pb"
        model = saved_model_pb2.SavedModel.FromString(path.read_bytes())
        close_recursion(model.meta_graphs[0].graph_def, program.recursive)
        path.write_bytes(model.SerializeToString())
    outputs = sorted(program.function.get_concrete_function().structured_outputs)
    return Export(folder, {each.name: each.name for each in program.function.input_signature},
                  outputs, ["--signature", "serving_default"])


def frozen(program, lowered, path):
    function = program.function.get_concrete_function()
    made = program.frozen(lowered)
    if not made:
        constant = convert_variables_to_constants_v2(function, lower_control_flow=lowered)
        graph = close_recursion(constant.graph.as_graph_def(), program.recursive)
        made = Frozen(graph, [each.name for each in constant.inputs],
                      [each.name for each in constant.outputs])
    path.write_bytes(made.graph.SerializeToString())
    names = [each.name for each in program.function.input_signature]
    flags = [f"--feed={name}" for name in made.feeds] + [f"--fetch={name}" for name in made.fetches]
    return Export(path, dict(zip(names, made.feeds)), sorted(function.structured_outputs), flags)


def expected(program):
    """What TensorFlow gives for the calls."""
    return [{name: value.numpy() for name, value in program.reference(
        *map(tf.constant, call.values())).items()} for call in program.calls]


def write(program, form, folder):
    if form == "SavedModel":
        return saved_model(program, folder / "saved")
    return frozen(program, form == "primitives", folder / f"{form}.pb")
