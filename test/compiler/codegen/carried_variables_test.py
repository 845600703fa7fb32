#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that write variables are collapsed, and give what the graph says in all ways to run them; calls
at the same time lose no update.

Usage: carried_variables_test.py SLUICEC
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TESTS / "random"), str(TESTS / "bench")]
import graph as graphs  # noqa: E402
from checking import Checker  # noqa: E402
from hoisted_reads_test import References, Resources, SHAPE  # noqa: E402
from program import Program, Signature, tensor  # noqa: E402
from tf1_graph import FLOAT, INT, Graph, Loop  # noqa: E402
from ways import Way, draw_ways  # noqa: E402

SEED = 11
CALLS, STEPS = 12, 400
LOOPS = ("plain", "momentum", "adam", "nested", "branching")


def entered(kind, loop, variable):
    """The variable in a loop, as something that can be written."""
    isReference = isinstance(kind, References)
    return loop.graph.node(f"{loop.name}/name_{variable[-1]}", "RefEnter" if isReference else "Enter",
                           [variable], T=FLOAT if isReference else "type: DT_RESOURCE",
                           frame_name=f's: "{loop.name}/{loop.name}_context"',
                           is_constant="b: true", parallel_iterations=f"i: {loop.window}")


def read(kind, g, name, variable, after):
    if isinstance(kind, References):
        return g.node(name, "Identity", [variable, f"^{after}"], T=FLOAT)
    return g.node(name, "ReadVariableOp", [variable, f"^{after}"], dtype=FLOAT)


def apply(kind, g, name, rule, operands, after, **attributes):
    op = f"Apply{rule}" if isinstance(kind, References) else f"ResourceApply{rule}"
    return g.node(name, op, [*operands, *(f"^{other}" for other in after)], T=FLOAT,
                  use_locking="b: false", **attributes)


def scalar(g, loop, name, value):
    return g.constant(f"{loop.name}/{name}", FLOAT, value, after=[f"{loop.name}/Identity"])


def plain(kind, g, name):
    """while (i < n) {x = tanh(x * u + v); u -= 0.25 x; v = x}"""
    loop = Loop(g, name, 10)
    loop.count_to("n")
    x = loop.variable("_1", "x", FLOAT)
    u, v = (entered(kind, loop, variable) for variable in "uv")
    product = g.node(f"{name}/mul", "Mul", [x, read(kind, g, f"{name}/u", u, x)], T=FLOAT)
    total = g.node(f"{name}/sum", "Add", [product, read(kind, g, f"{name}/v", v, product)], T=FLOAT)
    y = g.node(f"{name}/tanh", "Tanh", [total], T=FLOAT)
    step = g.node(f"{name}/step", "Mul", [y, scalar(g, loop, "rate", 0.25)], T=FLOAT)
    first = kind.write(g, f"{name}/update_u", u, step, "Sub", [product])
    second = kind.write(g, f"{name}/update_v", v, y, "", [total, first])
    following = g.node(f"{name}/next", "Identity", [y, f"^{second}"], T=FLOAT)
    return loop.close("_1", following, FLOAT)


def optimizer(kind, g, name, rule):
    """while (i < n) {x = x * u; u, v, w = rule(u, v, w, x)}"""
    loop = Loop(g, name, 10)
    loop.count_to("n")
    x = loop.variable("_1", "x", FLOAT)
    u, v, w = (entered(kind, loop, variable) for variable in "uvw")
    y = g.node(f"{name}/mul", "Mul", [x, read(kind, g, f"{name}/u", u, x)], T=FLOAT)
    rate, other = scalar(g, loop, "rate", 0.125), scalar(g, loop, "other", 0.75)
    if rule == "Momentum":
        update = apply(kind, g, f"{name}/update", rule, [u, v, rate, y, other], [y],
                       use_nesterov="b: true")
    else:
        epsilon = scalar(g, loop, "epsilon", 0.0625)
        update = apply(kind, g, f"{name}/update", rule,
                       [u, v, w, other, other, rate, other, other, epsilon, y], [y],
                       use_nesterov="b: false")
    following = g.node(f"{name}/next", "Identity", [y, f"^{update}"], T=FLOAT)
    return loop.close("_1", following, FLOAT)


