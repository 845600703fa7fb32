#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs whose nodes and edges are wrong."""

import json

import harness
from graphdef import (BOOL, FLOAT, INT32, VARIANT, constant, dtype, field, flag, graph, integer,
                      merge, node, placeholder, shape, tensor, text, unary)
from harness import BAD_GRAPH, UNSUPPORTED, USAGE, Case, add_graph_cases, program


class GraphStructure(Case):
    def test_item_030_all_unknown_ops_at_once(self):
        """item 30: with counts and names"""
        content = graph(node("a", "Froznicate"), node("b", "Froznicate", "a"),
                        node("y", "Blub", "b"))
        path = self.write("g.pb", content)
        self.refused(UNSUPPORTED, [program("sluicec"), path, "--fetch=y", "-o", "out"],
                     "Froznicate", "2 nodes: 'a', 'b'", "Blub", "1 node: 'y'")

    def test_item_021_place_in_text(self):
        """item 21: line and column of both nodes"""
        path = self.write("g.pbtxt", 'node { name: "y" op: "NoOp" }\n  node { name: "y" op: "NoOp" }')
        self.refused(harness.BAD_GRAPH, [program("sluicec"), path, "--run=y", "-o", "out"],
                     "g.pbtxt:2:3: node 'y' (NoOp): error: two nodes", "g.pbtxt:1:1: ")

    def test_item_021_json(self):
        """item 21: the same as a line of JSON"""
        path = self.write("g.pbtxt", 'node { name: "y" op: "NoOp" }\n  node { name: "y" op: "NoOp" }')
        outcome = harness.run([program("sluicec"), path, "--run=y", "-o", "out",
                               "--diagnostics-format=json"], self.folder)
        self.assertEqual(outcome.code, harness.BAD_GRAPH)
        self.assertIn('"node":"y"', outcome.err.splitlines()[0])


    def test_item_031_newer_producer(self):
        """item 31: what is not known of newer ops shows when they are read"""
        path = self.write("g.pb", graph(constant("y"), producer=2_000_000_000))
        self.accepted([program("sluicec"), path, "--fetch=y", "--stop-after=import"])

    def test_item_035_invalid_but_not_reached(self):
        """item 35: an op that is not known may stand where nobody needs it; all else is checked"""
        path = self.write("g.pb", graph(constant("y"), node("a", "Froznicate", "y")))
        self.accepted([program("sluicec"), path, "--fetch=y", "--stop-after=import"])

    def test_item_034_uninitialised(self):
        """item 34: a variable is read before anything was assigned"""
        for resource in (False, True):
            path = self.write("g.pb", graph(*variable("v", resource), *read("v", resource)))
            for how in (["--interpret"], ["--execute=local"]):
                self.refused(BAD_GRAPH, [program("sluicec"), path, "--fetch=y", *how],
                             "node 'y'", "ninitialized", "v")

    def test_item_036_one_name_two_variables(self):
        """item 36: of equal types they are one variable"""
        path = self.write("g.pb", graph(*variable("a", True, shared="v"),
                                        *variable("b", True, shared="v"), *read("b", True)))
        self.accepted([program("sluicec"), path, "--fetch=y", "--stop-after=import"])

    def test_item_037_references_between_devices(self):
        """item 37: what cannot be copied is kept together, whatever the nodes ask for"""
        for resource in (False, True):
            nodes = [*variable("v", resource), constant("c"), *assign("v", resource),
                     *read("v", resource)]
            on = [body + field(4, f"/task:{k % 2}") for k, body in enumerate(nodes)]
            devices = [{"name": f"/job:a/task:{k}/device:CPU:0", "host": "localhost",
                        "port": 7000 + k} for k in range(2)]
            cluster = self.write("cluster.json", json.dumps({"devices": devices}))
            path = self.write("g.pb", graph(*on))
            outcome = harness.run([program("sluicec"), path, "--fetch=y", "--cluster", cluster,
                                   "--stop-after=place"], self.folder)
            self.assertIn(outcome.code, (0, BAD_GRAPH), outcome.err)
            if outcome.code:
                self.assertIn("node 'v'", outcome.err)


