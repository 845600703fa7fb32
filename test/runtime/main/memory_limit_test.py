#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""With --memory-limit executables take no more of the machine's memory, whatever wants it: tensors,
elements of lists, strings, files. Constants stay in the image.

Usage: memory_limit_test.py SLUICEC
"""

import array
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest

SLUICEC = sys.argv.pop()
MEGA = 1 << 20
# What docs/reference/executable-command-line.md says of code, stacks and what libraries keep.
OTHER = 16 * MEGA
OUT_OF_MEMORY = 14

# What a process has taken at most counts from what its parent had, so the parent is a small one.
LAUNCHER = """
import os, resource, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], {})
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print()
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""

# Pushes the counter to a list, n times; without code each element is an object of its own.
PUSHES = """
%n = flow.feed {name = "n"} : () -> tensor<i32>
%zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
%empty = list.make %zero {element_shape = tensor<f32>, identical = false} : (tensor<i32>) -> !list.of<tensor<f32>>
%w:2 = flow.while (%empty, %n) () {frame = "w", parallel_iterations = 1 : i64} : (!list.of<tensor<f32>>, tensor<i32>) -> (!list.of<tensor<f32>>, tensor<i32>) before {
^bb0(%l: !list.of<tensor<f32>>, %i: tensor<i32>):
  %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %p = nd.less %none, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
  flow.condition %p (%l, %i) : (tensor<i1>, !list.of<tensor<f32>>, tensor<i32>) -> ()
} body {
^bb0(%l: !list.of<tensor<f32>>, %i: tensor<i32>):
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %j = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %f = nd.cast %i : (tensor<i32>) -> tensor<f32>
  %m = list.push %l, %f {limit = -1 : i64} : (!list.of<tensor<f32>>, tensor<f32>) -> !list.of<tensor<f32>>
  flow.yield %m, %j : (!list.of<tensor<f32>>, tensor<i32>) -> ()
}
%length = list.length %w#0 : (!list.of<tensor<f32>>) -> tensor<i32>
flow.fetch %length {name = "length"} : (tensor<i32>) -> ()
"""

SQUARE = """
%x = flow.feed {name = "x"} : () -> tensor<?xf32>
%y = nd.mul %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
flow.fetch %y {name = "y"} : (tensor<?xf32>) -> ()
"""

VARIABLE = """
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { } } } }
node { name: "w" op: "VarHandleOp" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 8388608 } } } } attr { key: "shared_name" value { s: "w" } } }
node { name: "r" op: "ReadVariableOp" input: "w" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "zero" op: "Const" attr { key: "dtype" value { type: DT_INT32 } } attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 0 } } } }
node { name: "m" op: "Max" input: "r" input: "zero" attr { key: "T" value { type: DT_FLOAT } } attr { key: "Tidx" value { type: DT_INT32 } } }
node { name: "y" op: "Mul" input: "m" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
"""


def write_npy(path, count):
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({count},), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() +
                     bytes(4 * count))


def write_variables(path, count):
    header = json.dumps({"w": {"dtype": "F32", "shape": [count], "data_offsets": [0, 4 * count]}})
    path.write_bytes(struct.pack("<Q", len(header)) + header.encode() + bytes(4 * count))


