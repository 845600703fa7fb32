#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values that an op cannot take: axes, indices, sizes, divisors.

Values may be constants, which the compiler can judge, or come from outside, so that they are known
only when the program runs. Each case is tried in both ways. Where the values are constants, the
compiler may refuse the graph, or leave it to the program; whoever it is names the node.
"""

import json

import harness
from graphdef import BOOL, FLOAT, INT32, INT64, field, graph, integer, node
from harness import BAD_GRAPH, Case, add, program
from single_ops import (Value, arithmetic, concat, f, fill, gather, gather_nd, i, l, matmul, one_hot,
                        pad, random_uniform, range_of, reduction, reshape, scalar, scatter_nd,
                        segments, slice_of, split, split_v, strided, tile, top_k, transpose, types,
                        zeros)

NO_MEMORY = 14
INT32_MIN, INT64_MIN = -2**31, -2**63
NAN, INFINITY = float("nan"), float("inf")

SQUARE = f(*range(4), sizes=[2, 2])
HUGE = 2**40

CASES = [
    (51, "sum over an axis beyond the last", *reduction("Sum", SQUARE, i(2))),
    (51, "sum over an axis below the first", *reduction("Sum", SQUARE, i(-3))),
    (51, "sum over the least axis", *reduction("Sum", SQUARE, i(INT32_MIN))),
    (51, "sum over an axis twice", *reduction("Sum", SQUARE, i(0, 0))),
    (51, "sum over an axis twice in two forms", *reduction("Sum", SQUARE, i(0, -2))),
    (51, "maximum of a scalar over an axis", *reduction("Max", scalar(1.0, FLOAT), i(0))),
    (51, "argmax over an axis beyond the last", "ArgMax", [SQUARE, scalar(2)], types(T=FLOAT)),
    (51, "argmin over an axis below the first", "ArgMin", [SQUARE, scalar(-3)], types(T=FLOAT)),
    (51, "perm with a duplicate", *transpose(SQUARE, 0, 0)),
    (51, "perm beyond the rank", *transpose(SQUARE, 0, 2)),
    (51, "perm too short", *transpose(SQUARE, 0)),
    (51, "perm too long", *transpose(SQUARE, 0, 1, 2)),
    (51, "perm below the rank", *transpose(SQUARE, -3, 0)),
    (51, "concatenation over an axis beyond the last", *concat(2, SQUARE, SQUARE)),
    (51, "concatenation over an axis below the first", *concat(-3, SQUARE, SQUARE)),
    (51, "new axis beyond the last", "ExpandDims", [SQUARE, scalar(3)], types(T=FLOAT)),
    (51, "new axis below the first", "ExpandDims", [SQUARE, scalar(-4)], types(T=FLOAT)),
    (51, "two new axes", "ExpandDims", [SQUARE, i(0, 0)], types(T=FLOAT)),
    (51, "squeeze of an axis beyond the last", "Squeeze", [SQUARE],
     {"squeeze_dims": field(1, field(3, 2)), **types(T=FLOAT)}),
    (51, "squeeze of a dim that is not 1", "Squeeze", [SQUARE],
     {"squeeze_dims": field(1, field(3, 0)), **types(T=FLOAT)}),
    (51, "reversal of an axis beyond the last", "ReverseV2", [SQUARE, i(2)],
     types(T=FLOAT, Tidx=INT32)),
    (51, "reversal of an axis twice", "ReverseV2", [SQUARE, i(0, 0)], types(T=FLOAT, Tidx=INT32)),
    (51, "running sum over an axis beyond the last", "Cumsum", [SQUARE, scalar(2)], types(T=FLOAT)),
    (51, "running sum over many axes", "Cumsum", [SQUARE, i(0, 1)], types(T=FLOAT)),
    (51, "gathering over an axis beyond the last", *gather(SQUARE, i(0), 2)),
    (51, "gathering over an axis below the first", *gather(SQUARE, i(0), -3)),
    (51, "gathering with more batch dims than dims", *gather(SQUARE, i(0), 0, batch_dims=integer(2))),
    (51, "packing over an axis beyond the last", "Pack", [SQUARE, SQUARE],
     {"N": integer(2), "axis": integer(3), **types(T=FLOAT)}),
    (51, "unpacking over an axis beyond the last", "Unpack", [SQUARE],
     {"num": integer(2), "axis": integer(2), **types(T=FLOAT)}),
    (51, "permutation with a duplicate", "InvertPermutation", [i(0, 0)], types(T=INT32)),
    (51, "permutation with a negative number", "InvertPermutation", [i(0, -1)], types(T=INT32)),
    (51, "permutation beyond its length", "InvertPermutation", [i(0, 2)], types(T=INT32)),
    (51, "permutation of two dims", "InvertPermutation", [zeros(1, 1, element=INT32)],
     types(T=INT32)),
    (52, "split into parts that are not equal", *split(f(1, 2, 3), 0, 2)),
    (52, "split over an axis beyond the last", *split(SQUARE, 2, 2)),
    (52, "split of a scalar", *split(scalar(1.0, FLOAT), 0, 1)),
    (52, "split sizes of another sum", *split_v(f(1, 2, 3), i(1, 1), 0)),
    (52, "two open split sizes", *split_v(f(1, 2, 3), i(-1, -1), 0)),
    (52, "negative split size", *split_v(f(1, 2, 3), i(5, -2), 0)),
    (52, "split sizes beyond with an open one", *split_v(f(1, 2, 3), i(4, -1), 0)),
    (52, "split sizes whose sum overflows", *split_v(f(1, 2, 3), i(2**31 - 1, 2**31 - 1), 0)),
    (52, "unpacking into another number", "Unpack", [f(1, 2, 3)],
     {"num": integer(2), **types(T=FLOAT)}),
    (52, "unpacking of a scalar", "Unpack", [scalar(1.0, FLOAT)],
     {"num": integer(1), **types(T=FLOAT)}),
    (53, "negative padding", *pad(SQUARE, -1, 0, 0, 0)),
    (53, "padding of another rank", *pad(SQUARE, 1, 1)),
    (53, "huge padding", *pad(SQUARE, 2**31 - 1, 2**31 - 1, 2**31 - 1, 2**31 - 1)),
    (53, "padding of three columns", "Pad", [SQUARE, zeros(2, 3, element=INT32)],
     types(T=FLOAT, Tpaddings=INT32)),
    (54, "two open dims", *reshape(SQUARE, -1, -1)),
    (54, "other product", *reshape(SQUARE, 3)),
    (54, "open dim that does not divide", *reshape(SQUARE, 3, -1)),
    (54, "dim -2", *reshape(SQUARE, -2, 2)),
    (54, "product of the dims overflows", "Reshape", [SQUARE, l(2**32, 2**32)],
     types(T=FLOAT, Tshape=INT64)),
    (54, "shape of two dims", "Reshape", [SQUARE, i(2, 2, sizes=[1, 2])],
     types(T=FLOAT, Tshape=INT32)),
    (55, "slice begins below 0", *slice_of(SQUARE, (-1, 0), (1, 1))),
    (55, "slice of size -2", *slice_of(SQUARE, (0, 0), (-2, 1))),
    (55, "slice ends beyond", *slice_of(SQUARE, (1, 0), (2, 1))),
    (55, "slice begins beyond", *slice_of(SQUARE, (3, 0), (-1, 1))),
    (55, "slice whose end overflows", *slice_of(SQUARE, (1, 0), (2**31 - 1, 1))),
    (55, "slice of another rank", *slice_of(SQUARE, (0,), (1,))),
    (55, "slice with one more size", *slice_of(SQUARE, (0, 0), (1, 1, 1))),
    (55, "stride 0", *strided(SQUARE, (0,), (2,), (0,))),
    (55, "index beyond", *strided(SQUARE, (2,), (3,), (1,), shrink_axis_mask=1)),
    (55, "negative index beyond", *strided(SQUARE, (-3,), (0,), (1,), shrink_axis_mask=1)),
    (55, "more dims than there are", *strided(SQUARE, (0, 0, 0), (1, 1, 1), (1, 1, 1))),
    (55, "lists of different lengths", *strided(SQUARE, (0, 0), (1,), (1, 1))),
    (55, "index with a negative stride", *strided(SQUARE, (0,), (1,), (-1,), shrink_axis_mask=1)),
    (56, "gathering beyond the last", *gather(SQUARE, i(2))),
    (56, "gathering below 0", *gather(SQUARE, i(-1))),
    (56, "gathering the least index", *gather(SQUARE, l(INT64_MIN))),
    (56, "gathering from nothing", *gather(zeros(0, 2), i(0))),
    (56, "gathering from a scalar", *gather(scalar(1.0, FLOAT), i(0))),
    (56, "gathering points beyond", *gather_nd(SQUARE, i(0, 2))),
    (56, "gathering points below 0", *gather_nd(SQUARE, i(0, -1))),
    (56, "gathering points of too many dims", *gather_nd(SQUARE, i(0, 0, 0))),
    (56, "scattering beyond", *scatter_nd(i(2, sizes=[1, 1]), f(1), 2)),
    (56, "scattering below 0", *scatter_nd(i(-1, sizes=[1, 1]), f(1), 2)),
    (56, "scattering at too many dims", *scatter_nd(i(0, 0, sizes=[1, 2]), f(1), 2)),
    (56, "scattering fewer than places", *scatter_nd(i(0, 1, sizes=[2, 1]), f(1), 2)),
    (56, "scattering into a negative shape", *scatter_nd(i(0, sizes=[1, 1]), f(1), -2)),
    (56, "scattering into nothing", *scatter_nd(i(0, sizes=[1, 1]), f(1), 0)),
    (56, "scattering into a huge shape",
     *scatter_nd(l(0, 0, sizes=[1, 2]), f(1), HUGE, HUGE)),
    (56, "segment beyond the last", *segments(f(1, 2), i(0, 2), 2)),
    (56, "segments of another shape", *segments(SQUARE, i(0, 1, 1), 2)),
    (56, "negative number of segments", *segments(f(1, 2), i(0, 1), -1)),
    (56, "huge number of segments",
     "UnsortedSegmentSum", [f(1, 2), i(0, 1), scalar(2**62, INT64)],
     types(T=FLOAT, Tindices=INT32, Tnumsegments=INT64)),
    (57, "sum of shapes that do not fit", *arithmetic("Add", f(1, 2), f(1, 2, 3))),
    (57, "comparison of shapes that do not fit", *arithmetic("Less", SQUARE, f(1, 2, 3))),
    (57, "choice of shapes that do not fit", "SelectV2",
     [Value(BOOL, [True, False, True]), f(1, 2), f(1, 2)], types(T=FLOAT)),
    (57, "choice by a vector of another length", "Select",
     [Value(BOOL, [True, False, True]), SQUARE, SQUARE], types(T=FLOAT)),
    (57, "broadcast to a smaller shape", "BroadcastTo", [SQUARE, i(2)], types(T=FLOAT)),
    (57, "broadcast to a shape that does not fit", "BroadcastTo", [f(1, 2), i(2, 3)],
     types(T=FLOAT)),
    (57, "broadcast to a negative shape", "BroadcastTo", [f(1), i(-1)], types(T=FLOAT)),
    (57, "sum of many shapes", "AddN", [f(1, 2), f(1, 2, 3)],
     {"N": integer(2), **types(T=FLOAT)}),
    (57, "argmax of nothing", "ArgMax", [zeros(0), scalar(0)], types(T=FLOAT)),
    (57, "argmin of nothing", "ArgMin", [zeros(2, 0), scalar(1)], types(T=FLOAT)),
    (57, "product of matrices that do not fit", *matmul(SQUARE, zeros(3, 2))),
    (57, "product of vectors as matrices", *matmul(f(1, 2), f(1, 2))),
    (57, "product of a scalar", *matmul(scalar(1.0, FLOAT), SQUARE)),
    (57, "products of batches that do not fit", "BatchMatMulV2", [zeros(2, 2, 2), zeros(3, 2, 2)],
     types(T=FLOAT)),
    (57, "bias of another length", "BiasAdd", [SQUARE, f(1, 2, 3)], types(T=FLOAT)),
    (57, "largest of a scalar", *top_k(scalar(1.0, FLOAT), 1)),
    (57, "more largest than there are", *top_k(f(1, 2), 3)),
    (57, "fewer largest than none", *top_k(f(1, 2), -1)),
    (57, "softmax of a scalar", "Softmax", [scalar(1.0, FLOAT)], types(T=FLOAT)),
    (57, "losses of other labels", "SparseSoftmaxCrossEntropyWithLogits", [SQUARE, i(0)],
     types(T=FLOAT, Tlabels=INT32)),
    (57, "packing of different shapes", "Pack", [f(1), f(1, 2)],
     {"N": integer(2), **types(T=FLOAT)}),
    (58, "concatenation of different shapes", *concat(0, SQUARE, zeros(2, 3))),
    (58, "concatenation of different ranks", *concat(0, SQUARE, f(1, 2))),
    (58, "concatenation of scalars", *concat(0, scalar(1.0, FLOAT), scalar(1.0, FLOAT))),
    (58, "tiles of another rank", *tile(SQUARE, 2)),
    (58, "negative tiles", *tile(SQUARE, -1, 2)),
    (58, "tiles without end", *tile(SQUARE, 2**31 - 1, 2**31 - 1)),
    (58, "range without end", *range_of(0, 2**62, 1, INT64)),
    (58, "range of numbers without end", *range_of(0.0, 1e30, 1e-3, FLOAT)),
    (58, "fill of a huge shape", *fill(HUGE, HUGE)),
    (58, "fill of a large shape", *fill(HUGE)),
    (58, "fill of a negative shape", *fill(-1)),
    (58, "huge depth", *one_hot(2**31 - 1)),
    (58, "negative depth", *one_hot(-1)),
    (58, "one-hot axis beyond the last", *one_hot(2, axis=3)),
    (59, "range of step 0", *range_of(0, 5, 0)),
    (59, "range of step NaN", *range_of(0.0, 5.0, NAN, FLOAT)),
    (59, "range to infinity", *range_of(0.0, INFINITY, 1.0, FLOAT)),
    (59, "range of a vector", "Range", [i(0, 1), scalar(5), scalar(1)], types(Tidx=INT32)),
    (59, "numbers that are checked", "CheckNumerics", [f(1, NAN)],
     {"message": field(2, "100 %n"), **types(T=FLOAT)}),
    (60, "division by 0", *arithmetic("Div", i(1, 2), i(1, 0))),
    (60, "rounded division by 0", *arithmetic("FloorDiv", i(1, 2), i(1, 0))),
    (60, "remainder by 0", *arithmetic("FloorMod", l(1, 2), l(1, 0))),
    (60, "truncated division by 0", *arithmetic("TruncateDiv", l(1), l(0))),
    (60, "truncated remainder by 0", *arithmetic("TruncateMod", i(1), i(0))),
    (60, "integer to a negative power", *arithmetic("Pow", i(2), i(-1))),
    (61, "random numbers of a negative shape", *random_uniform(i(-1))),
    (61, "random numbers of a huge shape", *random_uniform(l(HUGE, HUGE))),
    (61, "random numbers of a large shape", *random_uniform(l(HUGE))),
    (61, "random numbers of a scalar", *random_uniform(scalar(2))),
    (61, "random numbers of a matrix", *random_uniform(zeros(1, 1, element=INT32))),
]
# What is wrong whatever the values are.
ATTRIBUTES = [
    (55, "two ellipses", *strided(SQUARE, (0, 0), (2, 2), (1, 1), ellipsis_mask=3)),
]
# What must be computed: no value of an op may be undefined.
GOOD = [
    (54, "open dim beside an empty one", *reshape(f(), 0, -1)),
    (59, "cast of what no int32 can hold", "Cast", [f(NAN, INFINITY, -INFINITY, 1e30)],
     types(SrcT=FLOAT, DstT=INT32)),
    (60, "least int32 by -1", *arithmetic("Div", i(INT32_MIN), i(-1))),
    (60, "least int64 by -1", *arithmetic("FloorDiv", l(INT64_MIN), l(-1))),
    (60, "remainder of the least int32 by -1", *arithmetic("FloorMod", i(INT32_MIN), i(-1))),
    (60, "remainder of the least int64 by -1", *arithmetic("TruncateMod", l(INT64_MIN), l(-1))),
    (56, "negative segments are left out", *segments(f(1, 2), i(0, -1), 2)),
]


def nodes_of(name, op, values, attributes, source):
    """The op, and its inputs as `source` makes them."""
    names = [f"{name}/in{k}" for k in range(len(values))]
    return [*(getattr(value, source)(one) for value, one in zip(values, names)),
            node(name, op, *names, **attributes)]


class Values(Case):
    @classmethod
    def setUpClass(cls):
        """Compiles one program with a signature for each case, and asks it all questions."""
        folder = cls.share_folder()
        nodes, signatures, calls = [], [], []
        for k, (_, _, op, values, attributes) in enumerate(CASES + GOOD):
            nodes += nodes_of(f"y{k}", op, values, attributes, "placeholder")
            feeds = [f"y{k}/in{j}:0" for j in range(len(values))]
            signatures.append({"name": f"s{k}", "feeds": feeds, "fetches": [f"y{k}:0"]})
            calls.append({"signature": f"s{k}", "inputs": dict(
                zip(feeds, (value.json() for value in values)))})
        (folder / "g.pb").write_bytes(graph(*nodes))
        (folder / "s.json").write_text(json.dumps({"signatures": signatures}))
        (folder / "calls").write_text("".join(json.dumps(call) + "\n" for call in calls))
        compiler = [program("sluicec"), "g.pb", "--signatures=s.json"]
        outcome = harness.run([*compiler, "-o", "program"], folder)
        assert outcome.code == 0, outcome.err
        limits = ["--calls=calls", "--memory-limit=256M"]
        cls.answers = {}
        for kind, command in (("executable", ["./program"]), ("interpreter", [*compiler, "--interpret"]),
                              ("kernels", [*compiler, "--no-codelets", "--execute=local"])):
            outcome = harness.run(command + limits, folder)
            assert outcome.code == BAD_GRAPH, outcome.err
            assert outcome.memory < 2 * harness.MEMORY * harness.slowness, outcome.memory
            cls.answers[kind] = [json.loads(line) for line in outcome.out.splitlines()]
            assert len(cls.answers[kind]) == len(calls), outcome.err

    def test_what_is_good_is_computed_by_all(self):
        for k in range(len(CASES), len(CASES) + len(GOOD)):
            outputs = [answers[k].get("outputs") for answers in self.answers.values()]
            self.assertIsNotNone(outputs[0], self.answers["executable"][k])
            self.assertEqual(outputs[1:], outputs[:-1])


def run_in_compiler(test, nodes, flags):
    """The compiler refuses the graph, or the program as it runs."""
    path = test.write("g.pb", graph(*nodes))
    outcome = harness.run([program("sluicec"), path, "--fetch=y:0", "--execute=local",
                           "--memory-limit=256M", *flags], test.folder)
    test.assertIn(outcome.code, (BAD_GRAPH, NO_MEMORY), outcome.err)
    if outcome.out:
        test.assertEqual(json.loads(outcome.out)["error"]["node"], "y")
    else:
        test.assertIn("node 'y'", outcome.err)
    test.assertNotIn("runtime error: ", outcome.err)
    test.assertLessEqual(outcome.memory, harness.MEMORY * harness.slowness)
    test.assertLessEqual(outcome.seconds, harness.PROCESSOR_TIME * harness.slowness)


def add_value_case(k, item, title, op, values, attributes):
    def fed(self):
        for kind, answers in self.answers.items():
            self.assertIn("error", answers[k], f"{kind}: {str(answers[k])[:300]}")
            self.assertEqual(answers[k]["error"]["node"], f"y{k}", kind)

    def constant(self):
        nodes = nodes_of("y", op, values, attributes, "constant")
        run_in_compiler(self, nodes, [])

    def constant_but_first(self):
        """How most graphs are: sizes and axes are constants. Dims of the first value are open."""
        self.write("calls", json.dumps({"inputs": {"y/in0:0": values[0].json()}}) + "\n")
        nodes = nodes_of("y", op, values, attributes, "constant")
        nodes[0] = values[0].ranked_placeholder("y/in0")
        run_in_compiler(self, nodes, ["--feed=y/in0", "--calls=calls"])

    def shaped(self):
        calls = {"inputs": {f"y/in{j}:0": value.json() for j, value in enumerate(values)}}
        self.write("calls", json.dumps(calls) + "\n")
        nodes = nodes_of("y", op, values, attributes, "shaped_placeholder")
        feeds = [f"--feed=y/in{j}" for j in range(len(values))]
        run_in_compiler(self, nodes, [*feeds, "--calls=calls"])

    if k is not None:
        add(Values, item, title + ", fed", fed)
    add(Values, item, title + ", constant", constant)
    add(Values, item, title + ", fed with shape", shaped)
    add(Values, item, title + ", first one fed", constant_but_first)


for position, case in enumerate(CASES):
    add_value_case(position, *case)
for case in ATTRIBUTES:
    add_value_case(None, *case)

if __name__ == "__main__":
    harness.main()