def variable(name, resource, element=FLOAT, sizes=(), shared=""):
    op = "VarHandleOp" if resource else "VariableV2"
    return [node(name, op, dtype=dtype(element), shape=shape(*sizes), shared_name=text(shared))]


def read(name, resource):
    if resource:
        return [node("y", "ReadVariableOp", name, dtype=dtype(FLOAT))]
    return [node("y", "Identity", name, T=dtype(FLOAT))]


def assign(name, resource):
    if resource:
        return [node("set", "AssignVariableOp", name, "c", dtype=dtype(FLOAT))]
    return [node("set", "Assign", name, "c", T=dtype(FLOAT))]


def two_variables(resource, *second):
    return graph(*variable("a", resource, shared="v"),
                 *variable("y", resource, *second, shared="v"))


def newer(versions):
    return field(1, constant("y")) + field(4, field(1, 24) + versions)


def scalar_constant(name):
    return node(name, "Const", dtype=dtype(INT32), value=tensor(INT32, [], bytes(4)))


def reads(source):
    """x, a two-output node s, and y, which reads from `source`."""
    return graph(placeholder("x"), flag("p"), node("s", "Switch", "x", "p", T=dtype(FLOAT)),
                 node("none", "NoOp"), unary("y", "Neg", source))


WRONG_INPUTS = [
    (23, "missing node", "nix", "no such node"),
    (23, "missing node with output", "nix:1", "no such node"),
    (24, "output beyond the last", "x:7", "below 1 but got 7"),
    (24, "output beyond the last of two", "s:2", "below 2 but got 2"),
    (24, "output of a node without any", "none", "below 0 but got 0"),
    (24, "negative output", "x:-1", "expected 'node'"),
    (24, "huge output", "x:99999999999", "below 1 but got"),
    (24, "huger output", "x:99999999999999999999999999", "below 1 but got"),
    (25, "empty", "", "expected 'node'"),
    (25, "only an output", ":0", "expected 'node'"),
    (25, "only a caret", "^", "expected 'node'"),
    (25, "control edge from an output", "^x:0", "expected 'node'"),
    (25, "two outputs", "x:0:0", "expected 'node'"),
    (25, "hexadecimal output", "x:0x1", "expected 'node'"),
    (25, "empty output", "x:", "expected 'node'"),
    (25, "two carets", "^^x", ""),
    (25, "plus sign", "x:+0", "expected 'node'"),
    (25, "blank", " x", "no such node"),
    (27, "self-edge", "y", "own input"),
    (27, "self-edge with output", "y:0", "own input"),
]

add_graph_cases(GraphStructure, [
    (item, title, reads(source), ["node 'y' (Neg)", "input 0", says])
    for item, title, source, says in WRONG_INPUTS])

