#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random graphs give the same bits, and the same errors, with compiled code and with plain kernels.
So does code for another target (sim: a card, simulated), but for sums, which have an order there.

Usage: random_graphs_test.py SLUICEC [GRAPHS [SEED [TARGET]]]
"""

import base64
import json
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

import random_graphs

NAMES = {"f32": "float32", "f64": "float64", "f16": "float16", "bf16": "bfloat16",
         "i32": "int32", "i64": "int64", "i8": "int8", "i1": "bool"}
FORMATS = {"f32": "f", "f64": "d", "f16": "e", "bf16": "f", "i32": "i", "i64": "q", "i8": "b",
           "i1": "?"}


def draw_element(dtype, rng):
    if dtype in random_graphs.FLOATS:
        special = rng.choice([-0.0, math.inf, -math.inf, math.nan]) if rng.random() < 0.1 else None
        return rng.uniform(-4, 4) if special is None else special
    return rng.random() < 0.5 if dtype == "i1" else rng.randint(-2, 3)


def draw_tensor(value, rng):
    elements = [draw_element(value.dtype, rng) for _ in range(math.prod(value.dims))]
    data = struct.pack(f"<{len(elements)}{FORMATS[value.dtype]}", *elements)
    if value.dtype == "bf16":  # the upper half of an f32
        data = b"".join(data[i + 2:i + 4] for i in range(0, len(data), 4))
    return {"dtype": NAMES[value.dtype], "shape": value.dims,
            "b64": base64.b64encode(data).decode()}


def requests(graphs, rng):
    for graph in graphs:
        inputs = {f"x{i}": draw_tensor(feed, rng) for i, feed in enumerate(graph.feeds)}
        yield json.dumps({"signature": graph.name, "inputs": inputs})


def run(sluicec, module, calls, program, flags):
    subprocess.run([sluicec, module, *flags, "-o", program], check=True)
    outcome = subprocess.run([program, "--calls=-"], input="\n".join(calls), text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return [json.loads(line) for line in outcome.stdout.splitlines()]


def bits(tensor):
    """The elements; NaNs count as equal, as the sign of a new one is the processor's choice."""
    data = base64.b64decode(tensor["b64"])
    form, rest = {"float32": ("f", b""), "float64": ("d", b""), "float16": ("e", b""),
                  "bfloat16": ("f", b"\0\0")}.get(tensor["dtype"], (None, b""))
    if not form:
        return tensor["dtype"], tensor["shape"], data
    size = struct.calcsize(form) - len(rest)
    parts = [data[i:i + size] for i in range(0, len(data), size)]
    return tensor["dtype"], tensor["shape"], [
        "nan" if math.isnan(struct.unpack(f"<{form}", rest + part)[0]) else part for part in parts]


def outcome_of(answer):
    return answer.get("error") or [bits(tensor) for tensor in answer["outputs"]]


def numbers(tensor):
    """The elements of floats, with the tolerance of their type."""
    data = base64.b64decode(tensor["b64"])
    form, relative = {"float32": ("f", 1e-4), "float64": ("d", 1e-10), "float16": ("e", 2e-2),
                      "bfloat16": ("f", 1e-1)}.get(tensor["dtype"], (None, 0))
    if tensor["dtype"] == "bfloat16":
        data = b"".join(b"\0\0" + data[i:i + 2] for i in range(0, len(data), 2))
    count = len(data) // struct.calcsize(form) if form else 0
    return struct.unpack(f"<{count}{form}", data) if form else None, relative


def are_close(one, other):
    """Whether outcomes differ by rounding only; of several errors another one may come first."""
    if "error" in one or "error" in other:
        return "error" in one and "error" in other
    for x, y in zip(one["outputs"], other["outputs"], strict=True):
        if bits(x) == bits(y):
            continue
        (left, relative), (right, _) = numbers(x), numbers(y)
        if left is None or x["shape"] != y["shape"]:
            return False
        if not all(a == b or math.isnan(a) and math.isnan(b) or
                   abs(a - b) <= relative * max(1, abs(a), abs(b)) for a, b in zip(left, right)):
            return False
    return True


def main():
    defaults = ["200", "1", "cpu"]
    arguments = sys.argv[2:] + defaults[len(sys.argv) - 2:]
    sluicec, count, seed, target = sys.argv[1], int(arguments[0]), int(arguments[1]), arguments[2]
    graphs = [random_graphs.draw(f"g{i}", f"{seed}/{i}") for i in range(count)]
    calls = list(requests(graphs, random.Random(seed)))
    different = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "module.mlir").write_text("\n".join(graph.text() for graph in graphs))
        answers = [run(sluicec, folder / "module.mlir", calls, folder / name, flags)
                   for name, flags in (("compiled", [f"--target={target}"]),
                                       ("plain", ["--no-codelets"]))]
        for graph, compiled, plain in zip(graphs, *answers, strict=True):
            may_differ = target != "cpu" and ("nd.reduce_" in graph.text() or "error" in plain)
            if outcome_of(compiled) != outcome_of(plain) and not (
                    may_differ and are_close(compiled, plain)):
                different.append(graph)
    for graph in different:
        print(f"expected the same outcome with and without compiled code:\n{graph.text()}")
    print(f"{count - len(different)} passed, {len(different)} failed")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
