#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""IR files: text that no parser survives unless it is counted first, and damaged bytecode."""

import random
import struct

import harness
from graphdef import graph, placeholder, unary
from harness import BAD_GRAPH, INPUT_OUTPUT, USAGE, Case, add, program

DEEP = 100_000
GOOD = """module {
  flow.graph @main {
    %0 = flow.feed {name = "x:0"} : () -> tensor<2xf32>
    %1 = nd.neg %0 : (tensor<2xf32>) -> tensor<2xf32>
    flow.fetch %1 {name = "y:0"} : (tensor<2xf32>) -> ()
  }
}
"""
CLAIM = """module {
  flow.graph @main {
    %0 = flow.feed {name = "x:0"} : () -> tensor<3xf32>
    %s = flow.feed {name = "s:0"} : () -> tensor<2xi32>
    %r = nd.reshape %0, %s : (tensor<3xf32>, tensor<2xi32>) -> tensor<1000x1000xf32>
    %t = nd.tanh %r : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
    %u = nd.abs %t : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
    flow.fetch %u {name = "y:0"} : (tensor<1000x1000xf32>) -> ()
  }
}
"""
# The same within a region, whose ops no pass of the phase optimize looks at.
CLAIM_IN_BRANCH = """module {
  flow.graph @main {
    %0 = flow.feed {name = "x:0"} : () -> tensor<3xf32>
    %s = flow.feed {name = "s:0"} : () -> tensor<2xi32>
    %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    %m = nd.reduce_sum %0, %a {keep_dims = false} : (tensor<3xf32>, tensor<1xi32>) -> tensor<f32>
    %a = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
    %p = nd.greater %m, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y = flow.cond %p (%0, %s) : (tensor<i1>, tensor<3xf32>, tensor<2xi32>) -> tensor<1000x1000xf32> on_true {
    ^bb0(%x: tensor<3xf32>, %d: tensor<2xi32>):
      %r = nd.reshape %x, %d : (tensor<3xf32>, tensor<2xi32>) -> tensor<1000x1000xf32>
      %t = nd.tanh %r : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
      %u = nd.abs %t : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
      flow.yield %u : (tensor<1000x1000xf32>) -> ()
    } on_false {
    ^bb0(%x: tensor<3xf32>, %d: tensor<2xi32>):
      %r = nd.reshape %x, %d : (tensor<3xf32>, tensor<2xi32>) -> tensor<1000x1000xf32>
      flow.yield %r : (tensor<1000x1000xf32>) -> ()
    }
    flow.fetch %y {name = "y:0"} : (tensor<1000x1000xf32>) -> ()
  }
}
"""
CODELET = """module {
  flow.graph @main {
    %x = flow.feed {name = "x:0"} : () -> tensor<16xf32>
    %y = flow.codelet (%x) {codegen.symbol = "sluice_codelet_0123456789abcdef"} : (tensor<16xf32>) -> tensor<16xf32> {
    ^bb0(%a: tensor<16xf32>):
      %b = nd.neg %a : (tensor<16xf32>) -> tensor<16xf32>
      flow.yield %b : (tensor<16xf32>) -> ()
    }
    flow.fetch %y {name = "y:0"} : (tensor<16xf32>) -> ()
  }
}
"""
BESIDE, DEEPER, WORDS = "brackets inside each other", "at most 256", "words, numbers and signs"


def attribute(value):
    return f"module attributes {{a.b = {value}}} {{\n}}\n"


def nested(open_, close, inside="1", depth=DEEP):
    return open_ * depth + inside + close * depth


def chain(sign, first, link, count=DEEP):
    """Aliases, each of which names the one before."""
    lines = [f"{sign}a0 = {first}"]
    lines += [f"{sign}a{i} = " + link.replace("@", f"{sign}a{i - 1}") for i in range(1, count)]
    return "\n".join(lines) + f"\nmodule attributes {{a.b = {sign}a{count - 1}}} {{\n}}\n"


def forward_use(count):
    """A value is used, and defined later by a region in which an error follows."""
    def listed(template):
        return ", ".join(template.format(i) for i in range(count))

    arguments = "^bb0(" + listed("%a{}: tensor<?x3xf32>") + "):\n"
    return ("%t = flow.after %a0 : (tensor<?x3xf32>) -> !flow.token\n"
            f"%r:{count} = flow.while(" + listed("%x{}") + ") () {frame = \"loop\", "
            "parallel_iterations = 10 : i64} : (" + listed("tensor<?x3xf32>") + ") -> ("
            + listed("tensor<?x3xf32>") + ") before {\n" + arguments
            + "  %c = nd.less %a0, %a0 : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xi1>\n"
            "} body {\n" + arguments)


