# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which ops and names have derivatives, by their definitions, and which of them have no rule."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Names without a case, and why.
NO_CASE = {"Angle": "it takes complex numbers alone, which are not fed",
           "PreventGradient": "it is an error to ask for its derivative",
           **dict.fromkeys(("FakeQuantWithMinMaxArgs", "FakeQuantWithMinMaxVars",
                            "FakeQuantWithMinMaxVarsPerChannel", "QuantizeAndDequantizeV2",
                            "QuantizeAndDequantizeV3", "QuantizeAndDequantizeV4"),
                           "it rounds: its derivative is that of what is rounded"),
           "nn.ctc_loss": "its derivative has none itself, which every case asks for",
           "sci.random_bounded_normal":
           "what it computes has steps: the derivative is that of distributions",
           "sci.random_gamma": "what it computes has steps: the derivative is that of distributions",
           "fed": "it is no op of a graph file, but stands for what is fed"}


def differentiable_ops():
    """As `nd.add`."""
    found = set()
    for dialect in ("nd", "nn", "sci", "list"):
        for table in (ROOT / "dialects" / dialect).rglob("*.td"):
            lines = re.findall(r'^def \w+ : \w+<"(\w+)",.*\bHasGradient\b', table.read_text(), re.M)
            found |= {f"{dialect}.{op}" for op in lines}
    return found


def named_derivatives():
    found = set()
    for table in (ROOT / "compiler" / "differentiate").glob("NamedDerivatives*.cpp"):
        found |= set(re.findall(r'^    \{"(\w+)", ', table.read_text(), re.M))
    return found


def missing(ops, names):
    """A line for each that is expected and not there, or there without need."""
    faults = []
    for found, rules in ((differentiable_ops(), ops), (named_derivatives(), names)):
        if len(found) < 20:
            faults.append(f"expected many derivatives in the sources but got {len(found)}")
        faults += [f"{name}: expected a rule that draws cases of its derivative"
                   for name in sorted(found - set(rules) - set(NO_CASE))]
        faults += [f"{name}: a rule for what has no derivative" for name in
                   sorted(set(rules) - found)]
    return faults
