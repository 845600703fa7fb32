#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every limit of the reference page can be lowered: then what was good is refused, with a message
that names the limit and the flag that allows more."""

import base64
import json
import pathlib
import re
import struct

import harness
from checkpoint import entry, index, meta_graph, saved_model, signature, tensor_info
from control_flow_test import loop
from file_bytes_test import deep
from graphdef import (FLOAT, constant, dtype, field, floats, graph, nest_of_loops, node, placeholder,
                      shape, tensor, unary)
from harness import BAD_GRAPH, INPUT_OUTPUT, USAGE, Case, add, program

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/reference/limits.md"


def names_of(section):
    text = PAGE.read_text().partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE))


def repeated(*values, sizes):
    return node("y", "Const", dtype=dtype(FLOAT),
                value=tensor(FLOAT, sizes, values=floats(*values)))


SUM = graph(placeholder(), node("y", "AddV2", "x", "x", T=dtype(FLOAT)))
IR = """module {
  flow.graph @main {
    %0 = nd.constant {value = dense<1234> : tensor<i64>} : () -> tensor<i64>
    flow.fetch %0 {name = "y:0"} : (tensor<i64>) -> ()
  }
}
"""
SIGNATURES = json.dumps({"signatures": [{"name": name, "feeds": ["x"], "fetches": ["y"]}
                                        for name in ("a", "b")]})
CLUSTER = json.dumps({"devices": [
    {"name": f"/job:a/task:{task}/device:CPU:0", "host": "localhost", "port": 7000 + task}
    for task in range(2)]})
PORTS = ["--feed=x", "--fetch=y"]
VARIABLES = graph(node("v", "VarHandleOp", dtype=dtype(FLOAT), shape=shape(1)),
                  node("y", "ReadVariableOp", "v", dtype=dtype(FLOAT)))
WEIGHTS = ["--fetch=y", "--weights=c"]
# Its saver restores by calling a function.
RESTORED = saved_model(meta_graph(
    graph(node("v", "VarHandleOp", dtype=dtype(FLOAT), shape=shape(1)),
          node("y", "ReadVariableOp", "v", dtype=dtype(FLOAT)),
          node("all", "StatefulPartitionedCall", Tin=field(1, ""), Tout=field(1, ""),
               f=field(10, field(1, "f"))),
          extra=field(2, field(1, field(1, field(1, "f")))), producer=2000),
    signature("s", {}, {"y": tensor_info("y:0", dims=[1])}), field(3, field(3, "all"))))

CALLED = graph(node("all", "StatefulPartitionedCall", Tin=field(1, ""), Tout=field(1, ""),
                    f=field(10, field(1, "f"))),
               extra=field(2, field(1, field(1, field(1, "f")))), producer=2000)

# name: value, file, flags, words of the message; more files by their names.
OF_COMPILER = {
    "file-bytes": (10, SUM, PORTS, "10 bytes"),
    "message-nesting": (1, SUM, PORTS, "1 messages inside each other but got 2"),
    "fields": (5, SUM, PORTS, "5 messages and texts but got 6"),
    "nodes": (1, SUM, PORTS, "1 nodes but got 2"),
    "name-bytes": (4, SUM, PORTS, "4 bytes in the name"),
    "attributes": (1, SUM, PORTS, "1 attributes but got 2"),
    "node-values": (1, SUM, PORTS, "1 inputs or outputs but got 2"),
    "graph-values": (3, SUM, PORTS, "3 inputs and outputs of all nodes but got 4"),
    "rank": (0, SUM, PORTS, "0 dims but got 1"),
    "constant-bytes": (7, graph(repeated(1.0, sizes=[2])), ["--fetch=y"],
                       "7 bytes in a constant but got 2 elements of float"),
    "grown-bytes": (11, graph(repeated(1.0, 2.0, sizes=[5])), ["--fetch=y"],
                    "11 bytes of repeated values in all constants but got 12"),
    "loop-nesting": (1, nest_of_loops(2, constant("x")), ["--fetch=y"],
                     "1 loops inside each other but got 2"),
    "ir-nesting": (1, IR, [], "1 brackets inside each other"),
    "ir-tokens": (10, IR, [], "10 words, numbers and signs"),
    "ir-digits": (3, IR, [], "3 characters in a number"),
    "ir-integer-bits": (32, IR, [], "32 bits in an integer"),
    "json-bytes": (10, SUM, [*PORTS, "--cluster=c.json"], "10 bytes"),
    "json-nesting": (2, SUM, [*PORTS, "--cluster=c.json"], "2 brackets inside each other"),
    "json-brackets": (3, SUM, [*PORTS, "--cluster=c.json"], "3 lists and objects"),
    "signatures": (1, SUM, ["--signatures=s.json"], "1 signatures but got 2"),
    "functions": (0, CALLED, ["--run=all"], "0 functions but got 1"),
    "devices": (1, SUM, [*PORTS, "--cluster=c.json"], "1 to 1 devices but got 2"),
    "index-bytes": (10, VARIABLES, [*WEIGHTS], "10 bytes"),
    "checkpoint-entries": (1, VARIABLES, [*WEIGHTS], "1 entries but got 2"),
    "restore-calls": (0, RESTORED, [], "0 calls of functions"),
    "local-devices": (1, SUM, [*PORTS, "--devices=2"], "number from 1 to 1 but got '2'"),
}
CODES_OF_COMPILER = {"local-devices": USAGE, "signatures": USAGE}

HEADER = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }".ljust(117) + b"\n"
TENSOR = {"dtype": "float32", "shape": [2], "b64": base64.b64encode(bytes(8)).decode()}
VARIABLE = b'{"v": {"dtype": "F32", "shape": [], "data_offsets": [0, 4]}}'
FILES = {"x.npy": b"\x93NUMPY\1\0" + struct.pack("<H", len(HEADER)) + HEADER + bytes(8),
         "x.json": json.dumps(TENSOR),
         "requests": json.dumps({"inputs": {"x": TENSOR}}) + "\n",
         "v.safetensors": struct.pack("<Q", len(VARIABLE)) + VARIABLE + struct.pack("<f", 5)}
LITERAL = "--input=x=2xf32=1,2"

# name: value, flags, words of the message.
OF_EXECUTABLES = {
    "iterations": (2, [LITERAL], "more than 2 iterations"),
    "tensor-file-bytes": (10, ["--input=x=@x.npy"], "'x.npy' is longer than the limit of 10 bytes"),
    "json-file-bytes": (10, ["--input=x=@x.json"], "'x.json' is longer than the limit of 10 bytes"),
    "request-bytes": (10, ["--calls=requests"], "lines of at most 10 bytes"),
    "json-depth": (1, ["--input=x=@x.json"], "nested deeper than 1 levels"),
    "json-values": (3, ["--input=x=@x.json"], "more than 3 values"),
    "variables-file-bytes": (10, [LITERAL, "--load=v.safetensors"],
                             "'v.safetensors' is longer than the limit of 10 bytes"),
    "variables-header-bytes": (10, [LITERAL, "--load=v.safetensors"], "the limit of 10"),
}
CODES_OF_EXECUTABLES = {name: INPUT_OUTPUT for name in OF_EXECUTABLES if name.endswith("file-bytes")
                        } | {"request-bytes": INPUT_OUTPUT}
# Unit tests of the runtime have hostile ranks, a device that never ends, and functions that call
# themselves. `inline-operations` and `packed-bytes` refuse nothing: they say who computes, and what
# is kept.
OF_UNIT_TESTS = {"early-tokens", "early-bytes", "strangers", "kernel-seconds", "declaration-bytes",
                 "call-depth", "inline-operations", "packed-bytes"}


class Compiler(Case):
    def test_every_limit_of_the_compiler_is_here(self):
        self.assertEqual(OF_COMPILER.keys(), names_of("The compiler's"))

    def test_item_073_as_many_loops_as_may_be_allowed(self):
        path = self.write("g.pb", nest_of_loops(1000, constant("x")))
        self.accepted([program("sluicec"), path, "--fetch=y", "--limit=loop-nesting=1000", "-o",
                       str(self.folder / "nest")])
        self.assertIn(b"= 1", self.accepted([str(self.folder / "nest")]).out)

    def test_item_007_as_many_messages_as_may_be_allowed(self):
        for name, content, words in (("g.pb", deep(995), "expected"),
                                     ("g.pbtxt", "library " + "{a" * 999, "is no GraphDef")):
            path = self.write(name, content)
            outcome = self.refused(BAD_GRAPH, [program("sluicec"), path, "--fetch=y",
                                               "--limit=message-nesting=1000", "-o", "out"], words)
            self.assertNotIn("messages inside each other", outcome.err)


def compiler_case(name, value, content, flags, words):
    def body(self):
        path = self.write("g.mlir" if isinstance(content, str) else "g.pb", content)
        self.write("s.json", SIGNATURES)
        self.write("c.json", CLUSTER)
        for prefix in ("c", "variables/variables"):
            self.write(f"{prefix}.index", index((b"v", entry(bytes(4), dims=[1]))))
            self.write(f"{prefix}.data-00000-of-00001", bytes(4))
        command = [program("sluicec"), path, *flags, "--stop-after=import"]
        self.accepted(command)
        self.refused(CODES_OF_COMPILER.get(name, BAD_GRAPH), [*command, f"--limit={name}={value}"],
                     words, f"--limit {name}=N allows more")
    return body


class Executable(Case):
    @classmethod
    def setUpClass(cls):
        variable = node("v", "VariableV2", dtype=dtype(FLOAT), shape=shape())
        cls.share_program(loop(unary("out", "Identity", "exit"), placeholder(), variable,
                               node("set", "Assign", "v", "zero", T=dtype(FLOAT)),
                               unary("y", "Neg", "x")),
                          "--feed=x", "--fetch=y", "--fetch=out", "--run=set", "--no-collapse")

    def test_every_limit_of_executables_is_here(self):
        self.assertEqual(OF_EXECUTABLES.keys() | OF_UNIT_TESTS, names_of("Those of executables"))


def executable_case(name, value, flags, words):
    def body(self):
        for file, content in FILES.items():
            self.write(file, content)
        self.accepted([self.program, *flags])
        self.refused(CODES_OF_EXECUTABLES.get(name, BAD_GRAPH),
                     [self.program, *flags, f"--limit={name}={value}"], words, f"--limit {name}")
    return body


for name, row in OF_EXECUTABLES.items():
    add(Executable, 8, f"limit {name}", executable_case(name, *row))
for name, row in OF_COMPILER.items():
    add(Compiler, 8, f"limit {name}", compiler_case(name, *row))

if __name__ == "__main__":
    harness.main()
