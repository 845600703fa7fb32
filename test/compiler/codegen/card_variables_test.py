#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Variables that live in the memory of a simulated card: the same bits as on the host whatever
updates them, and whoever loads, saves and asks for them finds their values.

Usage: card_variables_test.py SLUICEC
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from loop_graphs import dims  # noqa: E402
from tf1_graph import FLOAT, Graph  # noqa: E402

HALF, BFLOAT = "type: DT_HALF", "type: DT_BFLOAT16"
SIZES = (5, 7)
SLUICEC = None
OPTIMIZERS = ("sgd(lr=0.1)", "momentum(lr=0.1,momentum=0.9)",
              "momentum(lr=0.1,momentum=0.9,nesterov=1)", "adam(lr=0.1)", "adagrad(lr=0.1)",
              "rmsprop(lr=0.1)")


def variable(g, name, dtype, value):
    """Its handle; and its value at the start is `value` everywhere, by a node NAME/init."""
    g.node(name, "VarHandleOp", dtype=dtype, shape=f"shape {{ {dims(*SIZES)} }}",
           container='s: ""', shared_name=f's: "{name}"')
    start = g.constant(f"{name}/f32", FLOAT, value, dims(*SIZES))
    start = g.node(f"{name}/start", "Cast", [start], SrcT=FLOAT, DstT=dtype)
    g.node(f"{name}/init", "AssignVariableOp", [name, start], dtype=dtype)
    return name


def loss_graph():
    """loss = sum((w - x)^2): its derivative has an order of nothing."""
    g = Graph()
    g.placeholder("x", FLOAT, dims(*SIZES))
    g.node("w", "VarHandleOp", dtype=FLOAT, shape=f"shape {{ {dims(*SIZES)} }}",
           container='s: ""', shared_name='s: "w"')
    g.node("w/read", "ReadVariableOp", ["w"], dtype=FLOAT)
    g.node("off", "Sub", ["w/read", "x"], T=FLOAT)
    g.node("square", "Square", ["off"], T=FLOAT)
    axes = g.node("axes", "Const", dtype="type: DT_INT32",
                  value="tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: 0 int_val: 1 }")
    g.node("loss", "Sum", ["square", axes], T=FLOAT, Tidx="type: DT_INT32", keep_dims="b: false")
    return g.text()


def update_graph(dtype, rule):
    """One step of `rule` by 3 w², which only a card computes with before."""
    g = Graph()
    for name, value in (("w", 0.7), ("m", 0.3), ("v", 0.2)):
        variable(g, name, dtype, value)
    g.node("w/read", "ReadVariableOp", ["w"], dtype=dtype)
    g.node("square", "Mul", ["w/read", "w/read"], T=dtype)
    three = g.node("three", "Cast", [g.constant("three/f32", FLOAT, 3)], SrcT=FLOAT, DstT=dtype)
    g.node("gradient", "Mul", ["square", three], T=dtype)

    def number(name, value):
        return g.node(name, "Cast", [g.constant(f"{name}/f32", FLOAT, value)], SrcT=FLOAT,
                      DstT=dtype)

    if rule == "descent":
        g.node("step", "ResourceApplyGradientDescent", ["w", number("rate", 0.13), "gradient"],
               T=dtype)
    elif rule.startswith("momentum"):
        g.node("step", "ResourceApplyMomentum",
               ["w", "m", number("rate", 0.13), "gradient", number("momentum", 0.91)], T=dtype,
               use_nesterov=f"b: {'true' if rule.endswith('nesterov') else 'false'}")
    elif rule.startswith("adam"):
        g.node("step", "ResourceApplyAdam",
               ["w", "m", "v", number("b1", 0.81), number("b2", 0.72), number("rate", 0.13),
                number("beta1", 0.9), number("beta2", 0.85), number("epsilon", 0.01), "gradient"],
               T=dtype, use_nesterov=f"b: {'true' if rule.endswith('nesterov') else 'false'}")
    else:
        g.node("step", {"add": "AssignAddVariableOp", "subtract": "AssignSubVariableOp"}[rule],
               ["w", "gradient"], dtype=dtype)
    return g.text()


