# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program whose feeds the tests of input files give, and the bytes of .npy files."""

import struct

from graphdef import FLOAT, INT32, dtype, graph, node, placeholder, unary
from harness import Case

GRAPH = graph(placeholder("x", FLOAT, (2, 3)), unary("y", "Neg", "x"),
              placeholder("i", INT32, (-1,)), node("j", "Neg", "i", T=dtype(INT32)),
              node("tick", "NoOp"))
SIGNATURES = {"signatures": [
    {"name": "main", "feeds": ["x"], "fetches": ["y"]},
    {"name": "whole", "feeds": ["i"], "fetches": ["j"]},
    {"name": "both", "feeds": ["x", "i"], "fetches": ["y", "j"], "targets": ["tick"]}]}
DATA = struct.pack("<6f", *range(6))


def npy(header, data=DATA, version=(1, 0), length=None, magic=b"\x93NUMPY"):
    header = header if isinstance(header, bytes) else header.encode()
    size = len(header) if length is None else length
    form = "<H" if version[0] == 1 else "<I"
    return magic + bytes(version) + struct.pack(form, size) + header + data


def described(descr="'<f4'", order="False", shape="(2, 3)"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"


class FeedProgram(Case):
    @classmethod
    def setUpClass(cls):
        """Compiles one program for all tests."""
        cls.share_program(GRAPH, signatures=SIGNATURES)

    def feed(self, content):
        path = self.write("x.npy", content)
        return [self.program, f"--input=x=@{path}", "--output=y=@out.npy"]
