#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that hold no graph, and things that are no file."""

import gzip
import io
import os
import random
import zipfile

import harness
from graphdef import constant, field, graph, placeholder, unary, varint
from harness import BAD_GRAPH, INPUT_OUTPUT, Case, add_graph_cases, program

SMALL = graph(placeholder("x"), constant("c"), unary("n", "Neg", "x"), unary("y", "Abs", "n"))
NODE = field(1, unary("y", "Neg", "x"))


def zipped():
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        archive.writestr("graph.pb", SMALL)
    return memory.getvalue()


def deep(levels):
    """A tensor of variants of tensors, an odd number of levels, in an attribute."""
    content = bytearray()  # from the inside, so backwards
    for level in range(levels):
        prefix = b"\x7a" if level % 2 == 0 else b"\x1a"
        content += (prefix + varint(len(content)))[::-1]
    inside = bytes(content[::-1])
    return field(1, field(5, field(1, "T") + field(2, field(8, inside))))


class FileBytes(Case):
    def test_item_002_one_byte(self):
        """item 2: a sample here; the unit tests of the importer try all 256"""
        for byte in (0x00, 0x0a, 0x20, 0x7f, 0xff):
            path = self.write("g.pb", bytes([byte]))
            self.refused(BAD_GRAPH, [program("sluicec"), path, "--fetch=y", "-o", "out"], "g.pb")

    def test_item_003_random_bytes(self):
        """item 3: random 4 kB"""
        for seed in range(8):
            content = random.Random(seed).randbytes(4096)
            path = self.write("g.pb", content)
            self.refused(BAD_GRAPH, [program("sluicec"), path, "--fetch=y", "-o", "out"], "g.pb")

    def test_item_004_truncated(self):
        """item 4: truncated; where a node ends, what is left is a smaller graph without 'y'"""
        ends = [0]
        while ends[-1] < len(SMALL):
            at = ends[-1]
            ends.append(at + 2 + SMALL[at + 1])  # lengths below 128
        self.assertEqual(ends[-1], len(SMALL))
        for length in range(0, len(SMALL) - 4, 3):
            path = self.write("g.pb", SMALL[:length])
            command = [program("sluice-translate"), "--import-graphdef", path, "--fetch=y",
                       "-o", "out"]
            whole = length in ends[1:]
            self.refused(harness.USAGE if whole else BAD_GRAPH, command, "g.pb")

    def test_item_004_truncated_text(self):
        """item 4: the same for the text form"""
        text = ('node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }'
                '\nnode { name: "y" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }')
        for length in range(0, len(text) - 1, 9):
            path = self.write("g.pbtxt", text[:length])
            outcome = harness.run([program("sluicec"), path, "--fetch=y", "-o", "out"], self.folder)
            self.assertIn(outcome.code, (BAD_GRAPH, harness.USAGE), text[:length] + outcome.err)
            self.assertIn("g.pbtxt", outcome.err)

    def test_item_005_the_content_decides(self):
        """item 5: text as .pb and bytes as .pbtxt are what they are"""
        text = 'node { name: "y" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { ' \
               'key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { } } } } }'
        for name, content in (("g.pb", text), ("g.pbtxt", graph(constant("y")))):
            path = self.write(name, content)
            self.accepted([program("sluicec"), path, "--fetch=y", "--stop-after=import"])

    def test_item_008_sparse_file(self):
        """item 8: beyond what may be read at all, and beyond a limit that was asked for"""
        path = self.write("g.pb", b"")
        for name in ("g.pb", "g.mlir"):
            with open(self.folder / name, "wb") as file:
                file.truncate(2**31)
            outcome = harness.run([program("sluicec"), name, "--fetch=y", "-o", "new"], self.folder)
            os.truncate(self.folder / name, 0)
            self.assertEqual(outcome.code, BAD_GRAPH, outcome.err)
            self.assertIn(f"{name}: error: expected at most 2147483647 bytes", outcome.err)
        path = self.write("g.pb", SMALL)
        self.refused(BAD_GRAPH, [program("sluicec"), path, "--fetch=y", "-o", "out",
                                 "--limit=file-bytes=100"],
                     "at most 100 bytes", f"got {len(SMALL)}", "--limit file-bytes=N allows more")

    def test_item_014_unknown_fields(self):
        """item 14: a warning, because a newer producer may write more"""
        more = field(99, 1) + field(98, b"more")
        for name, content, *flags in (
                ("g.pb", SMALL + more, "--feed=x", "--fetch=y"),
                ("g.pbtxt", 'node { name: "y" op: "NoOp" colour: "red" }', "--run=y")):
            path = self.write(name, content)
            outcome = self.accepted([program("sluicec"), path, *flags, "--stop-after=import"])
            self.assertIn("warning: ", outcome.err)

    def test_item_018_file_becomes_shorter(self):
        """item 18: files of the kernel have fewer bytes than they say"""
        path = "/sys/kernel/mm/transparent_hugepage/enabled"
        if not os.path.isfile(path) or os.path.getsize(path) == 0:
            self.skipTest("no such file")
        self.refused(INPUT_OUTPUT, [program("sluicec"), path, "--fetch=y", "-o", "out"],
                     "became shorter while it was read")

    def no_file(self, path, *says):
        for command in ([program("sluicec"), path, "--fetch=y", "-o", "out"],
                        [program("sluice-translate"), "--import-graphdef", path, "--fetch=y"]):
            self.refused(INPUT_OUTPUT, command, os.path.basename(path), *says)

    def test_item_017_folder(self):
        os.mkdir(self.folder / "g.pb")
        self.no_file(str(self.folder / "g.pb"), "got a directory")

    def test_item_017_pipe(self):
        for name in ("g.pb", "g.mlir"):  # the extension decides who reads it
            os.mkfifo(self.folder / name)
        self.no_file(str(self.folder / "g.pb"), "got a pipe")
        self.refused(INPUT_OUTPUT, [program("sluicec"), "g.mlir", "-o", "out"], "g.mlir")

    def test_item_017_device(self):
        self.no_file("/dev/zero", "got a device")
        os.symlink("/dev/zero", self.folder / "g.mlir")
        self.refused(INPUT_OUTPUT, [program("sluicec"), "g.mlir", "-o", "out"], "g.mlir")

    def test_item_017_missing(self):
        self.no_file("missing.pb", "No such file")
        self.refused(INPUT_OUTPUT, [program("sluicec"), "missing.mlir", "-o", "out"],
                     "missing.mlir", "No such file")

    def test_item_017_circle_of_links(self):
        os.symlink("g.pb", self.folder / "g.pb")
        self.no_file("g.pb", "symbolic link")

    def test_item_017_unreadable(self):
        path = self.write("g.pb", SMALL)
        os.chmod(path, 0)
        if os.access(path, os.R_OK):
            self.skipTest("this user may read every file")
        self.no_file(path, "Permission denied")

    def test_item_019_models_are_for_the_compiler(self):
        """item 19: the translator takes graphs only"""
        info = field(5, "2.15.0")
        for content, says in (
                (field(1, 1) + field(2, field(2, SMALL)), "a SavedModel, which sluicec reads"),
                (field(1, field(2, field(1, field(1, "Neg"))) + info) + field(2, SMALL),
                 "a MetaGraphDef, such as a .meta file, which sluicec reads"),
                (field(1, field(4, "serve") + info) + field(2, SMALL), "a MetaGraphDef"),
                (b'meta_info_def {\n  tags: "serve"\n}\ngraph_def {\n}\n', "a MetaGraphDef")):
            path = self.write("g.pb", content)
            self.refused(BAD_GRAPH, [program("sluice-translate"), "--import-graphdef", path,
                                     "--fetch=y", "-o", "out"], says)
        self.write("model/saved_model.pb", b"\x08\x01\x12\x00")
        self.refused(INPUT_OUTPUT, [program("sluice-translate"), "--import-graphdef", "model",
                                    "--fetch=y", "-o", "out"], "it holds a SavedModel")
        self.refused(BAD_GRAPH, [program("sluicec"), "model", "--fetch=y", "-o", "out"],
                     "saved_model.pb", "the graph has no nodes")