def nested(kind, g, name):
    """while (i < n) {u += x; j = 0; while (j < n) {j = j + 1; x = x * u; u -= x}}"""
    outer = Loop(g, name, 10)
    outer.count_to("n")
    x = outer.variable("_1", "x", FLOAT)
    u = entered(kind, outer, "u")
    first = kind.write(g, f"{name}/increase", u, x, "Add")
    n = outer.enter("n", "n", INT, constant=True)
    inner = Loop(g, f"{name}/inner", 10)
    inner.count_to(n, start_after=[f"{name}/Identity", first])
    y = inner.variable("_1", g.node(f"{name}/x", "Identity", [x, f"^{first}"], T=FLOAT), FLOAT)
    w = entered(kind, inner, u)
    product = g.node(f"{name}/inner/mul", "Mul", [y, read(kind, g, f"{name}/inner/u", w, y)], T=FLOAT)
    z = g.node(f"{name}/inner/tanh", "Tanh", [product], T=FLOAT)
    update = kind.write(g, f"{name}/inner/sub", w, z, "Sub", [product])
    y = inner.close("_1", g.node(f"{name}/inner/next", "Identity", [z, f"^{update}"], T=FLOAT), FLOAT)
    return outer.close("_1", y, FLOAT)


def branching(kind, g, name):
    """while (i < n) {x = tanh(x * u); if (i % 2 == 0) v += x; else v = u}"""
    loop = Loop(g, name, 10)
    loop.count_to("n")
    x = loop.variable("_1", "x", FLOAT)
    u, v = (entered(kind, loop, variable) for variable in "uv")
    product = g.node(f"{name}/mul", "Mul", [x, read(kind, g, f"{name}/u", u, x)], T=FLOAT)
    both = g.node(f"{name}/sum", "Add", [product, read(kind, g, f"{name}/v", v, x)], T=FLOAT)
    y = g.node(f"{name}/tanh", "Tanh", [both], T=FLOAT)
    two = g.constant(f"{name}/two", INT, 2, after=[f"{name}/Identity"])
    zero = g.constant(f"{name}/zero", INT, 0, after=[f"{name}/Identity"])
    rest = g.node(f"{name}/rest", "FloorMod", [f"{name}/Identity", two], T=INT)
    even = g.node(f"{name}/even", "Equal", [rest, zero, f"^{y}"], T=INT)
    isReference = isinstance(kind, References)
    op, dtype = ("RefSwitch", FLOAT) if isReference else ("Switch", "type: DT_RESOURCE")
    for variable, source in (("u", u), ("v", v)):
        g.node(f"{name}/cond/{variable}", op, [source, even], T=dtype)
    g.node(f"{name}/cond/y", "Switch", [y, even], T=FLOAT)
    add = kind.write(g, f"{name}/cond/add", f"{name}/cond/v:1", f"{name}/cond/y:1", "Add")
    old = read(kind, g, f"{name}/cond/old", f"{name}/cond/u", f"{name}/cond/off")
    g.node(f"{name}/cond/off", "Identity", [f"{name}/cond/y"], T=FLOAT)
    put = kind.write(g, f"{name}/cond/put", f"{name}/cond/v", old)
    ways = [g.node(f"{name}/cond/{way}", "Identity", [f"{name}/cond/y{port}", f"^{after}"], T=FLOAT)
            for way, port, after in (("f", "", put), ("t", ":1", add))]
    merged = g.node(f"{name}/cond/merge", "Merge", ways, N="i: 2", T=FLOAT)
    return loop.close("_1", merged, FLOAT)


BUILD = {"plain": plain, "nested": nested, "branching": branching,
         "momentum": lambda kind, g, name: optimizer(kind, g, name, "Momentum"),
         "adam": lambda kind, g, name: optimizer(kind, g, name, "Adam")}


def program(kind):
    g = Graph()
    g.placeholder("n", INT, "")
    g.placeholder("x", FLOAT, SHAPE)
    for variable in "uvw":
        kind.declare(g, variable)
        kind.write(g, f"init_{variable}", variable, "x")
    last = {name: BUILD[name](kind, g, name) for name in LOOPS}
    state = [read(kind, g, f"see_{variable}", variable, "x") for variable in "uvw"]
    x = {"x": tensor("f", [0.5, -1.25, 2.0, 1.0], [4])}

    def call(signature, n=None):
        return {"signature": signature,
                "inputs": x if n is None else {**x, "n": tensor("i", [n], [])}}
    signatures = [Signature("init", ["x"], [], ["init_u", "init_v", "init_w"]),
                  Signature("see", ["x"], state),
                  *(Signature(name, ["n", "x"], [last[name]]) for name in LOOPS)]
    requests = [call("plain", 0), call("plain", 1), call("momentum", 0), call("init"), call("see")]
    for name in LOOPS:
        requests += [call(name, n) for n in (0, 1, 4)] + [call("see"), call("init")]
    return Program(graphs.parse_graph(g.text()), signatures, requests)


