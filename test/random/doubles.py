# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes programs fit for differences: floats of 64 bits, and tame ops in place of most wild ones."""

STEERING = {"Switch", "Merge", "Enter", "Exit", "NextIteration", "Identity", "_SwitchN",
            "Add", "AddV2", "AddN"}
# Ops whose values jump, grow fast or are not defined everywhere, and what does as well.
TAMER = {"Exp": "Sin", "Expm1": "Tanh", "Log": "Tanh", "Log1p": "Sin", "Sqrt": "Sigmoid",
         "Rsqrt": "Sigmoid", "Floor": "Sin", "Ceil": "Tanh", "Round": "Neg", "Sign": "Sigmoid",
         "StopGradient": "Identity", "Pow": "Sub", "FloorDiv": "Maximum", "RealDiv": "AddV2",
         "DivNoNan": "Minimum", "SquaredDifference": "Sub", "Square": "Sin"}


def tame(program, rng):
    """Most of what is wild, of floats alone. Nothing may stop derivatives that differences see."""
    for node in program.all_nodes():
        is_float = node.attributes.get("T") in ("type: DT_FLOAT", "type: DT_DOUBLE")
        if node.op in TAMER and is_float and (rng.random() < 0.8 or node.op == "StopGradient"):
            node.op = TAMER[node.op]


def flows(nodes):
    """Names of nodes that hand on flows of arrays: these stay floats of 32 bits."""
    def is_flow(ref):
        name, _, slot = ref.partition(":")
        return name in passing or name in arrays and slot in arrays[name]
    arrays, passing, before = {}, set(), -1
    for node in nodes:
        if node.op.startswith("TensorArray"):
            gives = {"TensorArrayV3": "1", "TensorArrayGradV3": "1"}.get(node.op, "")
            if gives or node.op in ("TensorArrayWriteV3", "TensorArrayScatterV3",
                                    "TensorArraySplitV3"):
                arrays[node.name] = {gives, gives or "0"}
    while len(passing) != before:
        before = len(passing)
        passing |= {node.name for node in nodes if node.op in STEERING
                    and any(is_flow(ref) for ref in node.inputs if ref[0] != "^")}
    return passing


def widen(program):
    """Floats of 32 bits become such of 64."""
    for nodes in program.bodies():
        kept = flows(nodes)
        for node in nodes:
            if node.name not in kept:
                node.attributes = {key: widened(value) for key, value in node.attributes.items()}
    for function in program.functions.values():
        function.arguments = [(name, "d" if kind == "f" else kind)
                              for name, kind in function.arguments]
        function.results = [(name, "d" if kind == "f" else kind, ref)
                            for name, kind, ref in function.results]
        function.attributes = {key: widened(value) for key, value in function.attributes.items()}
    program.facts = {ref: ("d" if dtype == "f" else dtype, shape, pivot)
                     for ref, (dtype, shape, pivot) in program.facts.items()}


def widened(text):
    return text.replace("DT_FLOAT", "DT_DOUBLE").replace("float_val:", "double_val:")