add_graph_cases(GraphStructure, [
    (21, "two nodes of one name", graph(constant("y"), placeholder("x"), constant("y")),
     ["node 'y' (Const)", "two nodes have this name"]),
    (21, "two nodes of one name and another op",
     graph(placeholder("x"), unary("y", "Neg", "x"), unary("y", "Abs", "x")), "node 'y' (Abs)"),
    (22, "empty name", graph(constant("")), "expected a node name"),
    (22, "name with a colon", graph(constant("a:0"), constant("y")), "'a:0'"),
    (22, "name with a caret", graph(constant("^a"), constant("y")), "'^a'"),
    (22, "name with a blank", graph(constant("a b"), constant("y")), "'a b'"),
    (22, "name with NUL", graph(constant("a\0b"), constant("y")), "'a\\x00b'"),
    (22, "name with a line break", graph(constant("a\nb"), constant("y")), "'a\\x0ab'"),
    (22, "name that starts with a dash", graph(constant("-a"), constant("y")), "'-a'"),
    (22, "name of 1 MB", graph(constant("y"), constant("ä" * 500_000)), "bytes in the name"),
    (22, "name of 1 MB first", graph(constant("ä" * 500_000), constant("y")), "error: "),
    (22, "empty op", graph(node("y", "")), "node 'y'", {"code": UNSUPPORTED}),
    (26, "data input after control input",
     graph(placeholder("x"), node("a", "NoOp"),
           node("y", "Add", "x", "^a", "x", T=dtype(FLOAT))),
     ["node 'y' (Add)", "input 2", "control inputs after all others"]),
    (27, "control self-edge", graph(constant("c"), node("y", "Neg", "c", "^y", T=dtype(FLOAT))),
     ["node 'y' (Neg)", "own input"]),
    (28, "cycle of two", graph(unary("a", "Neg", "y"), unary("y", "Neg", "a")),
     ["cycle without NextIteration", "'a'", "'y'"]),
    (28, "cycle over a control edge",
     graph(node("a", "NoOp", "^y"), node("y", "NoOp", "^a")), "cycle without NextIteration",
     {"fetches": [], "targets": ["y"]}),
    (28, "cycle through a Merge",
     graph(constant("c"), merge("m", "c", "y"), unary("y", "Neg", "m")),
     "cycle without NextIteration"),
    (28, "cycle far from the fetch",
     graph(constant("y"), unary("a", "Neg", "b"), unary("b", "Neg", "a")),
     "cycle without NextIteration"),
    (29, "too few inputs", graph(placeholder("x"), node("y", "Add", "x", T=dtype(FLOAT))),
     ["node 'y' (Add)", "expected 2 inputs but got 1"]),
    (29, "too many inputs",
     graph(placeholder("x"), node("y", "Neg", "x", "x", T=dtype(FLOAT))), "1 inputs but got 2"),
    (29, "count that inputs contradict",
     graph(placeholder("x"), node("y", "AddN", "x", "x", N=integer(3), T=dtype(FLOAT))),
     ["node 'y' (AddN)", "expected 3 inputs but got 2"]),
    (29, "huge count",
     graph(placeholder("x"), node("y", "AddN", "x", N=integer(2**40), T=dtype(FLOAT))),
     "node 'y' (AddN)"),
    (29, "negative count",
     graph(placeholder("x"), node("y", "AddN", "x", N=integer(-1), T=dtype(FLOAT))),
     ["node 'y' (AddN)", "'N'"]),
    (30, "unknown op", graph(node("y", "Froznicate")), ["node 'y' (Froznicate)", "not known"],
     {"code": UNSUPPORTED}),
    (30, "unknown op with a hostile name", graph(node("y", "%s%n\x1b[31m" + "A" * 4000)),
     "node 'y'", {"code": UNSUPPORTED}),
    (30, "call of a function that is not there", graph(node(
        "y", "StatefulPartitionedCall", Tin=field(1, b""), Tout=field(1, field(6, FLOAT)),
        f=field(10, field(1, "g")))),
     ["node 'y'", "calls 'g': the graph has no such function"]),
    (29, "more inputs than the op has", graph(placeholder("x"), unary("y", "Neg", "x"),
                                              node("z", "Neg", *["x"] * 1000, T=dtype(FLOAT))),
     ["node 'z' (Neg)", "expected 1 inputs but got 1000"]),
    (31, "needs a newer reader", newer(field(2, 2_000_000_000)), ["reader of version 2000000000"]),
    (31, "forbids this reader", newer(field(3, 2314)), "forbids readers of version 2314"),
    (31, "negative producer", graph(constant("y"), producer=-1), "at least 0 but got -1"),
    (31, "op that was given up", graph(constant("c"), node(
        "y", "AdjustContrast", "c", "c", "c", "c", T=dtype(FLOAT))),
     ["node 'y' (AdjustContrast)", "not allowed in graphs of version 2"]),
    (32, "more nodes than the limit", graph(*(constant(f"c{k}") for k in range(11))),
     ["at most 10 nodes but got 11", "--limit nodes=N"], {"limits": ["nodes=10"]}),
    (16, "name beyond the limit", graph(constant("y" * 4097)),
     ["at most 4096 bytes in the name but got 4097"]),
    (16, "op name beyond the limit", graph(node("y", "y" * 4097)), ["node 'y'", "name of the op"]),
    (40, "attribute name beyond the limit", graph(node("y", "NoOp", attrs=[("_" * 4097, b"")])),
     ["node 'y'", "name of an attribute"]),
    (40, "attributes beyond the limit",
     graph(node("y", "NoOp", attrs=[(f"_{k}", integer(k)) for k in range(1001)])),
     ["node 'y'", "at most 1000 attributes but got 1001", "--limit attributes=N"]),
    (33, "reference of another type",
     graph(*variable("v", False, INT32), constant("c"), node("y", "Assign", "v", "c", T=dtype(FLOAT))),
     ["node 'y' (Assign)", "input 0 'v'", "float"]),
    (34, "value where a reference is wanted",
     graph(constant("c"), node("y", "Assign", "c", "c", T=dtype(FLOAT))),
     ["node 'y' (Assign)", "input 0 'c'", "expected"]),
    (34, "resource where a reference is wanted",
     graph(*variable("v", True), constant("c"), node("y", "Assign", "v", "c", T=dtype(FLOAT))),
     ["node 'y' (Assign)", "input 0 'v'"]),
    (34, "reference where a resource is wanted",
     graph(*variable("v", False), node("y", "ReadVariableOp", "v", dtype=dtype(FLOAT))),
     ["node 'y' (ReadVariableOp)", "input 0 'v'", "resource"]),
    (34, "handle of an array where a variable is wanted",
     graph(scalar_constant("n"), node("v", "TensorArrayV3", "n", dtype=dtype(FLOAT)),
           node("y", "ReadVariableOp", "v", dtype=dtype(FLOAT))), "'y'"),
    (34, "read as another type",
     graph(*variable("v", True), node("y", "ReadVariableOp", "v", dtype=dtype(INT32))), "'y'"),
    (35, "wrong type that nobody needs",
     graph(constant("y"), placeholder("i", INT32), unary("a", "Neg", "i")),
     ["node 'a' (Neg)", "input 0 'i'"]),
    (35, "wrong attribute that nobody needs", graph(constant("y"), node("a", "Placeholder")),
     ["node 'a' (Placeholder)", "'dtype'"]),
    (36, "variables of one name and two types", two_variables(False, INT32), "'v'",
     {"fetches": ["a", "y"]}),
    (36, "variables of one name and two shapes", two_variables(False, FLOAT, (2,)), "'v'",
     {"fetches": ["a", "y"]}),
    (36, "resources of one name and two types",
     graph(*variable("a", True, shared="v"), *variable("b", True, INT32, shared="v"),
           node("y", "ReadVariableOp", "a", dtype=dtype(FLOAT)),
           node("z", "ReadVariableOp", "b", dtype=dtype(INT32))), "'v'", {"fetches": ["y", "z"]}),
    (36, "resources of one name and two shapes",
     graph(*variable("a", True, shared="v"), *variable("b", True, FLOAT, (2,), shared="v"),
           node("y", "ReadVariableOp", "a", dtype=dtype(FLOAT)),
           node("z", "ReadVariableOp", "b", dtype=dtype(FLOAT))), "'v'", {"fetches": ["y", "z"]}),
    (33, "int32 into float",
     graph(placeholder("x", INT32), unary("y", "Neg", "x")),
     ["node 'y' (Neg)", "input 0 'x'", "expected float but got int32"]),
    (33, "two types of one attribute",
     graph(placeholder("x"), placeholder("i", INT32), node("y", "Add", "x", "i", T=dtype(FLOAT))),
     ["node 'y' (Add)", "input 1 'i'"]),
    (33, "value where a reference is wanted",
     graph(placeholder("x"), node("y", "AssignAdd", "x", "x", T=dtype(FLOAT))),
     ["node 'y' (AssignAdd)", "input 0 'x'"]),
    (33, "variant into float",
     graph(placeholder("x", VARIANT), unary("y", "Neg", "x")), "node 'y' (Neg)"),
    (38, "fetch of an op without outputs", graph(node("y", "NoOp")),
     ["node 'y' (NoOp)", "use --run y"], {"code": USAGE}),
    (38, "fetch of an assertion",
     graph(flag("p"), node("y", "Assert", "p", "p", T=field(1, field(6, bytes([BOOL]))))),
     "use --run y", {"code": USAGE}),
])

if __name__ == "__main__":
    harness.main()