def faults_of(kind, sluicec):
    chosen = program(kind)
    with tempfile.TemporaryDirectory() as folder:
        stem = pathlib.Path(folder) / "graph"
        file = stem.with_suffix(".pbtxt")
        file.write_text(graphs.print_graph(chosen.nodes))
        explained = subprocess.run(
            [sluicec, file, *chosen.selection_flags(stem), "--explain-loops", "-o", stem],
            check=True, capture_output=True, text=True).stdout
    for name in LOOPS:
        if f"loop '{name}/{name}_context': collapsed" not in explained:
            yield f"expected loop '{name}' to be collapsed but got: {explained}"
    ways = [Way([], ["--workers=0"], linked=True), *draw_ways(random.Random(SEED)),
            *draw_ways(random.Random(SEED + 1))]
    for failure in Checker(sluicec).failures(chosen, ways):
        yield failure.text()


def lost_updates(kind, sluicec):
    """Calls at a time count by a loop, and by an update of its own: none of them is lost."""
    g = Graph()
    g.placeholder("n", INT, "")
    g.placeholder("x", FLOAT, SHAPE)
    kind.declare(g, "u")
    kind.write(g, "init", "u", "x")
    loop = Loop(g, "count", 10)
    loop.count_to("n")
    x = loop.variable("_1", "x", FLOAT)
    update = kind.write(g, "count/update", entered(kind, loop, "u"), x, "Add")
    last = loop.close("_1", g.node("count/next", "Identity", [x, f"^{update}"], T=FLOAT), FLOAT)
    kind.write(g, "once", "u", "x", "Add")
    see = read(kind, g, "see", "u", "x")
    ones = {"x": tensor("f", [1, 1, 1, 1], [4])}
    many = {**ones, "n": tensor("i", [STEPS], [])}
    requests = [{"signature": "init", "inputs": ones}]
    for _ in range(CALLS):
        requests += [{"signature": "count", "inputs": many}, {"signature": "once", "inputs": ones}]
    signatures = [{"name": "init", "feeds": ["x"], "targets": ["init"]},
                  {"name": "count", "feeds": ["n", "x"], "fetches": [last]},
                  {"name": "once", "feeds": ["x"], "targets": ["once"]},
                  {"name": "see", "feeds": ["x"], "fetches": [see]}]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "graph.pbtxt").write_text(g.text())
        (folder / "signatures.json").write_text(json.dumps({"signatures": signatures}))
        subprocess.run([sluicec, folder / "graph.pbtxt", "--signatures", folder / "signatures.json",
                        "-o", folder / "program"], check=True, capture_output=True)
        lines = [json.dumps(request) for request in requests]
        state = folder / "state.safetensors"

        def answer(calls, lines, *flags):
            return subprocess.run(
                [folder / "program", "--calls=-", f"--concurrent-calls={calls}", *flags,
                 f"--save={state}"], input="\n".join(lines) + "\n", check=True,
                capture_output=True, text=True, timeout=60).stdout
        for calls in (1, 8):
            answer(1, lines[:1])
            answers = answer(calls, lines[1:], f"--load={state}")
            if '"error"' in answers:
                yield f"{calls} calls at a time: expected no error but got {answers[:300]}"
            seen = subprocess.run(
                [folder / "program", "--signature=see", "--input=x=4xf32=1,1,1,1",
                 f"--load={state}"],
                check=True, capture_output=True, text=True, timeout=60).stdout
            expected = 1 + CALLS * (STEPS + 1)
            if seen.count(str(expected)) != 4:
                yield f"{calls} calls at a time: expected {expected} each but got {seen}"


def main():
    failed = 0
    for kind in References(), Resources():
        for check in faults_of, lost_updates:
            faults = list(check(kind, sys.argv[1]))
            for fault in faults:
                print(f"{type(kind).__name__}: {fault}")
            failed += bool(faults)
    print(f"{4 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