class MemoryLimit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compile(self, name, text, *flags):
        (self.folder / name).write_text(text)
        run = subprocess.run([SLUICEC, name, "-o", "program", *flags], cwd=self.folder,
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)

    def run_program(self, *arguments):
        """Exit code, standard error, and the most memory that it took."""
        run = subprocess.run([sys.executable, "-S", "-c", LAUNCHER, self.folder / "program", *arguments],
                             cwd=self.folder, capture_output=True, text=True)
        code, kilobytes = run.stdout.splitlines()[-1].split()
        return int(code), run.stderr, int(kilobytes) << 10

    def expect(self, code, message, limit, *arguments):
        got, err, taken = self.run_program(*arguments, f"--memory-limit={limit}")
        self.assertEqual(got, code, err)
        self.assertIn(message, err)
        self.assertLess(taken, limit + OTHER)

    def test_inputs_and_results(self):
        self.compile("g.mlir", f"flow.graph @main {{{SQUARE}}}")
        write_npy(self.folder / "x.npy", 8 * MEGA)
        run = ["--input", "x=@x.npy", "--output", "y=@y.npy"]
        # The file, the input and the result are 32 MiB each, and the file that is written as well.
        self.expect(0, "", 130 * MEGA, *run)
        self.expect(OUT_OF_MEMORY, "no memory for a file of 33554", 90 * MEGA, *run)
        self.expect(OUT_OF_MEMORY, "cannot allocate 33554432 bytes", 50 * MEGA, *run)
        self.expect(OUT_OF_MEMORY, "no memory for the 33554560 bytes of 'x.npy'", 20 * MEGA, *run)

    def test_elements_of_lists(self):
        self.compile("g.mlir", f"flow.graph @main {{{PUSHES}}}", "--no-collapse", "--no-codelets")
        self.expect(0, "", 96 * MEGA, "--input", "n=i32=100000")
        self.expect(OUT_OF_MEMORY, "RESOURCE_EXHAUSTED", 96 * MEGA, "--input", "n=i32=20000000")

    def test_rows_of_lists(self):
        self.compile("g.mlir", f"flow.graph @main {{{PUSHES}}}")
        # No copy beside what there is: room is for a quarter more at most.
        self.expect(0, "", 110 * MEGA, "--input", "n=i32=20000000")
        self.expect(OUT_OF_MEMORY, "RESOURCE_EXHAUSTED", 70 * MEGA, "--input", "n=i32=20000000")

    def test_files_of_variables(self):
        self.compile("g.pbtxt", VARIABLE, "--feed", "x", "--fetch", "y")
        write_variables(self.folder / "w.safetensors", 8 * MEGA)
        load = ["--load", "w.safetensors", "--input", "x=f32=1"]
        # Neither the file that is read nor the one that is written is ever in memory.
        self.expect(0, "", 50 * MEGA, *load)
        self.expect(0, "", 50 * MEGA, *load, "--save", "w2.safetensors")
        self.expect(OUT_OF_MEMORY, "cannot allocate 33554432 bytes", 20 * MEGA, *load)

    def test_constants_stay_in_the_image(self):
        drawn, count = random.Random(1), 2 * MEGA
        values = array.array("f", (drawn.random() for _ in range(1024)))
        text = "".join(f"\\{byte:03o}" for byte in values.tobytes()) * (count // 1024)
        constant = (f'node {{ name: "c" op: "Const" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }} '
                    f'attr {{ key: "value" value {{ tensor {{ dtype: DT_FLOAT tensor_shape {{ dim {{ '
                    f'size: {count} }} }} tensor_content: "{text}" }} }} }} }}\n')
        gather = """
node { name: "i" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } } attr { key: "shape" value { shape { } } } }
node { name: "zero" op: "Const" attr { key: "dtype" value { type: DT_INT32 } } attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 0 } } } }
node { name: "y" op: "GatherV2" input: "c" input: "i" input: "zero" attr { key: "Tparams" value { type: DT_FLOAT } } attr { key: "Tindices" value { type: DT_INT32 } } attr { key: "Taxis" value { type: DT_INT32 } } }
"""
        self.compile("g.pbtxt", constant + gather, "--feed", "i", "--fetch", "y")
        self.assertGreater((self.folder / "program").stat().st_size, 4 * count)
        self.expect(0, "", 4 * MEGA, "--input", "i=i32=2000000")

    def test_constants_of_one_value_are_small(self):
        wide = "tensor<1024x2048xf32>"
        fill = f"%z = nd.constant {{value = dense<0.0> : {wide}}} : () -> {wide}\n"
        body = f"""
%n = flow.feed {{name = "n"}} : () -> tensor<i32>
{fill}
%w:2 = flow.while (%z, %n) (%z) {{frame = "w", parallel_iterations = 1 : i64}} : ({wide}, tensor<i32>, {wide}) -> ({wide}, tensor<i32>) before {{
^bb0(%a: {wide}, %i: tensor<i32>, %b: {wide}):
  %none = nd.constant {{value = dense<0> : tensor<i32>}} : () -> tensor<i32>
  %p = nd.less %none, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
  flow.condition %p (%a, %i) : (tensor<i1>, {wide}, tensor<i32>) -> ()
}} body {{
^bb0(%a: {wide}, %i: tensor<i32>, %b: {wide}):
  %one = nd.constant {{value = dense<1> : tensor<i32>}} : () -> tensor<i32>
  %half = nd.constant {{value = dense<0.5> : {wide}}} : () -> {wide}
  %j = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %s = nd.add %a, %half : ({wide}, {wide}) -> {wide}
  %t = nd.sub %s, %b : ({wide}, {wide}) -> {wide}
  flow.yield %t, %j : ({wide}, tensor<i32>) -> ()
}}
flow.fetch %w#0 {{name = "y"}} : ({wide}) -> ()
"""
        for flags in ([], ["--no-collapse"], ["--no-codelets"]):
            self.compile("g.mlir", f"flow.graph @main {{{body}}}", *flags)
            self.assertLess((self.folder / "program").stat().st_size, 2 * MEGA, flags)
            self.expect(0, "", 64 * MEGA, "--input", "n=i32=3")


if __name__ == "__main__":
    unittest.main()
