#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes, shapes, element types and constants that are wrong."""

import struct

import harness
from graphdef import (BFLOAT16, BOOL, COMPLEX64, DOUBLE, FLOAT, FLOAT_REF, HALF, INT32, INT64,
                      RESOURCE, STRING, VARIANT, dims, dtype, field, flag, floats, graph, integer,
                      node, number, placeholder, shape, tensor, text, varint)
from harness import BAD_GRAPH, UNSUPPORTED, USAGE, Case, add_graph_cases, program


def y(op="Neg", *inputs, **attrs):
    """A graph of x and one node with these attributes."""
    return graph(placeholder("x"), node("y", op, *(inputs or ["x"]), **attrs))


def const(element, sizes, content=None, values=b""):
    return graph(node("y", "Const", dtype=dtype(element),
                      value=tensor(element, sizes, content, values)))


def shaped(*sizes):
    return graph(placeholder("y", FLOAT, sizes))


class Attributes(Case):
    def test_item_042_text(self):
        """item 42: twice in the text form, with the place"""
        path = self.write("g.pbtxt", 'node { name: "x" op: "Placeholder"\n'
                          'attr { key: "dtype" value { type: DT_FLOAT } }\n'
                          'attr { key: "dtype" value { type: DT_INT32 } } }')
        self.refused(BAD_GRAPH, [program("sluicec"), path, "--fetch=x", "-o", "out"],
                     "g.pbtxt:1:1: node 'x' (Placeholder)", "attribute 'dtype': is given twice")

    def test_item_044_at_once(self):
        """item 44: types that no kernel takes, all in one run"""
        content = graph(placeholder("x", BOOL), node("a", "Neg", "x", T=dtype(BOOL)),
                        node("y", "Neg", "a", T=dtype(BOOL)))
        self.refused(BAD_GRAPH, [program("sluicec"), self.write("g.pb", content), "--fetch=y",
                                 "-o", "out"], "node 'a' (Neg)", "node 'y' (Neg)")

    def test_item_049_large_splat_is_refused_or_small(self):
        """item 49: a constant of 10^12 equal elements does not fill the memory"""
        content = graph(node("c", "Const", dtype=dtype(FLOAT),
                             value=tensor(FLOAT, [10**12], values=floats(1.0))),
                        node("y", "Neg", "c", T=dtype(FLOAT)))
        path = self.write("g.pb", content)
        outcome = harness.run([program("sluicec"), path, "--fetch=y", "-o", "big"], self.folder)
        self.assertIn(outcome.code, (0, BAD_GRAPH, UNSUPPORTED), outcome.err)
        self.assertLessEqual(outcome.memory, harness.MEMORY * harness.slowness)
        if outcome.code == 0:
            outcome = harness.run([str(self.folder / "big")], self.folder)
            self.assertIn(outcome.code, (1, 14), outcome.err)
            self.assertIn("RESOURCE_EXHAUSTED", outcome.err)


    def test_item_049_splats_together(self):
        """item 49: many constants that each grow to a little less than the limit"""
        nodes = [node(f"c{k}", "Const", dtype=dtype(DOUBLE),
                      value=tensor(DOUBLE, [7_000_000], values=field(6, struct.pack("<2d", 1, 2))))
                 for k in range(3)]
        path = self.write("g.pb", graph(*nodes))
        self.refused(BAD_GRAPH, [program("sluicec"), path, "--fetch=c0", "-o", "out"],
                     "node 'c1' (Const)", "bytes of repeated values in all constants")

    def test_item_062_counts_together(self):
        """item 62: many nodes that each ask for a little less than the limit"""
        nodes = [node(f"s{k}", "Split", "axis", "x", num_split=integer(2**20), T=dtype(FLOAT))
                 for k in range(17)]
        axis = node("axis", "Const", dtype=dtype(INT32), value=tensor(INT32, [], bytes(4)))
        path = self.write("g.pb", graph(placeholder("x"), axis, *nodes))
        self.refused(BAD_GRAPH, [program("sluicec"), path, "--feed=x", "--fetch=s0", "-o", "out"],
                     "node 's", "inputs and outputs of all nodes")

    def test_item_063_output_shapes_are_notes(self):
        """item 63: what a producer noted is not believed: results are what the graph computes"""
        path = self.write("g.pb", graph(
            placeholder("x"), node("y", "Neg", "x", T=dtype(FLOAT),
                                   _output_shapes=field(1, field(7, dims([3, 99]))))))
        outcome = self.accepted([program("sluicec"), path, "--feed=x", "--fetch=y", "--interpret",
                                 "--input=x=2xf32=1,2"])
        self.assertIn(b"f32[2] = [-1, -2]", outcome.out)

    def test_item_063_declared_shape(self):
        """item 63: the shape of a placeholder is a promise that feeds must keep"""
        path = self.write("g.pb", graph(placeholder("x"), node("y", "Neg", "x", T=dtype(FLOAT))))
        for how in ("--interpret", "--execute=local"):
            self.refused(BAD_GRAPH, [program("sluicec"), path, "--feed=x", "--fetch=y", how,
                                     "--input=x=3xf32=1,2,3"], "x", "[2]", "[3]")

    def test_item_064_texts_are_only_texts(self):
        """item 64: texts of a graph are neither formats nor paths"""
        hostile = "%n%s%p ../../../etc/passwd \x1b[31m\0;"
        nodes = [flag("p", False), node("s", "Const", dtype=dtype(STRING), value=tensor(
            STRING, [], values=field(8, hostile.encode()))),
                 node("y", "Assert", "p", "s", T=field(1, field(6, bytes([STRING]))))]
        path = self.write("g.pb", graph(*nodes))
        for how in ("--interpret", "--execute=local"):
            outcome = self.refused(BAD_GRAPH, [program("sluicec"), path, "--run=y", how],
                                   "node 'y'", "%n%s%p")
            self.assertNotIn("\x1b", outcome.err)
            self.assertNotIn("\0", outcome.err)

    def test_item_064_names_of_variables_are_no_paths(self):
        """item 64: also in files of variables"""
        hostile = "../../%n"
        nodes = [node("v", "VarHandleOp", dtype=dtype(FLOAT), shape=shape(), shared_name=text(hostile)),
                 node("c", "Const", dtype=dtype(FLOAT), value=tensor(FLOAT, [], values=floats(1))),
                 node("set", "AssignVariableOp", "v", "c", dtype=dtype(FLOAT))]
        path = self.write("model/g.pb", graph(*nodes))
        before = sorted(harness.contents(self.folder))
        self.accepted([program("sluicec"), path, "--run=set", "--execute=local",
                       "--save=new.safetensors"])
        self.assertEqual(sorted(harness.contents(self.folder)), sorted([*before, "new.safetensors"]))


