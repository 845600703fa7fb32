#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SavedModels and checkpoints that are damaged, hostile, or do not fit (items 112 to 123)."""

import os
import re
import struct
import subprocess

import harness
from checkpoint import (HEADER, block, entry, index, meta_graph, saved_model, sealed, signature,
                        table, tensor_info)
from graphdef import FLOAT, INT32, dtype, field, graph, node, placeholder, shape, text, varint
from harness import BAD_GRAPH, INPUT_OUTPUT, UNSUPPORTED, USAGE, Case, add, program

DATA = struct.pack("<2f", 1.5, -2)
GRAPH = graph(placeholder(), node("v", "VarHandleOp", dtype=dtype(FLOAT), shape=shape(2),
                                  shared_name=text("weight")),
              node("r", "ReadVariableOp", "v", dtype=dtype(FLOAT)),
              node("y", "AddV2", "x", "r", T=dtype(FLOAT)), producer=2000)
SERVING = signature("serving_default", {"point": tensor_info("x:0")},
                    {"score": tensor_info("y:0")})
MODEL = saved_model(meta_graph(GRAPH, SERVING))
INDEX = index((b"weight", entry(DATA)))
DATA_FILE = "m/variables/variables.data-00000-of-00001"


class Models(Case):
    def model(self, content=MODEL, index_file=INDEX, data=DATA, name="saved_model.pb"):
        if content is not None:
            self.write(f"m/{name}", content)
        if index_file is not None:
            self.write("m/variables/variables.index", index_file)
        if data is not None:
            self.write(DATA_FILE, data)
        return [program("sluicec"), "m", "-o", "out"]

    def test_good_models_are_accepted(self):
        for path in ("m", "m/", "m/saved_model.pb"):
            self.accepted([self.model()[0], path, "-o", "out"])
            outcome = self.accepted([str(self.folder / "out"), "--input=point=2xf32=1,1"])
            self.assertIn(b"score f32[2] = [2.5, -1]", outcome.out)

    def test_item_017_shards_that_are_no_files(self):
        command = self.model(data=None)
        for make in (os.mkdir, os.mkfifo, lambda path: os.symlink("/dev/zero", path)):
            make(self.folder / DATA_FILE)
            self.refused(INPUT_OUTPUT, command, DATA_FILE, re.compile("cannot|regular"))
            subprocess.run(["rm", "-r", str(self.folder / DATA_FILE)], check=True)
        self.refused(INPUT_OUTPUT, command, DATA_FILE, "cannot read")

    def test_item_112_files_that_are_not_there(self):
        os.mkdir(self.folder / "m")
        command = [program("sluicec"), "m", "-o", "out"]
        self.refused(INPUT_OUTPUT, command, "m: error: expected a graph file or a SavedModel but got a directory")
        self.model(index_file=None, data=None)
        self.refused(INPUT_OUTPUT, command, "variables.index", "cannot be opened")
        self.refused(INPUT_OUTPUT, [*command, "--weights=none"], "there is no 'none.index'")
        self.refused(INPUT_OUTPUT, [*command, "--weights=m"], "is a folder", "begin with")
        self.refused(INPUT_OUTPUT, [*command, "--weights=none.safetensors"], "none.safetensors")

    def test_item_114_every_byte_of_an_index_counts(self):
        command = self.model()
        footer = len(INDEX) - 48
        metaindex = range(footer - 13 - 40, footer)  # the index block is found from the footer
        for at in [*range(0, footer, 3), len(INDEX) - 1]:
            self.model(index_file=INDEX[:at] + bytes([INDEX[at] ^ 0x10]) + INDEX[at + 1:])
            outcome = harness.run(command, self.folder)
            self.assertIn(outcome.code, (0, BAD_GRAPH) if at in metaindex else (BAD_GRAPH,),
                          f"byte {at}: {outcome.err}")
        for size in range(0, len(INDEX), 7):
            self.model(index_file=INDEX[:size])
            self.refused(BAD_GRAPH, command, "variables.index: error: ")

    def test_item_123_assets_that_lie_elsewhere(self):
        self.write("secret", "s")
        for name in ("../../secret", "/etc/passwd", "a/../../x", ""):
            asset = field(6, field(1, field(1, "words:0")) + field(2, name))
            words = node("words", "Const", dtype=dtype(7), value=field(8, field(1, 7) + field(
                2, b"") + field(8, "")))
            self.model(saved_model(meta_graph(GRAPH + field(1, words), SERVING, asset)))
            self.refused(BAD_GRAPH, [program("sluicec"), "m", "-o", "out"],
                         f"asset '{name}'", "below the model's folder of assets")

    def test_item_112_tables_that_are_not_in_the_checkpoint(self):
        def texts(name, *values):
            sizes = field(2, field(2, field(1, len(values))))
            return node(name, "Const", dtype=dtype(7), value=field(
                8, field(1, 7) + sizes + b"".join(field(8, value) for value in values)))

        def filled(values):
            return meta_graph(GRAPH + b"".join(field(1, each) for each in (
                node("t", "MutableHashTableV2", key_dtype=dtype(9), value_dtype=dtype(FLOAT)),
                texts("keys", "weight", "nothing"), texts("parts", "", ""),
                node("read", "RestoreV2", "x", "keys", "parts"),
                node("fill", "LookupTableImportV2", "t", "read", values))), SERVING,
                field(3, field(3, "fill")))
        self.model(saved_model(filled("read:1")))
        self.refused(BAD_GRAPH, [program("sluicec"), "m", "-o", "out"],
                     "table 't': checkpoint 'm/variables/variables.index' has no tensor 'nothing'")
        self.model(saved_model(filled("x")))
        self.refused(BAD_GRAPH, [program("sluicec"), "m", "-o", "out"],
                     "node 'fill' restores a table", "as they are in the checkpoint")

    def test_item_136_flags(self):
        command = self.model()
        self.refused(USAGE, [*command, "--tag=gpu"], "no graph has the tags gpu",
                     "those of the graphs are serve")
        self.refused(USAGE, [*command, "--signature=serving"], "there is no signature 'serving'")
        self.refused(USAGE, [*command, "--signature=serving_defalt"],
                     "did you mean 'serving_default'?")
        self.refused(USAGE, [*command, "--fetch=z"], "fetch 'z'", "did you mean")
        self.refused(USAGE, [*command, "--json"], "--json needs --describe")
        self.refused(USAGE, [*command, "--weights="], "--weights")
        self.write("g.pb", GRAPH)
        bare = [program("sluicec"), "g.pb", "-o", "out"]
        self.refused(USAGE, bare, "what shall be computed?", "placeholders, for --feed: 'x' f32[2]",
                     "for --fetch: 'y' f32")
        self.refused(USAGE, [*bare, "--signature=a"], "--signature", "a GraphDef")
        self.refused(USAGE, [*bare, "--tag=a"], "--tag")
        self.write("m.meta", meta_graph(GRAPH))
        self.refused(USAGE, [program("sluicec"), "m.meta", "-o", "out"], "no signatures")


