#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the comparison of kernels_test.py itself: what it draws, and that it can fail."""

import pathlib
import random
import sys
import tempfile
import types
import unittest

sys.dont_write_bytecode = True
import cases  # noqa: E402
import clauses  # noqa: E402
import comparison  # noqa: E402
import coverage  # noqa: E402
import graphs  # noqa: E402
import op_signatures  # noqa: E402
import operands  # noqa: E402
import programs  # noqa: E402
import views  # noqa: E402

SIGNATURES = op_signatures.supported()

# Answers up to two requests; the third one touches a guard page.
FAULTY = """
import sys
lines = sys.stdin.read().splitlines()
for line in lines[:2]:
    print('{"outputs": []}')
if len(lines) > 2:
    print("error: INTERNAL: node 'c2': access to byte 4 of a buffer of 4 bytes", file=sys.stderr)
    sys.exit(70)
"""


def numbers(*values, dims=None):
    return operands.integers("int32", values, dims, constant=False)


def drawn(op, clause):
    signature = SIGNATURES[op]
    (found,) = [each for each in clauses.clauses_of(signature, "1") if each.name == clause]
    return found.case(signature, "c0", "1")


class Views(unittest.TestCase):
    x = numbers(1, 2, 3, 4, 5, 6, dims=[2, 3])

    def elements(self, operand):
        return [int.from_bytes(operand.data[i:i + 4], "little", signed=True)
                for i in range(0, len(operand.data), 4)]

    def whole(self, kind):
        return views.KINDS[kind][1](self.x, random.Random(1))

    def test_slices_are_cut_out_of_what_is_fed(self):
        rows = self.whole("its tensor's last rows")
        self.assertEqual((rows.dims, self.elements(rows)[6:]), ([4, 3], [1, 2, 3, 4, 5, 6]))
        columns = self.whole("its tensor's first columns")
        self.assertEqual(columns.dims, [2, 5])
        found = self.elements(columns)
        self.assertEqual([*found[0:3], *found[5:8]], [1, 2, 3, 4, 5, 6])

    def test_a_transpose_is_fed_the_other_way_round(self):
        turned = self.whole("transposed")
        self.assertEqual((turned.dims, self.elements(turned)), ([3, 2], [1, 4, 2, 5, 3, 6]))

    def test_operands_that_share_are_fed_once(self):
        case = drawn("Mul", "operands 0 and 1 share a buffer")
        ((name, fed),) = graphs.feeds_of(case).items()
        self.assertEqual(name, "c0_s")
        self.assertEqual(fed.data, case.inputs[0].data + case.inputs[1].data)
        same = drawn("Mul", "operands 0 and 1 are one value")
        self.assertEqual(list(graphs.feeds_of(same)), ["c0_x0"])


class Clauses(unittest.TestCase):
    def test_each_axis_of_each_operand_repeats(self):
        for side, axis in ((0, -4), (0, -3), (1, -4), (1, -3)):
            case = drawn("BatchMatMulV2", f"operand {side} repeats along axis {axis}")
            self.assertEqual(case.inputs[side].dims[axis], 1)
            self.assertGreater(case.inputs[1 - side].dims[axis], 1)
            self.assertFalse(case.unknown)

    def test_a_size_changes_wherever_it_occurs(self):
        case = drawn("BatchMatMulV2", "size 3 is zero")
        self.assertEqual([x.dims for x in case.inputs], [[2, 3, 5, 0], [2, 3, 0, 7]])

    def test_one_axis_may_be_unknown(self):
        case = drawn("AddV2", "operand 1 has an unknown axis -1")
        self.assertEqual(case.unknown, {1: (2,)})

    def test_every_clause_of_a_family_has_a_case(self):
        signatures = [each for each in SIGNATURES.values() if not cases.reason_for_none(each)]
        wanted = {(clauses.family(signature), clause.name) for signature in signatures
                  for clause in clauses.clauses_of(signature, "1")}
        shared_out = clauses.share_out(signatures, "1")
        self.assertEqual({(clauses.family(signature), clause.name)
                          for signature, clause in shared_out}, wanted)
        self.assertLess(len(shared_out), len(clauses.share_out(signatures, "1", every_clause=True)))
        self.assertLessEqual(clauses.KINDS, {clauses.kind_of(name) for _, name in wanted})


def codelet(body, attrs='codegen.symbol = "f"'):
    head = f"  %1 = flow.codelet(%0) {{{attrs}}} : (tensor<f32>) -> tensor<4xi1> {{\n"
    return f"{head}  ^bb0(%a: tensor<f32> loc(#loc)):\n{body}  }} loc(#loc)\n"


