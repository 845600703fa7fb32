#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collapsed loops with values in boxes: what they keep, count and say.

Usage: boxes_test.py SLUICEC
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SLUICEC = sys.argv.pop()


def loop(carried, body, *, captures=()):
    """A loop that counts `%n0` down. `carried` and `captures` are names with types: `%name0` outside,
    `%name` in the loop, or `%name_in`, and `%name_next` from the body. Tensors are fetched."""
    names = [name for name, _ in carried]
    types = ", ".join([type for _, type in carried] + ["tensor<i32>"])
    arguments = ", ".join([f"%{name}: {type}" for name, type in carried] + ["%i: tensor<i32>"]
                          + [f"%{name}_in: {type}" for name, type in captures])
    forwarded = ", ".join(f"%{name}" for name in names)
    values = ", ".join([f"%{name}0" for name in names] + ["%n0"])
    outside = ", ".join(f"%{name}0" for name, _ in captures)
    signature = f"({', '.join([types, *(type for _, type in captures)])}) -> ({types})"
    results = "\n".join(f'  flow.fetch %w#{k} {{name = "{name}"}} : ({type}) -> ()'
                        for k, (name, type) in enumerate(carried) if type.startswith("tensor"))
    return f"""
  %w:{len(carried) + 1} = flow.while ({values}) ({outside}) {{frame = "w", parallel_iterations = 1 : i64}} : {signature} before {{
    ^bb0({arguments}):
      %zero = nd.constant {{value = dense<0> : tensor<i32>}} : () -> tensor<i32>
      %p = nd.less %zero, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %p ({forwarded}, %i) : (tensor<i1>, {types}) -> ()
    }} body {{
    ^bb0({arguments}):
      %one = nd.constant {{value = dense<1> : tensor<i32>}} : () -> tensor<i32>
      %j = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
{body}
      flow.yield {', '.join(f'%{name}_next' for name in names)}, %j : ({types}) -> ()
    }} loc("w")
{results}"""


def feed(name, type):
    return f'  %{name}0 = flow.feed {{name = "{name}"}} : () -> {type}\n'