class CardVariables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.scratch = pathlib.Path(self.folder.name)

    def compile(self, text, target, *flags):
        source, program = self.scratch / "graph.pbtxt", self.scratch / f"program-{target}"
        source.write_text(text)
        told = subprocess.run([SLUICEC, source, f"--target={target}", "-o", program, *flags,
                               *(["--explain-place"] if target == "sim" else [])],
                              check=True, stdout=subprocess.PIPE, text=True).stdout
        return program, told

    def run_program(self, program, *flags, **how):
        return subprocess.run([program, *flags], cwd=self.scratch, check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)

    def trained(self, target, optimizer="adam(lr=0.1)"):
        flags = ["--feed=x", "--fetch=loss", "--train=loss", f"--optimizer={optimizer}"]
        return self.compile(loss_graph(), target, *flags)

    TRAIN = ("--signature=train", "--input=x=5x7xf32=0.25")

    @staticmethod
    def tensor(values):
        """As requests have it."""
        return {"dtype": "float32", "shape": list(SIZES), "data": values}

    def start(self):
        """Values to start from."""
        return self.tensor([i / 7 - 2 for i in range(35)])

    def answers(self, program, requests, *flags):
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        return self.run_program(program, "--calls", "-", *flags, input=lines).stdout

    def test_optimizers(self):
        for optimizer in OPTIMIZERS:
            with self.subTest(optimizer=optimizer):
                saved = []
                for target in "cpu", "sim":
                    program, told = self.trained(target, optimizer)
                    self.write_weights(program)
                    self.run_program(program, *self.TRAIN, "--steps=5", "--load=first.safetensors",
                                     "--save=last.safetensors")
                    saved.append((self.scratch / "last.safetensors").read_bytes())
                self.assertEqual(*saved)
                self.assertIn("variable 'w' lives on the card: tensor<5x7xf32>", told)
                copies = {line.strip() for line in told.splitlines() if "copy" in line}
                self.assertEqual(copies, {"copy 'x' to the card: tensor<5x7xf32>",
                                          "copy 'loss' to the host: tensor<f32>"})

    def write_weights(self, program):
        """first.safetensors, of which the optimizer's own variables are as they begin."""
        state = {"w": self.start()}
        lines = json.dumps({"signature": "main", "inputs": {"x": self.tensor([0] * 35)},
                            "state": state}) + "\n"
        self.run_program(program, "--calls", "-", "--save=first.safetensors", input=lines)

    def test_updates(self):
        for dtype in FLOAT, HALF, BFLOAT:
            for rule in ("descent", "momentum", "momentum-nesterov", "adam", "adam-nesterov", "add",
                         "subtract"):
                with self.subTest(dtype=dtype, rule=rule):
                    states = []
                    for target in "cpu", "sim":
                        program, told = self.compile(update_graph(dtype, rule), target,
                                                     f"--signatures={self.signatures()}")
                        requests = [{"signature": "init"}, {"signature": "step"},
                                    {"signature": "step", "want_state": True}]
                        states.append(json.loads(self.answers(program, requests).splitlines()[-1])
                                      ["state"])
                    self.assertEqual(*states)
                    self.assertIn("variable 'w' lives on the card", told)
                    moves = rule.startswith(("momentum", "adam"))
                    self.assertEqual("variable 'm' lives on the card" in told, moves)
                    # All else that is done is to take them there when they begin.
                    copies = [line for line in told.splitlines() if "copy" in line]
                    self.assertFalse([line for line in copies if "gradient" in line], told)

    def signatures(self):
        path = self.scratch / "signatures.json"
        path.write_text(json.dumps({"signatures": [
            {"name": "init", "targets": [f"{name}/init" for name in "wmv"]},
            {"name": "step", "targets": ["step"]}]}))
        return path

    def test_requests_see_and_set_them(self):
        requests = [{"signature": "main", "inputs": {"x": self.tensor([1] * 35)},
                     "state": {"w": self.start()}, "want_state": True},
                    {"signature": "train", "want_state": True,
                     "inputs": {"x": self.tensor([1] * 35)}}]
        answers = [self.answers(self.trained(target, "sgd(lr=0.1)")[0], requests)
                   for target in ("cpu", "sim")]
        self.assertEqual(*(
            [json.loads(line)["state"] for line in answer.splitlines()] for answer in answers))

    def test_resumed(self):
        program, _ = self.trained("sim")
        self.write_weights(program)
        load = "--load=first.safetensors"
        self.run_program(program, *self.TRAIN, load, "--steps=6", "--save=whole.safetensors")
        self.run_program(program, *self.TRAIN, load, "--steps=4", "--checkpoint=points")
        self.run_program(program, *self.TRAIN, "--steps=6", "--checkpoint=points", "--resume",
                         "--save=parts.safetensors")
        self.assertEqual((self.scratch / "whole.safetensors").read_bytes(),
                         (self.scratch / "parts.safetensors").read_bytes())

    def test_the_same_program_without_its_card(self):
        """Variables are the host's then, and what one run saves another one loads."""
        program, _ = self.trained("sim")
        host, _ = self.trained("cpu")
        self.write_weights(program)
        for made, flags, saved in ((host, (), "host"), (program, ("--device=cpu",), "left")):
            self.run_program(made, *self.TRAIN, "--steps=3", "--load=first.safetensors",
                             f"--save={saved}.safetensors", *flags)
        self.run_program(program, *self.TRAIN, "--steps=3", "--load=first.safetensors",
                         "--save=card.safetensors")
        values = {(self.scratch / f"{name}.safetensors").read_bytes()
                  for name in ("host", "left", "card")}
        self.assertEqual(len(values), 1)

    def test_memory_does_not_grow(self):
        program, _ = self.trained("sim")
        self.write_weights(program)
        peaks = []
        for steps in 3, 60:
            told = self.run_program(program, *self.TRAIN, "--load=first.safetensors",
                                    f"--steps={steps}", "--stats").stderr
            peaks += [line.split()[-1] for line in told.splitlines() if "gpu_0_peak" in line]
        self.assertEqual(len(peaks), 2, told)
        self.assertEqual(*peaks)

    def test_calls_at_once(self):
        program, _ = self.trained("sim")
        self.write_weights(program)
        requests = [{"signature": "train",
                     "inputs": {"x": self.tensor([i] * 35)}} for i in range(20)]
        answers = self.answers(program, requests, "--load=first.safetensors",
                               "--concurrent-calls=4")
        self.assertEqual(len(answers.splitlines()), 20)
        self.assertNotIn("error", answers)


if __name__ == "__main__":
    SLUICEC = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], "-v"])
