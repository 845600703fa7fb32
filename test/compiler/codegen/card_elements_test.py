#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of elements on a simulated card: all of f32 and f64, special ones too, run there and have the bits
of the host, for floats spread over all bit patterns, as twins and as PTX; remainders, which are the C library's,
run on the host.

Usage: card_elements_test.py SLUICEC
"""

import math
import os
import pathlib
import struct
import sys
from unittest import mock

sys.dont_write_bytecode = True
from card_programs import BOOL, DOUBLE, CardCase

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from tf1_graph import FLOAT, Graph  # noqa: E402

FUNCTIONS = ["Exp", "Expm1", "Log", "Log1p", "Tanh", "Sigmoid", "Sin", "Cos", "Pow",
             "Erf", "Erfc", "Erfinv", "Ndtri", "Lgamma", "Digamma", "Atan2"]
BINARY = ["Pow", "Atan2", "FloorMod"]
COUNT = 5000
SPECIAL = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 2.0, -3.0, 0.5]


class OfElements(CardCase):
    def floats(self, kind):
        """Any normal numbers, usual ones, and all pairs of special ones."""
        code, bits, least = ("<fI", 32, 2.0**-126) if kind == FLOAT else ("<dQ", 64, 2.0**-1022)
        drawn = [struct.unpack("<" + code[1], struct.pack("<" + code[2], self.drawn.getrandbits(bits)))[0]
                 for _ in range(COUNT)]
        drawn = [x for x in drawn if not abs(x) < least]
        usual = [self.drawn.uniform(-20, 20) for _ in range(COUNT)]
        return drawn + usual + [self.drawn.uniform(-1, 1) for _ in range(COUNT)]

    def pairs(self, kind=FLOAT):
        x, y = self.floats(kind), self.floats(kind)
        n = min(len(x), len(y))
        return (x[:n] + [a for a in SPECIAL for _ in SPECIAL],
                y[:n] + [b for _ in SPECIAL for b in SPECIAL])

    def graph(self, op, kind, x, y):
        """The function, and where it is NaN, of which the bits are not promised."""
        g = Graph()
        self.feed(g, "x", (len(x),), kind, x)
        self.feed(g, "y", (len(y),), kind, y)
        self.feed(g, "zero", (), kind, [0])
        g.node("z", op, ["x", "y"] if op in BINARY else ["x"], T=kind)
        g.node("nan", "IsNan", ["z"], T=kind)
        g.node("number", "SelectV2", ["nan", "zero", "z"], T=kind)
        return g

    def feeds(self, op):
        return ["x", "y", "zero"] if op in BINARY else ["x", "zero"]

    def test_functions_of_f32_have_the_bits_of_the_host(self):
        for op in FUNCTIONS:
            with self.subTest(op=op):
                self.compare(self.graph(op, FLOAT, *self.pairs()), self.feeds(op),
                             {"number": FLOAT, "nan": BOOL}, codelets=1)

    def test_functions_of_f64_have_the_bits_of_the_host(self):
        for op in FUNCTIONS:
            with self.subTest(op=op):
                self.compare(self.graph(op, DOUBLE, *self.pairs(DOUBLE)), self.feeds(op),
                             {"number": DOUBLE, "nan": BOOL}, codelets=1)

    def test_functions_have_these_bits_as_ptx(self):
        for kind in (FLOAT, DOUBLE):
            for op in FUNCTIONS:
                with self.subTest(op=op, kind=kind), mock.patch.dict(os.environ, {"SLUICE_SIM_PTX": "1"}):
                    self.compare(self.graph(op, kind, *self.pairs(kind)), self.feeds(op),
                                 {"number": kind, "nan": BOOL}, codelets=1)

    def test_remainders_run_on_the_host(self):
        self.compare(self.graph("FloorMod", DOUBLE, *self.pairs(DOUBLE)), self.feeds("FloorMod"),
                     {"number": DOUBLE, "nan": BOOL}, codelets=2)


if __name__ == "__main__":
    OfElements.main()
