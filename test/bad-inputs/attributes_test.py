#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes, shapes, element types and constants that are wrong."""

import struct

import harness
from graphdef import (BFLOAT16, BOOL, COMPLEX64, DOUBLE, FLOAT, FLOAT_REF, HALF, INT32, RESOURCE,
                      STRING, VARIANT, constant, dims, dtype, field, floats, graph, integer, node,
                      number, placeholder, shape, tensor, text, varint)
from harness import BAD_GRAPH, UNSUPPORTED, Case, add_graph_cases, program


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
        peak = harness.peak_memory()
        outcome = harness.run([program("sluicec"), path, "--fetch=y", "-o", "big"], self.folder)
        self.assertIn(outcome.code, (0, BAD_GRAPH, UNSUPPORTED), outcome.err)
        self.assertLessEqual(harness.peak_memory(), max(peak, harness.MEMORY))
        if outcome.code == 0:
            outcome = harness.run([str(self.folder / "big")], self.folder)
            self.assertIn(outcome.code, (1, 14), outcome.err)
            self.assertIn("RESOURCE_EXHAUSTED", outcome.err)


IN_Y = "node 'y' ("

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
    (44, "quantized type", graph(node("y", "Placeholder", dtype=dtype(11))), IN_Y,
     {"code": UNSUPPORTED}),
    (44, "variant", graph(placeholder("y", VARIANT)), IN_Y, {"code": UNSUPPORTED}),
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
    (49, "values of an empty tensor", const(FLOAT, [0], values=floats(1)), [IN_Y, "at most 0 values"]),
    (49, "values in the field of another type", const(FLOAT, [1], values=field(7, b"\x01")),
     [IN_Y, "'float_val'", "'int_val'"]),
    (49, "content of 10^12 elements", const(DOUBLE, [10**12], bytes(8)), [IN_Y, "1000000000000 elements"]),
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