IN_Y = "node 'y' ("


def random_op(dims, element=INT32, **attrs):
    return graph(node("n", "Const", dtype=dtype(element), value=dims),
                 node("y", "RandomUniform", "n", **attrs))


add_graph_cases(Attributes, [
    (39, "missing type", y(), [IN_Y, "'T'", "missing"]),
    (39, "missing dtype", graph(node("y", "Placeholder")), [IN_Y, "'dtype'", "missing"]),
    (39, "missing value", graph(node("y", "Const", dtype=dtype(FLOAT))), [IN_Y, "'value'"]),
    (39, "missing value of the attribute", graph(node("y", "Placeholder", dtype=b"")),
     [IN_Y, "'dtype'", "got nothing"]),
    (40, "unknown", y(T=dtype(FLOAT), colour=text("red")), [IN_Y, "'colour'", "no such attribute"]),
    (40, "without a name", y(T=dtype(FLOAT), attrs=[("", integer(1))]), [IN_Y, "expected a name"]),
    (41, "int where a type is wanted", y(T=integer(1)), [IN_Y, "expected type but got int"]),
    (41, "type where a tensor is wanted", graph(node("y", "Const", dtype=dtype(FLOAT),
                                                     value=dtype(FLOAT))),
     [IN_Y, "'value'", "expected tensor but got type"]),
    (41, "float where an int is wanted",
     y("AddN", "x", N=number(1.0), T=dtype(FLOAT)), "expected int but got float"),
    (41, "string where a shape is wanted",
     graph(node("y", "Placeholder", dtype=dtype(FLOAT), shape=text("2x2"))),
     "expected shape but got string"),
    (41, "list where a bool is wanted",
     y("MatMul", "x", "x", T=dtype(FLOAT), transpose_a=field(1, b"")), "expected bool but got list"),
    (41, "placeholder of a function", y(T=field(9, "T")), "expected type but got placeholder"),
    (41, "function where a type is wanted", y(T=field(10, field(1, "f"))),
     "expected type but got func"),
    (41, "list of ints where types are wanted",
     graph(placeholder("x"), node("y", "IdentityN", "x", T=field(1, field(3, 1)))),
     "expected a list of type"),
    (42, "twice with equal values", y(attrs=[("T", dtype(FLOAT)), ("T", dtype(FLOAT))]),
     [IN_Y, "'T'", "twice"]),
    (42, "twice with other values", y(attrs=[("T", dtype(FLOAT)), ("T", dtype(INT32))]),
     [IN_Y, "'T'", "twice"]),
    (42, "two values in one", y(T=dtype(FLOAT) + dtype(INT32)), "given twice"),
    (43, "type 0", y(T=dtype(0)), [IN_Y, "'T'", "expected an element type"]),
    (43, "type 999", y(T=dtype(999)), [IN_Y, "'T'", "999"]),
    (43, "type -1", y(T=dtype(-1)), [IN_Y, "'T'"]),
    (43, "reference type", y(T=dtype(FLOAT_REF)), [IN_Y, "'T'"]),
    (43, "reference type of a constant", const(FLOAT_REF, [], values=floats(1)), [IN_Y, "'dtype'"]),
    (43, "tensor of type 0", graph(node("y", "Const", dtype=dtype(FLOAT), value=tensor(0, []))),
     [IN_Y, "'value'"]),
    (43, "tensor of type 999", graph(node("y", "Const", dtype=dtype(FLOAT), value=tensor(999, []))),
     [IN_Y, "'value'"]),
    (43, "tensor of another type",
     graph(node("y", "Const", dtype=dtype(FLOAT), value=tensor(INT32, []))),
     [IN_Y, "expected a tensor of float but got one of int32"]),
    (44, "quantized type", y("Floor", T=dtype(11)), [IN_Y, "'T'", "qint8"]),
    (44, "type that is only moved", y("Abs", T=dtype(29)), [IN_Y, "'T'", "int4"]),
    (44, "variant", graph(placeholder("y", VARIANT)), IN_Y, {"code": USAGE}),
    (44, "type that the op does not take", y("Floor", T=dtype(INT32)), [IN_Y, "'T'", "int32"]),
    (44, "constant of resources", const(RESOURCE, []), IN_Y, {"code": UNSUPPORTED}),
    (45, "dim -2", shaped(-2), [IN_Y, "'shape'", "at least -1 but got -2"]),
    (45, "dim of the least int64", shaped(3, -2**63), [IN_Y, "-9223372036854775808"]),
    (45, "dim -1 of a constant", const(FLOAT, [-1], b""), [IN_Y, "'value'"]),
    (46, "product of two dims overflows int64", shaped(2**32, 2**32), [IN_Y, "overflows"]),
    (46, "product of many dims overflows int64", shaped(*[2] * 64), [IN_Y, "overflows"]),
    (46, "product overflows although a dim is 0", shaped(0, 2**62, 2**62), [IN_Y, "overflows"]),
    (46, "product of a constant overflows",
     const(FLOAT, [2**32, 2**32], values=floats(1)), [IN_Y, "overflows"]),
    (46, "bytes of a constant overflow", const(FLOAT, [2**62], values=floats(1)), IN_Y),
    (46, "bytes of a constant with content overflow", const(FLOAT, [2**62], b""), IN_Y),
    (47, "rank 255", shaped(*[1] * 255), [IN_Y, "at most 254 dims but got 255"]),
    (47, "rank 1000000", shaped(*[1] * 1_000_000), [IN_Y, "1000000"]),
    (47, "rank 255 of a constant", const(FLOAT, [1] * 255, values=floats(1)), [IN_Y, "255"]),
    (48, "unknown rank with dims",
     graph(node("y", "Placeholder", dtype=dtype(FLOAT), shape=field(7, dims([2]) + field(3, 1)))),
     [IN_Y, "unknown rank has 1 dims"]),
    (48, "constant of unknown rank",
     graph(node("y", "Const", dtype=dtype(FLOAT), value=field(8, field(1, FLOAT) + field(2, field(
         3, 1)) + floats(1)))), [IN_Y, "'value'"]),
    (49, "more values than elements", const(FLOAT, [2], values=floats(1, 2, 3)), [IN_Y, "at most 2 values"]),
    (49, "no values", const(FLOAT, [2], values=field(2, b"")), "given twice"),
    (49, "content too short", const(FLOAT, [3], bytes(8)), [IN_Y, "expected 12 bytes", "got 8"]),
    (49, "content too long", const(FLOAT, [3], bytes(13)), [IN_Y, "expected 12 bytes", "got 13"]),
    (49, "content and values", const(FLOAT, [1], bytes(4), floats(1)), [IN_Y, "has both"]),
    (49, "values of an empty tensor", const(FLOAT, [0], values=floats(1, 2)),
     [IN_Y, "at most 1 values"]),
    (49, "values in the field of another type", const(FLOAT, [1], values=field(7, b"\x01")),
     [IN_Y, "'float_val'", "'int_val'"]),
    (49, "content of 10^12 elements", const(DOUBLE, [10**12], bytes(8)), [IN_Y, "1000000000000 elements"]),
    (49, "two values of 1 GB", const(FLOAT, [2**28], values=floats(1, 2)),
     [IN_Y, "at most 67108864 bytes of repeated values", "got 1073741816"]),
    (49, "one string 64 million times", const(STRING, [2**26 - 1], values=field(8, b"a")),
     [IN_Y, "bytes of repeated values"]),
    (49, "no string 64 million times", const(STRING, [2**26 - 1]),
     [IN_Y, "bytes of repeated values"]),
    (61, "seed that is a type", random_op(tensor(INT32, [1], bytes(4)), seed=dtype(FLOAT),
                                          T=dtype(INT32), dtype=dtype(FLOAT)),
     [IN_Y, "'seed'", "expected int but got type"]),
    (61, "shape of floats", random_op(tensor(FLOAT, [1], bytes(4)), FLOAT, T=dtype(FLOAT),
                                      dtype=dtype(FLOAT)), [IN_Y, "'T'"]),
    (61, "shape of another type", random_op(tensor(INT64, [1], bytes(8)), INT64, T=dtype(INT32),
                                            dtype=dtype(FLOAT)), [IN_Y, "input 0 'n'"]),
    (61, "integers", random_op(tensor(INT32, [1], bytes(4)), T=dtype(INT32), dtype=dtype(INT32)),
     [IN_Y, "'dtype'"]),
    (62, "fewer inputs than N", y("AddN", "x", "x", N=integer(3), T=dtype(FLOAT)),
     [IN_Y, "expected 3 inputs but got 2"]),
    (62, "more inputs than N", y("AddN", "x", "x", "x", N=integer(2), T=dtype(FLOAT)),
     [IN_Y, "expected 2 inputs but got 3"]),
    (62, "N = 0", y("Pack", "x", N=integer(0), T=dtype(FLOAT)), [IN_Y, "'N'", "at least 1"]),
    (62, "N = -2^63", y("Pack", "x", N=integer(-2**63), T=dtype(FLOAT)), [IN_Y, "'N'"]),
    (62, "N = 2^31", y("Pack", "x", N=integer(2**31), T=dtype(FLOAT)),
     [IN_Y, "at most 1048576 inputs or outputs but got 2147483648"]),
    (62, "N = 2^63 - 1", y("Pack", "x", N=integer(2**63 - 1), T=dtype(FLOAT)),
     [IN_Y, "inputs or outputs"]),
    (62, "2^31 results", graph(placeholder("x"), node("y", "Unpack", "x", num=integer(2**31),
                                                      T=dtype(FLOAT))), [IN_Y, "inputs or outputs"]),
    (62, "more types than inputs", graph(placeholder("x"), node(
        "y", "IdentityN", "x", T=field(1, field(6, bytes([FLOAT, FLOAT]))))),
     [IN_Y, "expected 2 inputs but got 1"]),
    (62, "no types", graph(placeholder("x"), node("y", "IdentityN", "x", T=field(1, b""))),
     [IN_Y, "expected 0 inputs but got 1"]),
    (62, "N of inputs that are not there", graph(node("y", "AddN", N=integer(2), T=dtype(FLOAT))),
     [IN_Y, "expected 2 inputs but got 0"]),
    (50, "lengths of strings go beyond the content", const(STRING, [2], b"\x05\x7fhello"),
     [IN_Y, "2 strings"]),
    (50, "truncated length of a string", const(STRING, [1], b"\xff"), [IN_Y, "1 strings"]),
    (50, "lengths of strings overflow",
     const(STRING, [2], varint(2**64 - 1) + varint(2) + b"a"), [IN_Y, "2 strings"]),
    (50, "bytes after the last string", const(STRING, [1], b"\x01ab"), [IN_Y, "1 strings"]),
    (50, "10^15 strings", const(STRING, [10**15], b"\x01a"), [IN_Y, "1000000000000000 elements"]),
    (50, "odd bytes of half", const(HALF, [1], b"\0\0\0"), [IN_Y, "expected 2 bytes"]),
    (50, "odd bytes of bfloat16", const(BFLOAT16, [2], b"\0\0\0"), [IN_Y, "expected 4 bytes"]),
    (50, "odd values of complex numbers",
     const(COMPLEX64, [1], values=field(9, struct.pack("<f", 1))), [IN_Y, "pairs"]),
    (50, "bool byte 2", const(BOOL, [2], b"\1\2"), [IN_Y, "0 or 1 as bool but got 2"]),
])

if __name__ == "__main__":
    harness.main()