class Ir(Case):
    def both(self, content, *says, name="g.mlir"):
        """The driver and the tool that runs passes refuse a file in the same way."""
        path = self.write(name, content)
        self.refused(BAD_GRAPH, [program("sluicec"), path, "-o", "out"], name, *says)
        self.refused(BAD_GRAPH, [program("sluice-opt"), path, "-o", "out"], name, *says)

    def bytecode(self):
        """A good file in the container, and the module within as text."""
        path = self.write("g.pb", graph(placeholder("x"), unary("y", "Neg", "x")))
        command = [program("sluicec"), path, "--feed=x", "--fetch=y", "--stop-after=import"]
        self.accepted([*command, "--emit=mlirbc", "-o", "g.mlirbc"])
        return (self.folder / "g.mlirbc").read_bytes()

    def test_good_files_are_accepted(self):
        content = self.bytecode()
        self.assertEqual(content[:8], b"SLUICEIR")
        for name, text in (("good.mlirbc", content), ("bytes.mlir", content), ("good.mlir", GOOD)):
            path = self.write(name, text)
            outcome = self.accepted([program("sluicec"), path, "--interpret", "--input=x=2xf32=1,2"])
            self.assertIn(b"-1, -2", outcome.out)
            outcome = self.accepted([program("sluice-opt"), path, "--emit-bytecode"])
            self.assertEqual(outcome.out[:8], b"SLUICEIR")
            with open(path, "rb") as stdin:
                outcome = self.accepted([program("sluice-opt")], stdin=stdin)
            self.assertIn(b"nd.neg", outcome.out)

    def test_item_020_every_flipped_bit(self):
        """item 20: all bits of the header, and a sample of the others"""
        content = self.bytecode()
        header = range(56 * 8)
        others = random.Random(1).sample(range(56 * 8, len(content) * 8), 20)
        for bit in [*random.Random(2).sample(header, 30), *others]:
            damaged = bytearray(content)
            damaged[bit // 8] ^= 1 << bit % 8
            path = self.write("bad.mlirbc", bytes(damaged))
            self.refused(BAD_GRAPH, [program("sluicec"), path, "-o", "out"], "bad.mlirbc")

    def test_item_020_truncated_bytecode(self):
        content = self.bytecode()
        for length in (8, 20, 55, 56, 57, len(content) - 1):
            self.both(content[:length], name="bad.mlirbc")
        self.both(content + b"\0", "bytes of bytecode but got", name="bad.mlirbc")

    def test_item_020_bare_bytecode(self):
        """item 20: what MLIR itself writes has no checksum"""
        self.both(self.bytecode()[56:], "container with a checksum", "--emit=mlirbc",
                  name="bare.mlirbc")

    def test_item_020_other_versions(self):
        content = bytearray(self.bytecode())
        content[8:12] = struct.pack("<I", 2)
        self.both(bytes(content), "version 1 of the container but got 2", name="new.mlirbc")

    def test_item_020_limits_can_be_set(self):
        path = self.write("g.mlir", attribute(nested("[", "]", depth=20)))
        self.accepted([program("sluice-opt"), path])
        self.refused(BAD_GRAPH, [program("sluice-opt"), path, "--limit=ir-nesting=10", "-o", "out"],
                     "g.mlir:1:", "at most 10 brackets inside each other", "--limit ir-nesting=N")
        self.refused(BAD_GRAPH, [program("sluicec"), path, "--limit=ir-nesting=10", "-o", "out"],
                     "g.mlir:1:", "at most 10 brackets")

    def test_item_020_the_greatest_nesting_is_survived(self):
        """item 20: the limit keeps what it promises"""
        for content in (attribute(nested("[", "]", depth=490)),
                        attribute(nested("tuple<", ">", "i1", depth=490)),
                        attribute("affine_map<(d0) -> (" + "-" * 480 + "d0)>"),
                        "module {\n" * 490 + "}\n" * 490):
            path = self.write("g.mlir", content)
            outcome = harness.run([program("sluice-opt"), path, "--limit=ir-nesting=500", "-o",
                                   "new"], self.folder)
            self.assertIn(outcome.code, (0, BAD_GRAPH), outcome.err[:300])

    def test_item_020_foreign_dialects(self):
        path = self.write("g.mlir", "llvm.func @main() {\n  llvm.return\n}\n")
        self.refused(BAD_GRAPH, [program("sluicec"), path, "-o", "out"], "g.mlir:1:",
                     "expected ops of flow", "'llvm.func'")

    def test_item_046_overflow_in_types(self):
        """item 46: the parser takes them"""
        for dims in ("4294967296x4294967296", "x".join(["2"] * 64), "x".join(["1"] * 255)):
            path = self.write("g.mlir", GOOD.replace("tensor<2x", f"tensor<{dims}x"))
            self.refused(BAD_GRAPH, [program("sluicec"), path, "-o", "out"], "g.mlir:", "dims")

    def test_item_017_no_file(self):
        self.refused(INPUT_OUTPUT, [program("sluice-opt"), "missing.mlir", "-o", "out"],
                     "missing.mlir", "No such file")
        self.refused(INPUT_OUTPUT, [program("sluice-opt"), "/dev/zero", "-o", "out"], "a device")
        with open("/dev/zero", "rb") as endless:
            self.refused(BAD_GRAPH, [program("sluice-opt"), "--limit=file-bytes=1000000"],
                         "at most 1000000 bytes", stdin=endless)
        self.refused(USAGE, [program("sluice-opt"), "--limit=colour=1", "-o", "out"], "ir-nesting")


    def test_item_020_errors_after_which_the_parser_crashes(self):
        """item 20: the value of a region is gone, but a use of it before the region is not"""
        for count in range(1, 7):
            self.both(forward_use(count), "g.mlir:")
            self.both("module {\nflow.graph @main {\n" + forward_use(count), "g.mlir:")

    def test_item_019_ir_of_others(self):
        """item 19: names whose it is; names of nodes prove nothing"""
        operand = "func.func public @main(%x: tensor<f32>) -> tensor<f32> {\n"
        for text, says in (
                (f"module @jit_f {{\n  {operand}    %0 = stablehlo.abs %x : tensor<f32>\n", "StableHLO"),
                ('"builtin.module"() ({\n  %0 = "stablehlo.abs"(%x) : (tensor<f32>) -> tensor<f32>\n',
                 "StableHLO"),
                (b"ML\xefR\rStableHLO_v1.15.0\0", "StableHLO"),
                ("module {\n  tf_executor.graph {\n  }\n}\n", "TensorFlow's own IR")):
            self.both(text, "g.mlir: error: is no IR of Sluice", says, "docs/how-to/get-a-graph.md")
        named = GOOD.replace("x:0", "tf.x:0").replace("y:0", "stablehlo.y:0")
        self.accepted([program("sluice-opt"), self.write("g.mlir", named)])

    def test_item_020_later_phases(self):
        """item 20: IR that refers to code, ranks and tables which are not in the file"""
        path = self.write("g.pb", graph(placeholder("x"), unary("t", "Tanh", "x"),
                                        unary("y", "Neg", "t")))
        for phase, flags in (("partition", ["--devices=2"]), ("codegen", []), ("emit", []),
                             ("emit", ["--devices=2"])):
            self.accepted([program("sluicec"), path, "--feed=x", "--fetch=y", *flags,
                           f"--stop-after={phase}", "-o", "later.mlir"])
            self.assertIn(b"module", (self.folder / "later.mlir").read_bytes()[:100])
            self.refused(BAD_GRAPH, [program("sluicec"), "later.mlir", "-o", "out"], "up to 'place'",
                         f"got IR of '{phase}'")
        self.refused(BAD_GRAPH, [program("sluicec"), self.write("g.mlir", CODELET), "-o", "out"],
                     "g.mlir:4:", "got IR of 'codegen'")
        self.refused(BAD_GRAPH, [program("sluicec"), self.write("g.mlir", "module {\n}\n"), "-o",
                                 "out"], "g.mlir:1:", "expected a flow.graph")

    def test_item_063_types_that_operands_deny(self):
        """item 63: are refused, and what is fed is never measured by a type that only claims"""
        long = GOOD.replace("<2x", "<2000x")
        axis = "    %c = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>\n"
        join = ("nd.concat %0, %0, %c : (tensor<2000xf32>, tensor<2000xf32>, tensor<i32>) -> "
                "tensor<2xf32>")
        neg = "nd.neg %0 : (tensor<2000xf32>) -> tensor<2000xf32>"
        for wrong in (axis + "    %1 = " + join, "    %1 = " + neg.replace("-> tensor<2000", "-> tensor<2")):
            text = long.replace("    %1 = " + neg, wrong).replace("%1 {name = \"y:0\"} : (tensor<2000",
                                                                 "%1 {name = \"y:0\"} : (tensor<2")
            self.both(text, "g.mlir:", "which follows from the operands, but got 'tensor<2xf32>'")

    def run_with_dims(self, text, *flags):
        """Compiles the text and runs it with three numbers and the dims 3, 1."""
        path = self.write("g.mlir", text)
        self.accepted([program("sluicec"), path, *flags, "-o", "program"])
        return [str(self.folder / "program"), "--input=x=3xf32=0,1,2", "--input=s=2xi32=3,1"]

    def test_item_063_types_that_only_claim(self):
        for flags in ([], ["--O0"], ["--no-infer-shapes"], ["--no-codelets"]):
            for text in (CLAIM, CLAIM_IN_BRANCH):
                outcome = self.accepted(self.run_with_dims(text, *flags))
                self.assertIn(b"y:0 f32[3,1] =\n[[0],\n", outcome.out)

    def test_item_063_what_surely_fails_is_an_error_when_it_runs(self):
        text = CLAIM.replace("nd.reshape %0, %s : (tensor<3xf32>, tensor<2xi32>)",
                             "nd.add %0, %c : (tensor<3xf32>, tensor<2xf32>)").replace(
            "    %r =", "    %c = nd.constant {value = dense<1.0> : tensor<2xf32>} : () -> "
            "tensor<2xf32>\n    %r =")
        for flags in ([], ["--O0"], ["--no-codelets"]):
            command = self.run_with_dims(text, *flags)
            self.refused(BAD_GRAPH, command, "INVALID_ARGUMENT", "Incompatible shapes: [3] vs. [2]")


for title, content, *says in [
    ("attributes", attribute(nested("[", "]")), "g.mlir:1:", BESIDE, DEEPER),
    ("dictionaries", attribute(nested("{a = ", "}")), BESIDE),
    ("types", attribute(nested("tuple<", ">", "i1")), BESIDE),
    ("types of functions", attribute(nested("(", ") -> i1", "i1")), BESIDE),
    ("regions", nested("module {\n", "}\n", ""), "g.mlir:257:", BESIDE),
    ("locations", "module {\n} loc(" + nested("callsite(", ' at "b")', '"a"') + ")\n", BESIDE),
    ("names of locations", "module {\n} loc(" + nested('"a"(', ")", '"b"') + ")\n", BESIDE),
    ("elements", attribute("dense<" + nested("[", "]") + "> : tensor<1xi32>"), BESIDE),
    ("affine brackets", attribute("affine_map<(d0) -> (" + nested("(", ")", "d0") + ")>"), BESIDE),
    ("affine signs", attribute("affine_map<(d0) -> (" + "-" * DEEP + "d0)>"), "operators"),
    ("affine sums", attribute("affine_map<(d0) -> (" + "d0 + " * DEEP + "d0)>"), "operators"),
    ("affine remainders", attribute("affine_map<(d0) -> (" + "d0 mod " * DEEP + "d0)>"),
     "operators"),
    ("open brackets of all kinds", "module " + "([{<" * DEEP, BESIDE),
    ("brackets in another dialect", attribute("#foo" + "<" * DEEP), BESIDE),
    ("aliases of attributes", chain("#", "1", "[@]"), "g.mlir:258:", BESIDE),
    ("aliases of types", chain("!", "i1", "tuple<@>"), BESIDE),
    ("aliases on two lines", chain("#", "1", "\n [@\n]"), BESIDE),
    ("aliases behind comments", chain("#", "1", "// no\n [@]").replace("0 =", "0 // yes\n ="), BESIDE),
    ("aliases that double", chain("#", "1", "[@, @]", 100), "g.mlir:", WORDS),
    ("types that double", chain("!", "i1", "tuple<@, @>", 100), WORDS),
    ("long integer", attribute("1" * 1_000_000 + " : i64"), "characters in a number"),
    ("long hexadecimal integer", attribute("0x" + "f" * 1_000_000 + " : i64"), "characters in"),
    ("long fraction", attribute("0." + "1" * 1_000_000 + " : f32"), "characters in a number"),
    ("wide integers", attribute("dense<1> : tensor<9xi16777215>"), "bits in an integer", "16777215"),
    ("wider integers", attribute("1 : i" + "9" * 5000), "bits in an integer"),
    ("wide signed integers", attribute("1 : si16777215"), "bits in an integer"),
]:
    add(Ir, 20, title, lambda self, content=content, says=says: self.both(content, *says))

for title, content in [
    ("nothing of ours", "qwerty"), ("half a module", GOOD[:70]), ("NUL", "module {\0}\n"),
    ("no text", bytes(range(128, 256)) * 10), ("open string", 'module attributes {a.b = "c\n}\n'),
    ("GraphDef", graph(placeholder("x"), unary("y", "Neg", "x"))),
    ("unknown op", "module {\n  flow.froznicate\n}\n"),
    ("unknown dialect", "module {\n  foo.bar\n}\n"),
    ("undefined alias", attribute("#nix")), ("alias of itself", "#a = [#a]\n" + attribute("#a")),
    ("undefined value", GOOD.replace("neg %0", "neg %7")),
    ("other type", GOOD.replace("neg %0 : (tensor<2", "neg %0 : (tensor<3")),
    ("dims beyond int64", GOOD.replace("<2x", "<99999999999999999999x")),
    ("negative dim", GOOD.replace("<2x", "<-2x")),
]:
    add(Ir, 20, title, lambda self, content=content: self.both(content))

if __name__ == "__main__":
    harness.main()
