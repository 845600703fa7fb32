#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products that a mirror computes again for several iterations at once have the bits of those that were
saved, whether or not iterations fill blocks.

Usage: multiplied_ahead_test.py SLUICEC
"""

import array
import math
import pathlib
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import loop_graphs  # noqa: E402
from tf1_graph import FLOAT, INT  # noqa: E402

UNITS, LAYERS = 36, 2
PRODUCTS = {"transpose_a": "b: false", "transpose_b": "b: false"}
# (rows of an operand, iterations): blocks have 256 rows, and 16 iterations at most.
SIZES = ((3, 1), (3, 16), (3, 37), (64, 3), (64, 8), (200, 4))


def stacked(batch, steps):
    """Two layers, h = tanh([x, h] w) each, where the second one's x is the first one's h."""
    def body(g, loop, row, states):
        one = g.constant("while/one", INT, 1, after=["while/Identity"])
        following, x = [], row
        for layer, h in enumerate(states):
            w = loop.enter(f"w{layer}", f"w{layer}", FLOAT, constant=True)
            both = g.node(f"while/both{layer}", "ConcatV2", [x, h, one], N="i: 2", T=FLOAT,
                          Tidx=INT)
            product = g.node(f"while/product{layer}", "MatMul", [both, w], T=FLOAT, **PRODUCTS)
            x = g.node(f"while/h{layer}", "Tanh", [product], T=FLOAT)
            following.append(x)
        return x, following

    state, w = [batch, UNITS], [2 * UNITS, UNITS]
    return loop_graphs.over_rows(body, steps, state, state, ["h0", "h1"],
                                 [("h0", state), ("h1", state), ("w0", w), ("w1", w)])


def write_tensor(path, dims, drawn):
    """Numbers so small that no tanh is flat: else all derivatives are 0, whatever the products."""
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(dims)}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    values = array.array("f", (drawn.uniform(-0.3, 0.3) for _ in range(math.prod(dims))))
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() +
                     values.tobytes())


def outputs(sluicec, scratch, graph, sizes, memory):
    """The bytes of all derivatives, and the IR of the program's codelets."""
    text, feeds, fetches = graph
    source = scratch / "graph.pbtxt"
    source.write_text(text)
    command = [sluicec, source, *(f"--feed={f}" for f in feeds), f"--fetch={fetches[0]}",
               f"--gradients={fetches[0]}={','.join(feeds)}", f"--gradient-memory={memory}"]
    code = subprocess.run([*command, "--stop-after=codegen"], check=True, capture_output=True,
                          text=True).stdout
    subprocess.run([*command, "-o", scratch / "program"], check=True)
    run, files = [scratch / "program"], []
    drawn = random.Random(1)
    for name, dims in sizes.items():
        write_tensor(scratch / f"{name}.npy", dims, drawn)
        run.append(f"--input={name}=@{scratch / name}.npy")
    for name in feeds:
        files.append(scratch / f"{name}.npy")
        run.append(f"--output=gradients/{name}=@{files[-1]}")
    subprocess.run(run, check=True, capture_output=True)
    return [file.read_bytes() for file in files], code


def faults(sluicec, scratch):
    for batch, steps in SIZES:
        graph, where = stacked(batch, steps), f"{batch} rows, {steps} iterations"
        state, w = (batch, UNITS), (2 * UNITS, UNITS)
        sizes = {"rows": (steps, *state), "h0": state, "h1": state, "w0": w, "w1": w}
        saved, _ = outputs(sluicec, scratch, graph, sizes, "fast")
        again, code = outputs(sluicec, scratch, graph, sizes, "min")
        if not any(saved[0][128:]):
            yield f"{where}: expected derivatives that are not 0"
        if saved != again:
            yield f"{where}: expected the same bits with --gradient-memory=min as with fast"
        block = min(16, 256 // batch)
        joined = f"-> tensor<{block * batch}x{UNITS}xf32> loc"
        found = sum(" = nd.matmul " in line and joined in line for line in code.splitlines())
        # The product of all rows, in front of the forward loop, may be as large.
        expected = LAYERS + (steps == block)
        if block > 1 and found != expected:
            yield f"{where}: expected {expected} products of {block} iterations but got {found}"


def main():
    with tempfile.TemporaryDirectory() as scratch:
        found = list(faults(sys.argv[1], pathlib.Path(scratch)))
    for fault in found:
        print(fault)
    print(f"{len(SIZES) - len(found)} passed, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