class Boxes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compile(self, text, *flags):
        """The program, and what --explain-loops tells of it."""
        (self.folder / "g.mlir").write_text(
            f'flow.graph @main {{\n{feed("n", "tensor<i32>")}{text}\n}}\n')
        run = subprocess.run([SLUICEC, "g.mlir", "-o", "program", *(flags or ["--explain-loops"])],
                             cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def run_program(self, *inputs, flags=()):
        command = [self.folder / "program", *flags]
        for text in inputs:
            command += ["--input", text]
        return subprocess.run(command, capture_output=True, text=True)

    def figures(self, *inputs, flags=()):
        run = self.run_program(*inputs, flags=[*flags, "--stats-json"])
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stderr.splitlines()[-1])

    def check(self, expected, *inputs):
        run = self.run_program(*inputs)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.splitlines()[-1], expected)

    def peak_of(self, text, count, *flags):
        """In tensors of `count` floats, which are the value `x`."""
        self.compile(text, *flags)
        x = f"x={count}xf32=" + ",".join(["1"] * count)
        return self.figures("n=i32=3", x, flags=["--workers", "0"])["peak_bytes"] / (4 * count)

    def test_no_more_stays_than_without_boxes(self):
        any_rank = "tensor<*xf32>"
        squares = "".join(f"      %q{k + 1} = nd.mul %q{k}, %q{k} : ({any_rank}, {any_rank}) -> {any_rank}\n"
                          for k in range(30))
        squares = squares.replace("%q0", "%x").replace("%q30", "%x_next")
        choice = f"""      %neg = nd.neg %x : ({any_rank}) -> {any_rank}
      %abs = nd.abs %neg : ({any_rank}) -> {any_rank}
      %p = nd.less %one, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %x_next = flow.cond %p (%x, %neg, %abs) : (tensor<i1>, {any_rank}, {any_rank}, {any_rank}) -> {any_rank} on_true {{
      ^bb0(%a: {any_rank}, %b: {any_rank}, %c: {any_rank}):
        %d = nd.add %b, %b : ({any_rank}, {any_rank}) -> {any_rank}
        %e = nd.neg %d : ({any_rank}) -> {any_rank}
        %f = nd.sqrt %e : ({any_rank}) -> {any_rank}
        flow.yield %f : ({any_rank}) -> ()
      }} on_false {{
      ^bb0(%a: {any_rank}, %b: {any_rank}, %c: {any_rank}):
        %d = nd.mul %a, %c : ({any_rank}, {any_rank}) -> {any_rank}
        flow.yield %d : ({any_rank}) -> ()
      }}"""
        for body in (squares, choice):
            text = feed("x", any_rank) + loop([("x", any_rank)], body)
            boxes, tokens = self.peak_of(text, 5000), self.peak_of(text, 5000, "--no-collapse")
            self.assertLess(boxes, tokens + 0.5)
            self.assertGreater(boxes, 1)

    def test_a_kernel_that_lacks_memory_names_the_node(self):
        body = """      %x_next = nd.mul %x, %x : (tensor<5000xf32>, tensor<5000xf32>) -> tensor<5000xf32> loc("square")
      %g = nd.l2_loss %x_next : (tensor<5000xf32>) -> tensor<f32> loc("loss")
      %s_next = nd.add %s, %g : (tensor<f32>, tensor<f32>) -> tensor<f32>"""
        self.compile(feed("x", "tensor<5000xf32>") + feed("s", "tensor<f32>") +
                     loop([("x", "tensor<5000xf32>"), ("s", "tensor<f32>")], body))
        inputs = ("n=i32=1", "s=f32=1", "x=5000xf32=" + ",".join(["1"] * 5000))
        least = self.figures(*inputs, flags=["--workers", "0"])["peak_held_bytes"]
        run = self.run_program(*inputs, flags=["--workers", "0", "--memory-limit", str(least - 10000)])
        self.assertEqual(run.returncode, 14)
        self.assertIn("RESOURCE_EXHAUSTED: node 'square': cannot allocate 20000 bytes", run.stderr)

    def test_floats_that_kernels_make_are_counted_once(self):
        body = "      %s_next = nd.l2_loss %x_in : (tensor<6xf32>) -> tensor<f32>"
        told = self.compile(feed("x", "tensor<6xf32>") + feed("s", "tensor<f32>") + loop(
            [("s", "tensor<f32>")], body, captures=[("x", "tensor<6xf32>")]))
        self.assertIn("1 by kernels", told)
        stats = self.figures("n=i32=5", "s=f32=0", "x=6xf32=1,2,3,4,5,6")
        self.assertEqual((stats["float_kernels"], stats["codelet_float_ops"]), (5, 0))

    def test_constants_that_code_cannot_hold(self):
        type = "tensor<" + "1x" * 9 + "2xf32>"
        constant = f'  %c0 = nd.constant {{value = dense<1.5> : {type}}} : () -> {type} loc("c")\n'
        self.compile(constant + loop([("c", type)],
                                     f"      %c_next = nd.neg %c : ({type}) -> {type}"))
        self.check(f"{'[' * 10}-1.5, -1.5{']' * 10}", "n=i32=3")

    def test_a_list_that_gets_no_rows_where_it_is_read(self):
        list = "!list.of<tensor<?xf32>>"
        size = "  %k = nd.constant {value = dense<4> : tensor<i32>} : () -> tensor<i32>\n"
        make = f"""  %l0 = list.make %k {{element_shape = tensor<?xf32>, identical = false}} : (tensor<i32>) -> {list}
"""
        body = f"""      %axes = nd.constant {{value = dense<0> : tensor<1xi32>}} : () -> tensor<1xi32>
      %v, %l_next = list.get %l, %j {{beyond = false, clear = false}} : ({list}, tensor<i32>) -> (tensor<?xf32>, {list}) loc("get")
      %r = nd.reduce_sum %v, %axes {{keep_dims = false}} : (tensor<?xf32>, tensor<1xi32>) -> tensor<f32>
      %s_next = nd.add %s, %r : (tensor<f32>, tensor<f32>) -> tensor<f32>"""
        told = self.compile(feed("s", "tensor<f32>") + size + make + loop(
            [("s", "tensor<f32>"), ("l", list)], body))
        self.assertIn("'w': collapsed", told)
        self.check("s f32[] = 7", "n=i32=0", "s=f32=7")
        run = self.run_program("n=i32=3", "s=f32=7")
        self.assertEqual(run.returncode, 1)
        self.assertIn("INVALID_ARGUMENT: node 'get': Could not read index 2", run.stderr)


if __name__ == "__main__":
    unittest.main()
