#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of a simulated card whose bias, ReLU and GELU a library does as well, a fake that computes: how many
kernels are left, and values; without the library, and where it refuses, all that is done by kernels.

Usage: card_epilogues_test.py SLUICEC
"""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import card_library_test  # noqa: E402
from card_library_test import BFLOAT16, DOUBLE, FLOAT, HALF, LIBRARY, TOLERANCES  # noqa: E402
from card_loops_test import Graph, dims  # noqa: E402


def number(g, name, value, kind):
    """In f32, as files with small floats would have more than one way to write it down."""
    single = g.node(name, "Const", [], dtype=FLOAT, value="tensor { dtype: DT_FLOAT tensor_shape {} float_val: %r }" % value)
    return single if kind == FLOAT else g.node(f"{name}/cast", "Cast", [single], SrcT=FLOAT, DstT=kind)


def gelu(g, x, kind, cubic=0.044715, factored=False, erf=False):
    """By a hyperbolic tangent, of x + cubic * x^3 or of x * (1 + cubic * x^2); or by the error function."""
    def of(name, value):
        return number(g, f"gelu/{name}", value, kind)

    def op(name, what, *inputs):
        return g.node(f"gelu/{name}", what, list(inputs), T=kind)
    half = op("half", "Mul", of("0.5", 0.5), x)
    if erf:
        part = op("erf", "Erf", op("scaled", "Mul", x, of("root", 0.7071067811865476)))
    elif factored:
        square = op("square", "Mul", x, x)
        inside = op("inside", "AddV2", of("1/also", 1.0), op("cubic", "Mul", square, of("k", cubic)))
        part = op("tanh", "Tanh", op("product", "Mul", op("scaled", "Mul", x, of("root", 0.7978845608)), inside))
    else:
        cube = op("cube", "Pow", x, of("3", 3.0))
        inside = op("inside", "AddV2", x, op("cubic", "Mul", of("k", cubic), cube))
        part = op("tanh", "Tanh", op("product", "Mul", of("root", 0.7978845608), inside))
    return op("result", "Mul", half, op("sum", "AddV2", of("1", 1.0), part))


def layer(m, k, n, relu=False, kind=FLOAT, bias=None, known=True, also=None, then=None):
    """x w + b, or what is not below 0 of that, as a result; `also` is another result, of the layer before;
    `then` are the choices of a GELU behind it."""
    fed = kind if kind in (FLOAT, DOUBLE) else FLOAT
    g = Graph()
    feeds = {"x": (m, k), "w": (k, n), "b": (n,) if bias is None else bias}
    for name, shape in feeds.items():
        g.placeholder(name, fed, dims(*(shape if known else [-1] * len(shape))))
    of = {name: name if kind == fed else g.node(f"{name}/cast", "Cast", [name], SrcT=fed, DstT=kind) for name in feeds}
    product = g.node("product", "MatMul", [of["x"], of["w"]], T=kind, transpose_a="b: false", transpose_b="b: false")
    result = g.node("sum", "BiasAdd" if bias is None else "AddV2", [product, of["b"]], T=kind)
    if relu:
        result = g.node("relu", "Relu", [result], T=kind)
    if then is not None:
        result = gelu(g, result, kind, **then)
    if kind == fed:
        g.node("result", "Identity", [result], T=fed)
    else:  # so that another codelet widens it
        again = g.node("again", "MatMul", [result, of["w"]], T=kind, transpose_a="b: false", transpose_b="b: true")
        g.node("result", "Cast", [again], SrcT=kind, DstT=fed)
    if also:
        g.node("also", "Identity", [also], T=fed)
    return g.text(), {name: "x".join(map(str, shape)) for name, shape in feeds.items()}


class CardEpilogues(card_library_test.CardLibrary):
    def make(self, *sizes, fetches=("result",), **kind):
        text, shapes = layer(*sizes, **kind)
        self.compile(text, shapes, *(f"--fetch={name}" for name in fetches), fetches=fetches)
        self.feeds = {name: "rand" if kind.get("known", True) else f"@{self.drawn(name, shape + 'xf32')}"
                      for name, shape in shapes.items()}

    def ran(self, env=(), *flags):
        """Results, and how many products of the library and kernels there were."""
        trace = self.path / "trace"
        trace.unlink(missing_ok=True)
        results, _ = self.run_one(self.feeds, {**dict(env), "SLUICE_SIM_TRACE": str(trace)}, *flags)
        lines = trace.read_text().splitlines() if trace.exists() else []
        return results, (sum("cuBLASLt" in line for line in lines), sum("sluice_codelet" in line for line in lines))

    def check_all(self, products, kernels, tolerance=TOLERANCES[FLOAT], env=()):
        """With the library, so many of each; without, the bits of the host."""
        host, _ = self.ran((), "--device=cpu")
        for seed in (1, 2, 3):
            got, counts = self.ran({**LIBRARY, **dict(env), "SLUICE_SIM_SEED": str(seed)})
            self.assertEqual(counts, (products, kernels))
            for expected, values in zip(host, got):
                for x, y in zip(expected, values, strict=True):
                    self.assertAlmostEqual(x, y, delta=tolerance * (1 + abs(x)))
        self.assertEqual(self.ran((), "--card-library=never")[0], host)

    def test_bias_and_relu_are_the_library_s(self):
        for relu in (False, True):
            with self.subTest(relu=relu):
                self.make(9, 70, 12, relu=relu)
                self.check_all(1, 0)

    def test_gelu_is_the_library_s(self):
        for then in ({}, {"factored": True}):
            with self.subTest(then):
                self.make(9, 70, 12, then=then)
                self.check_all(1, 0)
        for then in ({"erf": True}, {"cubic": 0.0447}):  # which it does not have
            with self.subTest(then):
                self.make(9, 70, 12, then=then)
                self.check_all(1, 1)
        self.make(9, 70, 12, then={}, also="sum", fetches=("result", "also"))
        self.check_all(1, 1)

    def test_layers_of_one_size_have_a_bias_each(self):
        g = Graph()
        shapes = {"x": (9, 12), "v": (12, 12), "w": (12, 12), "b": (12,), "c": (12,)}
        for name, shape in shapes.items():
            g.placeholder(name, FLOAT, dims(*shape))
        value = "x"
        for i, (factor, bias) in enumerate((("v", "b"), ("w", "c"), ("v", "c"))):
            value = g.node(f"product{i}", "MatMul", [value, factor], T=FLOAT, transpose_a="b: false",
                           transpose_b="b: false")
            value = g.node(f"sum{i}", "BiasAdd", [value, bias], T=FLOAT)
            value = g.node(f"relu{i}", "Relu", [value], T=FLOAT)
        g.node("result", "Identity", [value], T=FLOAT)
        self.compile(g.text(), shapes, "--fetch=result")
        self.feeds = dict.fromkeys(shapes, "rand")
        self.check_all(3, 0)

    def test_small_floats(self):
        for kind in (HALF, BFLOAT16):
            with self.subTest(kind=kind):
                self.make(6, 40, 8, relu=True, kind=kind)
                _, (products, _) = self.ran(LIBRARY)
                self.assertEqual(products, 2)
                host, _ = self.ran((), "--device=cpu")
                for x, y in zip(host[0], self.ran(LIBRARY)[0][0], strict=True):
                    self.assertAlmostEqual(x, y, delta=4 * TOLERANCES[kind] * (1 + abs(x)))

    def test_gelu_of_small_floats(self):
        for kind in (HALF, BFLOAT16):
            with self.subTest(kind=kind):
                self.make(6, 40, 8, then={}, kind=kind)
                _, (products, _) = self.ran(LIBRARY)
                self.assertEqual(products, 2)
                host, _ = self.ran((), "--device=cpu")
                for x, y in zip(host[0], self.ran(LIBRARY)[0][0], strict=True):
                    self.assertAlmostEqual(x, y, delta=8 * TOLERANCES[kind] * (1 + abs(x)))

    def test_what_is_no_epilogue(self):
        self.make(9, 30, 12, bias=(9, 12))
        self.check_all(1, 1)
        self.make(9, 30, 12, bias=(9, 1))
        self.check_all(1, 1)
        self.make(9, 30, 12, known=False)  # the bias may as well be a single number
        self.check_all(1, 1)
        self.make(1, 30, 12, bias=(1, 12))  # in whose memory the result may be
        self.check_all(1, 1)
        self.make(9, 30, 12, kind=DOUBLE)
        self.check_all(1, 1, TOLERANCES[DOUBLE])
        self.make(9, 30, 12, relu=True, also="product", fetches=("result", "also"))
        self.check_all(1, 1)
        self.make(9, 30, 12, relu=True, also="sum", fetches=("result", "also"))
        self.check_all(1, 1)

    def test_where_the_library_refuses_it_a_kernel_does_it(self):
        self.make(9, 70, 12, relu=True)
        for refusal in ("cublasLtMatmulAlgoGetHeuristic:1=15", "cublasLtMatmulDescSetAttribute:3=15",
                        "cublasLtMatmul:1=15"):
            with self.subTest(refusal):
                self.check_all(1, 1, env={"SLUICE_SIM_FAIL": refusal})


def load_tests(loader, _, __):
    names = [name for name in vars(CardEpilogues) if name.startswith("test_")]
    return unittest.TestSuite(CardEpilogues(name) for name in names)


if __name__ == "__main__":
    card_library_test.SLUICEC = sys.argv.pop(1)
    unittest.main()