add_graph_cases(FileBytes, [
    (1, "empty file", b"", "no nodes"),
    (1, "empty text file", b"", "no nodes", {"name": "g.pbtxt"}),
    (1, "only versions", field(4, field(1, 24)), "no nodes"),
    (1, "only a comment", b"# nothing\n", "no nodes", {"name": "g.pbtxt"}),
    (6, "101 messages", deep(97), "at most 100 messages inside each other"),
    (6, "200001 messages", deep(199_997), "at most 100 messages inside each other"),
    (7, "20000 messages in text", "library " + "{a" * 20_000, ["g.pbtxt:1:", "inside each other"],
     {"name": "g.pbtxt"}),
    (7, "lists in text", "node { attr: " + "[" * 100_000, "inside each other", {"name": "g.pbtxt"}),
    (7, "messages of the other kind in text", "library " + "<a " * 100_000, "inside each other",
     {"name": "g.pbtxt"}),
    (7, "unknown messages in text", "colour " + "{a" * 100_000, "inside each other",
     {"name": "g.pbtxt"}),
    (9, "length beyond the end", NODE + b"\x0a\x7f" + NODE, ["byte ", "needs 127 bytes", "are left"]),
    (9, "length beyond the message", field(1, b"\x0a\x09y"), ["byte 2", "'NodeDef.name'"]),
    (11, "varint of 11 bytes", NODE + b"\x18" + b"\xff" * 10 + b"\x01", "at most 10 bytes"),
    (11, "tag of 11 bytes", NODE + b"\x8a" + b"\x80" * 9 + b"\x00", "at most 10 bytes"),
    (11, "field number 0", NODE + b"\x02\x00", "field number 0"),
    (11, "huge field number", NODE + varint(2**35) + b"\0", "field number"),
    (12, "number where a name is wanted", field(1, field(1, 5)),
     ["'NodeDef.name'", "expected bytes but got varint"]),
    (12, "bytes where a number is wanted", NODE + field(4, field(1, b"24")),
     "expected varint but got bytes"),
    (12, "fixed value where a message is wanted", b"\x0d\0\0\0\0", "expected bytes but got"),
    (12, "wire type 6", NODE + b"\x0e", "wire type 6"),
    (13, "group", NODE + b"\x0b\x0c", "got group"),
    (13, "end of a group", NODE + b"\x0c", "got end of group"),
    (15, "name twice", graph(placeholder("x") + field(1, "z")), "'NodeDef.name' is given twice"),
    (15, "op twice in text", 'node { name: "y" op: "NoOp" op: "NoOp" }', "g.pbtxt:1:",
     {"name": "g.pbtxt"}),
    (15, "versions twice", SMALL + field(4, field(1, 24)), "'GraphDef.versions' is given twice"),
    (16, "name that is no UTF-8", field(1, field(1, b"a\xff") + field(2, "NoOp")),
     ["'NodeDef.name'", "expected UTF-8"]),
    (16, "op that is no UTF-8", field(1, field(1, "y") + field(2, b"\xc0\x80")), "expected UTF-8"),
    (16, "name that is no UTF-8 in text", b'node { name: "a\\377" op: "NoOp" }', "g.pbtxt",
     {"name": "g.pbtxt"}),
    (16, "name with NUL in text", b'node { name: "a\\000" op: "NoOp" }', "g.pbtxt",
     {"name": "g.pbtxt"}),
    (16, "open string in text", b'node { name: "a\n" }', "g.pbtxt:1:", {"name": "g.pbtxt"}),
    (32, "more messages than memory", b"\x0a\x00" * 16_000_001, "messages and texts"),
    (32, "more messages than memory in text", "node{}" * 16_000_001, "messages and values",
     {"name": "g.pbtxt"}),
    (3, "random letters", b"qwerty uiop " * 300, "g.pb:1:"),
    (10, "packed length of 2^31-1",
     field(1, field(1, "y") + field(2, "Neg") + field(5, field(1, "T") + field(2, field(
         8, b"\x2a" + varint(2**31 - 1))))), ["byte ", "2147483647 bytes"]),
    (10, "node length of 2^31-1", b"\x0a" + varint(2**31 - 1), "needs 2147483647 bytes"),
    (10, "node length of 2^64-1", NODE + b"\x0a" + varint(2**64 - 1), "are left"),
    (19, "gzip", gzip.compress(SMALL), "gzip"),
    (19, "zip", zipped(), "zip"),
    (19, "onnx", field(1, 7) + field(2, "pytorch") + field(7, b""), "ONNX"),
    (19, "numpy array", b"\x93NUMPY\x01\x00v\x00{'descr': '<f4'}", ".npy"),
    (19, "json", b'{"node": []}', "JSON"),
    (19, "StableHLO", b"module @jit_f {\n  func.func public @main() {\n    %0 = stablehlo.abs %x\n",
     ["StableHLO", "get-a-graph.md"]),
    (19, "JAX export", b"<\0\0\08\0`\0ML\xefR\rStableHLO_v1.15.0\0", ["a serialized export of JAX",
                                                                       "get-a-graph.md"]),
    (19, "XML", b"<graph></graph>", "XML"),
])

if __name__ == "__main__":
    harness.main()