class Coverage(unittest.TestCase):
    def test_what_does_not_occur_is_missed(self):
        found = coverage.Coverage()
        found.add([], [], coverage.all_ops() - {"nd.matmul", "nd.set_row"})
        missing = list(found.missing())
        self.assertIn("nd.matmul: expected a case whose graph has the op", missing)
        self.assertIn("'rank #': expected a case", missing)

    def test_each_type_needs_code(self):
        line = "    %2 = nd.is_nan %a : (tensor<4xf16>) -> tensor<4xi1>\n"
        loop = ("    %2 = flow.while (%a)\n"
                "      %3 = nd.neg %a : (tensor<bf16>) -> tensor<bf16> loc(#loc)\n")
        found = coverage.Coverage()
        for ir in (codelet(line), codelet(loop), codelet(line.replace("f16", "f64"), "")):
            found.add([], [], set(), comparison.found_in_code(ir))
        self.assertEqual({(place, what) for place, what in found.in_code if "nd." not in what},
                         {("straight lines", "f16"), ("straight lines", "i1"), ("loops", "bf16")})
        missing = list(found.missing())
        self.assertIn("f64: expected code in straight lines with elements of the type", missing)
        self.assertNotIn("f16: expected code in straight lines with elements of the type", missing)

    def test_each_op_with_code_is_needed_in_code(self):
        ir = codelet("    %2 = flow.while (%a) {\n"
                     "    ^bb0(%b: tensor<f32>):\n"
                     "      %3 = nd.neg %a : (tensor<f32>) -> tensor<f32> loc(#loc)\n"
                     "    } do {\n"
                     "      %4:2 = nd.split %b, %c : (tensor<f32>, tensor<i32>) -> (tensor<f32>)\n"
                     "    } loc(#loc)\n"
                     "    %5 = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>\n"
                     "    %6 = nd.gather %b, %c {batch_dims = 0 : i64} : (tensor<f32>) -> ()\n")
        found = coverage.Coverage()
        found.add([], [], set(), comparison.found_in_code(ir))
        ops = {("loops", "nd.neg"), ("loops", "nd.split"), ("straight lines", "nd.constant"),
               ("straight lines", "nd.gather")}
        self.assertEqual({each for each in found.in_code if "nd." in each[1]}, ops)
        needed = coverage.ops_with_code()
        self.assertLessEqual(ops, needed)
        self.assertNotIn(("loops", "nd.gather"), needed)  # never in loops
        self.assertNotIn(("straight lines", "nd.where"), needed)  # no code
        missing = list(found.missing())
        self.assertIn("nd.split: expected code in straight lines", missing)
        self.assertIn("nd.matmul: expected code in loops", missing)
        self.assertNotIn("nd.neg: expected code in loops", missing)

    def test_a_clause_needs_a_case_that_succeeds(self):
        found = coverage.Coverage()
        case = drawn("BatchMatMulV2", "operand 0 repeats along axis -4")
        found.add([case], [{"error": {"message": "no"}}], set())
        missing = list(found.missing())
        self.assertIn("'operand # repeats along axis #': expected a case that succeeds", missing)
        self.assertIn(f"BatchMatMulV2: {case.clause}: expected a result but got no", missing)

    def test_an_op_that_is_listed_as_missing_is_not_imported(self):
        found = coverage.Coverage()
        found.add([], [], {"nd.set_row"})
        self.assertIn("nd.set_row: expected no case whose graph has the op", list(found.missing()))


class Comparison(unittest.TestCase):
    def refusal(self, attrs, code):
        found = comparison.Comparison("", pathlib.Path())
        case = types.SimpleNamespace(name="c0", op="FloorDiv", attrs=attrs)
        found.refused["c0"] = (case, code, "not supported")
        return found.wrongly_refused()

    def test_a_refusal_must_be_known(self):
        self.assertEqual(self.refusal({"T": ("type", "complex64")}, 4), [])
        self.assertTrue(self.refusal({"T": ("type", "float")}, 4))
        self.assertTrue(self.refusal({"T": ("type", "complex64")}, 1))

    def test_after_a_guard_page_the_others_are_answered(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "faulty.py"
            program.write_text(FAULTY)
            answers = programs.answers([sys.executable, str(program)], [{"n": i} for i in range(5)])
        self.assertEqual(["outputs" in answer for answer in answers],
                         [True, True, False, True, True])
        self.assertIn("node 'c2'", answers[2]["error"]["message"])


if __name__ == "__main__":
    unittest.main()
