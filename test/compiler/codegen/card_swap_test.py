#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What loops save for their derivatives moves from a simulated card to the host where there is no
room: ten times as many iterations as fit without that, with the same bits.

Usage: card_swap_test.py SLUICEC
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from loop_graphs import dims  # noqa: E402
from tf1_graph import FLOAT, INT, Graph, Loop  # noqa: E402

SIZES = (128, 128)  # 64 KiB
LIMIT = "2M"
FITS = 12           # iterations
SLUICEC = None


def graph():
    """n times: (y, z) = (tanh(y * w), y + z * w); loss = sum of y and z."""
    g = Graph()
    for name in ("x", "w"):
        g.placeholder(name, FLOAT, dims(*SIZES))
    g.placeholder("n", INT, "")
    loop = Loop(g, "while", 10)
    loop.count_to("n")
    y = loop.variable("_1", "x", FLOAT)
    z = loop.variable("_2", "x", FLOAT)
    w = loop.enter("w/Enter", "w", FLOAT, constant=True)
    product = g.node("while/product", "Mul", [y, w], T=FLOAT)
    other = g.node("while/other", "Mul", [z, w], T=FLOAT)
    y = loop.close("_1", g.node("while/tanh", "Tanh", [product], T=FLOAT), FLOAT)
    z = loop.close("_2", g.node("while/sum", "Add", ["while/Identity_1", other], T=FLOAT), FLOAT)
    both = g.node("both", "Add", [y, z], T=FLOAT)
    axes = g.node("axes", "Const", dtype=INT, value="tensor { dtype: DT_INT32 tensor_shape { "
                  "dim { size: 2 } } int_val: 0 int_val: 1 }")
    g.node("loss", "Sum", [both, axes], T=FLOAT, Tidx=INT, keep_dims="b: false")
    return g.text()


class CardSwap(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        (cls.path / "graph.pbtxt").write_text(graph())
        subprocess.run(
            [SLUICEC, cls.path / "graph.pbtxt", "--feed", "x,w,n", "--fetch", "loss",
             "--gradients", "loss=w", "--target=sim", "-o", cls.path / "program"],
            check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_for(self, iterations, *flags, seed=1, policy=None):
        """The process, what was moved out, and the derivative."""
        environment = {**os.environ, "SLUICE_SIM_SEED": str(seed)}
        if policy:
            environment["SLUICE_SIM_POLICY"] = policy
        (self.path / "w.npy").unlink(missing_ok=True)
        done = subprocess.run(
            [self.path / "program", "--input", "x=rand", "--input", "w=rand", "--input",
             f"n=i32={iterations}", "--output", "loss=-", "--output",
             f"gradients/w=@{self.path / 'w.npy'}", "--stats", *flags],
            env=environment, capture_output=True, text=True, timeout=120)
        moved = re.search(r"gpu_0_values_moved_out: *(\d+)", done.stdout + done.stderr)
        bits = (self.path / "w.npy").read_bytes() if done.returncode == 0 else None
        return done, int(moved.group(1)) if moved else None, bits

    def test_ten_times_as_many_iterations_as_fit(self):
        done, moved, _ = self.run_for(FITS, f"--device-memory-limit={LIMIT}", "--swap=never")
        self.assertEqual((done.returncode, moved), (0, 0), done.stderr)
        done, _, _ = self.run_for(10 * FITS, f"--device-memory-limit={LIMIT}", "--swap=never")
        self.assertEqual(done.returncode, 14, done.stderr)
        self.assertRegex(done.stderr, r"needs 64 KiB, but of the limit of 2 MiB.*'while/")
        _, moved, expected = self.run_for(10 * FITS)
        self.assertEqual(moved, 0)
        for seed, policy in ((1, "eager"), (2, "lazy"), (3, "random"), (4, "random")):
            with self.subTest(seed=seed, policy=policy):
                done, moved, bits = self.run_for(10 * FITS, f"--device-memory-limit={LIMIT}",
                                                 seed=seed, policy=policy)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertGreater(moved, 100)
                self.assertEqual(bits, expected)

    def test_all_that_is_saved_may_move(self):
        _, _, expected = self.run_for(5)
        for seed, policy in ((1, "lazy"), (2, "lazy"), (3, "random")):
            done, moved, bits = self.run_for(5, "--swap=always", seed=seed, policy=policy)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreater(moved, 3)
            self.assertEqual(bits, expected)

    def test_a_copy_that_fails_is_named(self):
        for function in ("cuMemHostAlloc:3", "cuMemcpyDtoHAsync:1", "cuMemcpyHtoDAsync:3"):
            with self.subTest(function):
                name, environment = function.split(":")[0], {"SLUICE_SIM_FAIL": f"{function}=2"}
                os.environ.update(environment)
                try:
                    done, _, _ = self.run_for(5, "--swap=always")
                finally:
                    del os.environ["SLUICE_SIM_FAIL"]
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(name, done.stderr)


if __name__ == "__main__":
    SLUICEC = sys.argv.pop(1)
    unittest.main()
