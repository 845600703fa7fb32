#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of a loop's rows that are computed in front of it have the bits, and the errors, of those that
each iteration computes, whatever is known of sizes.

Usage: hoisted_products_test.py SLUICEC
"""

import itertools
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from loop_graphs import dims  # noqa: E402
from multiplied_ahead_test import write_tensor  # noqa: E402
from tf1_graph import FLOAT, INT, Graph, Loop  # noqa: E402

STEPS, BATCH, DEPTH, UNITS = 6, 3, 24, 48
INT_VECTOR = {"dtype": INT}
# Left operand of the product: the row, the row joined with the state, or with that and one more; the
# state before the row, which has to be multiplied first; a row that is gathered.
KINDS = ("row", "joined", "three", "state first", "gathered")
# What is known of rows and batch; weights transposed or not.
SIZES = ((STEPS, BATCH), (-1, BATCH), (-1, -1))
COUNTS = (0, 1, 4, STEPS, STEPS + 2)


def numbers(g, name, *values):
    tensor = (f"tensor {{ dtype: DT_INT32 tensor_shape {{ {dims(len(values))} }} "
              f"{' '.join(f'int_val: {value}' for value in values)} }}")
    return g.node(name, "Const", value=tensor, **INT_VECTOR)


def layer(kind, steps, batch, transposed):
    """h = tanh(left w) for the rows of an array, as many as `n` says."""
    joined = {"row": 0, "joined": UNITS, "three": 2 * UNITS, "state first": UNITS,
              "gathered": UNITS}[kind]
    depth = DEPTH + joined
    g = Graph()
    g.placeholder("n", INT, "")
    g.placeholder("rows", FLOAT, dims(steps, batch, DEPTH))
    g.placeholder("h", FLOAT, dims(batch, UNITS))
    g.placeholder("w", FLOAT, dims(UNITS, depth) if transposed else dims(depth, UNITS))
    loop = Loop(g, "while", 10)
    loop.count_to("n")
    h = loop.variable("_1", "h", FLOAT)
    rows = loop.enter("rows", "rows", FLOAT, constant=True)
    w = loop.enter("w", "w", FLOAT, constant=True)
    one = g.constant("while/one", INT, 1, after=["while/Identity"])
    zero = g.constant("while/zero", INT, 0, after=["while/Identity"])
    following = g.node("while/following", "Add", ["while/Identity", one], T=INT)
    pack = {"N": "i: 1", "T": INT, "axis": "i: 0"}
    begin = g.node("while/begin", "Pack", ["while/Identity"], **pack)
    end = g.node("while/end", "Pack", [following], **pack)
    stride = g.node("while/stride", "Pack", [one], **pack)
    x = g.node("while/x", "StridedSlice", [rows, begin, end, stride], T=FLOAT, Index=INT,
               begin_mask="i: 0", end_mask="i: 0", ellipsis_mask="i: 0", new_axis_mask="i: 0",
               shrink_axis_mask="i: 1")
    if kind == "gathered":
        x = g.node("while/gathered", "GatherV2", [rows, "while/Identity", zero], Tparams=FLOAT,
                   Tindices=INT, Taxis=INT, batch_dims="i: 0")
    left = {"row": [x], "joined": [x, h], "three": [x, h, h], "state first": [h, x],
            "gathered": [x, h]}[kind]
    if len(left) > 1:
        axis = g.node("while/axis", "Add", [zero, one], T=INT)
        left = [g.node("while/left", "ConcatV2", [*left, axis], N=f"i: {len(left)}", T=FLOAT,
                       Tidx=INT)]
    product = g.node("while/product", "MatMul", [*left, w], T=FLOAT, transpose_a="b: false",
                     transpose_b=f"b: {'true' if transposed else 'false'}")
    kept = g.node("while/kept", "Add", [product, h], T=FLOAT)
    loop.close("_1", g.node("while/tanh", "Tanh", [kept], T=FLOAT), FLOAT)
    return g.text(), {"rows": (STEPS, BATCH, DEPTH), "h": (BATCH, UNITS),
                      "w": (UNITS, depth) if transposed else (depth, UNITS)}


def outcome(program, scratch, inputs, count):
    """The bytes of the last state; of a call that fails, its exit code and which node it names."""
    out = scratch / "out.npy"
    run = subprocess.run([program, f"--input=n=i32={count}", *inputs, f"--output=while/Exit_1=@{out}"],
                         capture_output=True, text=True, timeout=60, check=False)
    node = re.match(r"error: \w+: node '[^']*'", run.stderr)
    return out.read_bytes() if run.returncode == 0 else (run.returncode, node and node.group())


def faults_of(sluicec, scratch, kind, steps, batch, transposed):
    text, sizes = layer(kind, steps, batch, transposed)
    source = scratch / "graph.pbtxt"
    source.write_text(text)
    command = [sluicec, source, "--feed=n", "--feed=rows", "--feed=h", "--feed=w",
               "--fetch=while/Exit_1"]
    for name, flags in (("hoisted", []), ("plain", ["--no-collapse"])):
        subprocess.run([*command, *flags, "-o", scratch / name], check=True, capture_output=True)
    code = subprocess.run([*command, "--stop-after=codegen"], check=True, capture_output=True,
                          text=True).stdout
    links = code.count(" = nd.matmul_onto ")
    versions = 2 if batch == -1 else 1  # whether the batches of rows and state are equal
    if links != (versions if kind in ("joined", "three", "gathered") else 0):
        yield f"expected products in two parts just where the row comes first but got {links}"
    drawn, inputs = random.Random(1), []
    for name, shape in sizes.items():
        write_tensor(scratch / f"{name}.npy", shape, drawn)
        inputs.append(f"--input={name}=@{scratch / name}.npy")
    for count in COUNTS:
        hoisted, plain = (outcome(scratch / name, scratch, inputs, count)
                          for name in ("hoisted", "plain"))
        if hoisted != plain:
            yield f"{count} iterations: expected the same bits or error as without but got {hoisted}"
        if isinstance(plain, tuple) != (count > STEPS):
            yield f"{count} iterations: expected an error just beyond the last row but got {plain}"


def main():
    passed, found = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        for kind, (steps, batch), transposed in itertools.product(KINDS, SIZES, (False, True)):
            faults = list(faults_of(sys.argv[1], pathlib.Path(scratch), kind, steps, batch, transposed))
            passed += not faults
            found += [f"{kind}, [{steps}, {batch}, {DEPTH}], transposed {transposed}: {fault}"
                      for fault in faults]
    for fault in found:
        print(fault)
    print(f"{passed} passed, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