def model_case(code, *says, **files):
    def body(self):
        self.refused(code, self.model(**files), *says)
    return body


def entries_case(says, *entries, header=HEADER, code=BAD_GRAPH, data=DATA):
    return model_case(code, *([says] if isinstance(says, str) else says),
                      index_file=index(*entries, header=header), data=data)


def weight(content=DATA, **more):
    return (b"weight", entry(content, **more))


RAGGED = field(5, field(1, "type")) + field(2, 1)
SPARSE = field(4, field(1, "v:0")) + field(2, 1)
IN_INDEX = "variables.index: error: "

for item, title, body in [
    (1, "empty model", model_case(BAD_GRAPH, "m/saved_model.pb", content=b"")),
    (1, "empty index", model_case(BAD_GRAPH, IN_INDEX, "footer", index_file=b"")),
    (3, "random index", model_case(BAD_GRAPH, IN_INDEX, "is no index", index_file=b"xyz" * 1000)),
    (4, "model that was cut", model_case(BAD_GRAPH, "is no SavedModel", content=MODEL[:-9])),
    (5, "text in place of bytes", model_case(BAD_GRAPH, "saved_model.pb", content="a { }")),
    (6, "deep model", model_case(BAD_GRAPH, "inside each other", name="saved_model.pbtxt",
                                 content="saved_model_schema_version: 1 meta_graphs " + "{a" * 9999)),
    (9, "length beyond the end", model_case(BAD_GRAPH, "byte 2", content=field(1, 1) + b"\x12\x7f")),
    (15, "graph twice", model_case(BAD_GRAPH, "'MetaGraphDef.graph_def' is given twice",
                                   content=saved_model(meta_graph(GRAPH, field(2, GRAPH))))),
    (19, "gzip in place of a model", model_case(BAD_GRAPH, "gzip", content=b"\x1f\x8b\x08\0")),
    (19, "chunks", model_case(UNSUPPORTED, "saved_model.cpb", "chunks", content=b"x",
                              name="saved_model.cpb")),
    (28, "newer model", model_case(BAD_GRAPH, "version 1 but got version 2",
                                   content=saved_model(meta_graph(GRAPH), version=2))),
    (99, "no graphs", model_case(BAD_GRAPH, "has no graphs", content=saved_model())),
    (99, "two graphs of one tag", model_case(USAGE, "several graphs have the tags serve", "--tag",
                                             content=saved_model(meta_graph(GRAPH),
                                                                 meta_graph(GRAPH)))),
    (99, "unclear graphs", model_case(USAGE, "those of the graphs are a; b, c", content=saved_model(
        meta_graph(GRAPH, tags=["a"]), meta_graph(GRAPH, tags=["b", "c"])))),
    (99, "no signatures", model_case(USAGE, "no signatures", "'y' f32",
                                     content=saved_model(meta_graph(GRAPH)))),
    (99, "signature twice", model_case(BAD_GRAPH, "two signatures have the name 'serving_default'",
                                       content=saved_model(meta_graph(GRAPH, SERVING, SERVING)))),
    (99, "tensor that is not there", model_case(USAGE, "fetch 'z:0'", content=saved_model(
        meta_graph(GRAPH, signature("s", {}, {"o": tensor_info("z:0")}))))),
    (100, "type that is not the graph's", model_case(
        USAGE, "feed 'x:0': expected int32 as the signature says but the graph has float",
        content=saved_model(meta_graph(GRAPH, signature(
            "s", {"i": tensor_info("x:0", INT32)}, {"o": tensor_info("y:0")}))))),
    (100, "shape that is not the graph's", model_case(
        BAD_GRAPH, "feed 'i': the signature says tensor<3xf32> but the graph tensor<2xf32>",
        content=saved_model(meta_graph(GRAPH, signature(
            "s", {"i": tensor_info("x:0", dims=[3])}, {"o": tensor_info("y:0")}))))),
    (101, "sparse input", model_case(UNSUPPORTED, "signature 's': input 'i'", "sparse",
                                     content=saved_model(meta_graph(GRAPH, signature(
                                         "s", {"i": SPARSE}))))),
    (101, "ragged output", model_case(UNSUPPORTED, "signature 's': output 'o'", "ragged",
                                      content=saved_model(meta_graph(GRAPH, signature(
                                          "s", {}, {"o": RAGGED}))))),
    (112, "shard that the index has", entries_case(
        "variables.data-00000-of-00002': No such file", weight(),
        header=field(1, 2) + field(3, field(1, 1)), code=INPUT_OUTPUT)),
    (112, "too many shards", entries_case("data files but got 100000", weight(),
                                          header=field(1, 100000))),
    (113, "no header", model_case(BAD_GRAPH, IN_INDEX, "expected a header",
                                  index_file=table(block([weight()])))),
    (113, "high bytes first", entries_case("high bytes first", weight(), header=HEADER + field(2, 1))),
    (114, "changed elements", entries_case("wrong checksum of its elements", weight(),
                                           data=DATA[:-1] + b"x")),
    (114, "elements of another checkpoint", entries_case("wrong checksum of its elements",
                                                         weight(checksum=5))),
    (114, "block of 4 GB", model_case(BAD_GRAPH, "block of 4294967296 bytes goes beyond the end",
                                      index_file=table(block([(b"", HEADER)]), handles=[(0, 2**32)]))),
    (114, "block at the end of 64 bits", model_case(
        BAD_GRAPH, "goes beyond the end",
        index_file=table(block([(b"", HEADER)]), handles=[(2**64 - 1, 2**64 - 1)]))),
    (114, "compressed block", model_case(
        BAD_GRAPH, "is compressed (snappy)",
        index_file=table(block([(b"", HEADER), weight()], compression=1)))),
    (114, "name of 4 GB", model_case(BAD_GRAPH, "goes beyond the end of its block", index_file=table(
        sealed(varint(0) + varint(2**32 - 1) + varint(0) + struct.pack("<2I", 0, 1))))),
    (114, "names that grow", model_case(BAD_GRAPH, "bytes in a name", index_file=table(sealed(
        varint(0) + varint(9000) + varint(0) + b"n" * 9000 + struct.pack("<2I", 0, 1))))),
    (114, "keys out of order", entries_case("the keys are not in order: 'a' comes after 'weight'",
                                            weight(), (b"a", b""))),
    (114, "key twice", entries_case("the key 'weight' is there twice", weight(), weight())),
    (115, "negative size", entries_case("tensor 'weight'", weight(size=-8))),
    (115, "negative offset", entries_case("tensor 'weight'", weight(offset=-8))),
    (115, "beyond the end", entries_case(["lie beyond the end of", "was it cut off?"],
                                         weight(offset=1))),
    (115, "offset at the end of 63 bits", entries_case("lie beyond the end of",
                                                       weight(offset=2**63 - 1))),
    (115, "more bytes than elements", entries_case("expected 4 bytes for 1 elements of f32 but "
                                                   "got 8", weight(dims=[1]))),
    (115, "dims that overflow", entries_case("tensor 'weight'", weight(dims=[2**32, 2**32]))),
    (115, "a terabyte", entries_case("bytes", weight(dims=[2**38], size=2**40))),
    (115, "row that is no message", entries_case("tensor 'weight'", (b"weight", b"\x0a"))),
    (116, "another shape", entries_case("variable 'weight': expected tensor<2xf32> but tensor "
                                        "'weight' of", weight(dims=[1, 2]))),
    (116, "another type", entries_case("is tensor<2xi32>", weight(element=INT32))),
    (116, "another kind of values", entries_case("values of variant are not supported",
                                                 weight(element=21), code=UNSUPPORTED)),
    (117, "newer format", entries_case("needs a reader of version 9", weight(),
                                       header=field(1, 1) + field(3, field(2, 9)))),
]:
    add(Models, item, title, body)

if __name__ == "__main__":
    harness.main()
