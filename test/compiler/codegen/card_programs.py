# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs as programs for the host and for a simulated card, and what these give for drawn numbers."""

import array
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from loop_graphs import dims  # noqa: E402
from tf1_graph import FLOAT, INT  # noqa: E402

DOUBLE, HALF, LONG = "type: DT_DOUBLE", "type: DT_HALF", "type: DT_INT64"
BYTE, BOOL = "type: DT_UINT8", "type: DT_BOOL"
# Of array, and of an .npy file.
CODES = {FLOAT: ("f", "<f4"), DOUBLE: ("d", "<f8"), INT: ("i", "<i4"), LONG: ("q", "<i8"),
         HALF: ("H", "<f2"), BYTE: ("B", "|u1"), BOOL: ("B", "|b1")}


def write_npy(path, shape, kind, values):
    code, descr = CODES[kind]
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() +
                     array.array(code, values).tobytes())


def write_tensor(path, shape, kind, drawn):
    """Numbers around 0, of which some are 0 or -0."""
    write_npy(path, shape, kind,
              [drawn.choice((0.0, -0.0, 1.0)) if drawn.random() < 0.1 else drawn.uniform(-1, 1)
               for _ in range(math.prod(shape))])


def elements(path, kind):
    data = path.read_bytes()
    begin = 10 + int.from_bytes(data[8:10], "little")
    return array.array(CODES[kind][0], data[begin:])


def compile_for(compiler, scratch, target, text, feeds, fetches, *flags):
    source, program = scratch / "graph.pbtxt", scratch / f"program_{target}"
    source.write_text(text)
    subprocess.run([compiler, source, f"--target={target}", "-o", program, *flags,
                    *(f"--fetch={name}" for name in fetches),
                    *(f"--feed={name}" for name in feeds)], check=True)
    return program


def call(program, scratch, feeds, fetches, *flags):
    """The process, and the files of what it gives."""
    results = [scratch / f"{program.name}_{i}.npy" for i in range(len(fetches))]
    process = subprocess.run(
        [program, *flags, *(f"--output={name}=@{result}" for name, result in zip(fetches, results)),
         *(f"--input={name}=@{scratch / name}.npy" for name in feeds)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return process, results


def run(compiler, scratch, target, text, feeds, fetch):
    """The file of what it gives."""
    program = compile_for(compiler, scratch, target, text, feeds, [fetch])
    process, results = call(program, scratch, feeds, [fetch])
    assert process.returncode == 0, process.stderr
    return results[0]


class CardCase(unittest.TestCase):
    """Programs for the card compared with those for the host. The compiler is the first argument."""
    compiler = None

    @classmethod
    def main(cls):
        cls.compiler = sys.argv.pop(1)
        unittest.main()

    def setUp(self):
        self.scratch = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.drawn = random.Random(7)

    def feed(self, graph, name, shape, kind, values=None, known=True):
        """`known`: whether the graph says the shape, or what it says instead."""
        said = known if isinstance(known, list) else shape if known else [-1] * len(shape)
        graph.placeholder(name, kind, dims(*said))
        path = self.scratch / f"{name}.npy"
        if values is None:
            write_tensor(path, shape, kind, self.drawn)
        else:
            write_npy(path, shape, kind, values)

    def compare(self, graph, feeds, fetches, same=True, checks=0, codelets=None):
        """What the card gives; `fetches` have types. Without `same` bits may differ. `codelets` are those of the
        card and of its host."""
        results = {}
        for target in ("cpu", "sim"):
            program = compile_for(self.compiler, self.scratch, target, graph.text(), feeds, fetches)
            process, files = call(program, self.scratch, feeds, fetches, "--stats-json")
            self.assertEqual(process.returncode, 0, process.stderr)
            results[target] = [elements(file, kind) for file, kind in zip(files, fetches.values())]
        figures = json.loads(process.stderr.splitlines()[-1])
        self.assertGreater(figures["codelets"], 0)
        if codelets:
            self.assertEqual(figures["codelets"], codelets)
        self.assertEqual(figures["kernels"], checks)  # those that have to be the host's
        for host, card in zip(results["cpu"], results["sim"]):
            if same:
                self.assertEqual(host.tobytes(), card.tobytes())
            else:
                self.assertEqual(len(host), len(card))
                for x, y in zip(host, card):
                    self.assertAlmostEqual(x, y, delta=1e-4 * (1 + abs(x)))
        return results["sim"]

    def fails(self, graph, feeds, fetch):
        program = compile_for(self.compiler, self.scratch, "sim", graph.text(), feeds, [fetch])
        process, _ = call(program, self.scratch, feeds, [fetch])
        self.assertEqual(process.returncode, 1, process.stderr)
        return process.stderr
