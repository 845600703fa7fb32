#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows by index, sums by segment, running sums, extremes and sorting on a simulated card: the bits
of the host's kernels, whatever the sizes and the order of the streams, and its errors.

Usage: card_indexing_test.py SLUICEC
"""

import math
import pathlib
import sys

sys.dont_write_bytecode = True
from card_programs import DOUBLE, HALF, LONG, CardCase

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from loop_graphs import dims  # noqa: E402
from tf1_graph import FLOAT, INT, Graph  # noqa: E402

NAN, INF = math.nan, math.inf


class OnCard(CardCase):
    # ---- Rows by index --------------------------------------------------------------------------

    def gather(self, shape, indices, at, axis, known=True, batch=0):
        g = Graph()
        self.feed(g, "params", shape, FLOAT, known=known)
        self.feed(g, "indices", indices, INT, at, known=known)
        g.constant("axis", INT, axis)
        g.node("y", "GatherV2", ["params", "indices", "axis"], Tparams=FLOAT, Tindices=INT,
               Taxis=INT, batch_dims=f"i: {batch}")
        return g

    def test_gathers(self):
        for shape, axis, indices in (((7, 5), 0, (4,)), ((3, 6, 2), 1, (2, 3)), ((4, 9), 1, (5,)),
                                     ((6,), 0, ()), ((5, 3), 0, (0,)), ((8, 1, 3), -1, (2,))):
            for known in (True, False):
                with self.subTest(shape=shape, axis=axis, known=known):
                    at = [self.drawn.randrange(shape[axis]) for _ in range(math.prod(indices))]
                    self.compare(self.gather(shape, indices, at, axis, known),
                                 ["params", "indices"], {"y": FLOAT}, checks=1)

    def test_gathers_in_step(self):
        for shape, axis, indices, batch in (((3, 6), 1, (3, 4), 1), ((2, 5, 3), 1, (2, 2), -1),
                                            ((2, 3, 4, 5), 2, (2, 6), 1), ((2, 3, 4), 2, (2, 3), 2),
                                            ((2, 3, 7), 2, (2, 3, 2), 2), ((2, 4), 1, (2, 0), 1)):
            for known in (True, False):
                with self.subTest(shape=shape, axis=axis, batch=batch, known=known):
                    at = [self.drawn.randrange(shape[axis]) for _ in range(math.prod(indices))]
                    self.compare(self.gather(shape, indices, at, axis, known, batch),
                                 ["params", "indices"], {"y": FLOAT}, checks=1)

    def test_bad_indices_fail_as_on_the_host(self):
        for at, said in (([0, 7], "indices[1] = 7 is not in [0, 5)"),
                         ([-1, 0], "indices[0] = -1 is not in [0, 5)")):
            with self.subTest(at=at):
                text = self.fails(self.gather((5, 3), (2,), at, 0), ["params", "indices"], "y")
                self.assertIn(said, text)
                self.assertIn("'y'", text)

    # ---- By segment -----------------------------------------------------------------------------

    def segments(self, op, shape, ids, count, kind=FLOAT):
        g = Graph()
        self.feed(g, "data", shape, kind,
                  None if kind in (FLOAT, DOUBLE)
                  else [self.drawn.randrange(-9, 9) for _ in range(math.prod(shape))])
        self.feed(g, "ids", (len(ids),), INT, ids)
        g.constant("count", INT, count)
        g.node("y", op, ["data", "ids", "count"], T=kind, Tindices=INT, Tnumsegments=INT)
        return g

    def test_rows_by_segment(self):
        for rows, inner, count in ((1, 9, 3), (9, 2, 9), (40, 5, 7), (300, 3, 20), (33, 20, 1)):
            ids = [self.drawn.randrange(-1, count) for _ in range(rows)]
            for op in ("Sum", "Prod", "Max", "Min"):
                for kind in (FLOAT, INT):
                    with self.subTest(rows=rows, op=op, kind=kind):
                        g = self.segments(f"UnsortedSegment{op}", (rows, inner), ids, count, kind)
                        self.compare(g, ["data", "ids"], {"y": kind}, checks=1)

    def test_bad_segments_fail_as_on_the_host(self):
        g = self.segments("UnsortedSegmentSum", (3, 2), [0, 4, 1], 4)
        self.assertIn("segment_ids[1] = 4 is out of range [0, 4)",
                      self.fails(g, ["data", "ids"], "y"))

    # ---- Along an axis --------------------------------------------------------------------------

    def along(self, op, shape, axis, kind=FLOAT, values=None, known=True, out=None, **attributes):
        g = Graph()
        self.feed(g, "x", shape, kind, values, known)
        g.constant("axis", INT, axis)
        g.node("y", op, ["x", "axis"], T=kind, Tidx=INT, **attributes)
        return self.compare(g, ["x"], {"y": out or kind}, same=max(shape) < 4096 or bool(out))

    def test_running_sums(self):
        for shape, axis in (((5,), 0), ((3, 40), 1), ((6, 4, 5), 1), ((2, 0, 3), 1), ((4100, 2), 0),
                            ((1, 9000), 1)):
            for op in ("Cumsum", "Cumprod"):
                for exclusive, reverse in (("true", "false"), ("false", "true"), ("true", "true")):
                    if max(shape) > 4000 and (op, exclusive) == ("Cumprod", "true"):
                        continue
                    with self.subTest(shape=shape, op=op, exclusive=exclusive, reverse=reverse):
                        self.along(op, shape, axis, known=0 not in shape,
                                   exclusive=f"b: {exclusive}", reverse=f"b: {reverse}")

    def test_extremes(self):
        longs = {"output_type": LONG}
        for shape, axis in (((7,), 0), ((3, 50), 1), ((40, 3), 0), ((2, 5, 3), 1), ((5000,), 0),
                            ((3, 4099), 1)):
            for op in ("ArgMax", "ArgMin"):
                for known in (True, False):
                    with self.subTest(shape=shape, op=op, known=known):
                        self.along(op, shape, axis, known=known, out=LONG, **longs)

    def test_extremes_of_odd_numbers(self):
        for values in ([NAN, 1, 2, 2], [NAN, NAN], [3, NAN, 3], [0.0, -0.0], [-INF, NAN, -INF],
                       [NAN] + [1.0] * 5000 + [2.0, NAN, 2.0]):
            for op in ("ArgMax", "ArgMin"):
                with self.subTest(values=values[:5], op=op):
                    self.along(op, (len(values),), 0, values=values, out=LONG, output_type=LONG)

    # ---- Sorting --------------------------------------------------------------------------------

    def top_k(self, shape, k, kind=FLOAT, values=None, known=True):
        g = Graph()
        self.feed(g, "x", shape, kind, values, known)
        g.constant("k", INT, k)
        g.node("y", "TopKV2", ["x", "k"], T=kind, sorted="b: true")
        return self.compare(g, ["x"], {"y:0": kind, "y:1": INT})

    def test_largest_elements(self):
        for shape, k in (((20,), 1), ((5,), 3), ((3, 17), 17), ((2, 3, 64), 5), ((2, 257), 100),
                         ((4, 6), 0)):
            for known in (True, False):
                with self.subTest(shape=shape, k=k, known=known):
                    self.top_k(shape, k, known=known)

    def test_largest_of_odd_numbers(self):
        self.top_k((9,), 9, values=[0.0, NAN, -0.0, 5, -INF, NAN, INF, 5, -1])
        self.top_k((18,), 17, kind=INT, values=[3, -7, 3, 2**31 - 1, -2**31, 0] * 3)

    # ---- What only the sizes of a call deny ------------------------------------------------------

    def test_sizes_that_are_denied_fail_as_on_the_host(self):
        g = Graph()
        self.feed(g, "x", (3, 0), FLOAT, known=False)
        g.constant("axis", INT, 1)
        g.node("y", "ArgMax", ["x", "axis"], T=FLOAT, Tidx=INT, output_type=LONG)
        self.assertIn("Reduction axis 1 is empty in shape [3,0]", self.fails(g, ["x"], "y"))
        g = Graph()
        self.feed(g, "x", (3, 4), FLOAT, known=False)
        g.constant("k", INT, 5)
        g.node("y", "TopKV2", ["x", "k"], T=FLOAT, sorted="b: true")
        self.assertIn("input must have at least k columns. Had 4, needed 5",
                      self.fails(g, ["x"], "y"))
        g = Graph()
        self.feed(g, "data", (4, 6), FLOAT, known=False)
        self.feed(g, "ids", (5,), INT, [0, 1, 0, 1, 0], known=False)
        g.constant("count", INT, 2)
        g.node("y", "UnsortedSegmentSum", ["data", "ids", "count"], T=FLOAT, Tindices=INT,
               Tnumsegments=INT)
        self.assertIn("data.shape = [4,6] does not start with segment_ids.shape = [5]",
                      self.fails(g, ["data", "ids"], "y"))

    # ---- Random numbers -------------------------------------------------------------------------

    def test_random_numbers(self):
        for kind in (FLOAT, DOUBLE, HALF):
            for shape in ((5,), (3, 7), (1000,)):
                with self.subTest(kind=kind, shape=shape):
                    g = Graph()
                    self.feed(g, "x", shape, kind,
                              [0] * math.prod(shape) if kind == HALF else None)
                    sizes = " ".join(f"int_val: {size}" for size in shape)
                    g.node("shape", "Const", dtype=INT, value="tensor { dtype: DT_INT32 "
                           f"tensor_shape {{ {dims(len(shape))} }} {sizes} }}")
                    g.node("drawn", "RandomUniform", ["shape"], T=INT, dtype=kind, seed="i: 87",
                           seed2="i: 5")
                    g.node("y", "AddV2", ["drawn", "x"], T=kind)
                    self.compare(g, ["x"], {"y": kind}, checks=1)


if __name__ == "__main__":
    CardCase.main()
