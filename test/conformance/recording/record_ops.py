# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of ops that read files, records and patterns. What is read they have written before."""

import gzip
import struct
import zlib

from scenario import g, of, scalar, type_attr, vector

import graphs  # isort: skip

FOLDER = "/tmp/sluice-recorded/"


def text(value):
    return of("string", [], [value if isinstance(value, bytes) else value.encode()])


def texts(values):
    return vector("string", [value if isinstance(value, bytes) else value.encode()
                             for value in values])


def types(names):
    return graphs.attr_value("types", names)


def elements(dtype, count):
    """Strings or numbers of which no two are alike."""
    return [b"text %d" % i if dtype == "string" else i + (0.5 if "float" in dtype else 0)
            for i in range(count)]


# ---- Bytes and tensors

def decode_raw(s, attrs):
    """16 bytes are whole elements of every type, and none of them is a denormal number."""
    dtype, little = attrs["out_type"][1], attrs["little_endian"][1]
    flags = bytes(i % 3 % 2 for i in range(16))
    x = s.feed("x", texts([flags, flags[::-1]] if dtype == "bool" else
                          [bytes(range(65, 81)), bytes(range(97, 113))]))
    more = [s.integer("length", 16)] if "Padded" in s.op else []
    s.step([s.node("", s.op, x, *more, out_type=type_attr(dtype), little_endian=g.boolean(little))])
    if more:
        short = s.feed("short", texts([b"AB", bytes(range(65, 90))]))
        s.step([s.node("cut", s.op, short, *more, out_type=type_attr(dtype),
                       little_endian=g.boolean(little))])


def decode_compressed(s, attrs):
    for name, content in {"ZLIB": zlib.compress(b"some text" * 9, 9) + b"behind",
                          "GZIP": gzip.compress(b"one", mtime=0) + gzip.compress(b"two", mtime=0),
                          "": b"as it is"}.items():
        x = s.feed(f"x{name}", texts([content, b""] if name else [content]))
        s.step([s.node(f"d{name}" if name else "", s.op, x, compression_type=g.text(name))])


def serialized(s, attrs):
    dtype = attrs["T" if s.op == "SerializeTensor" else "out_type"][1]
    x = s.feed("x", of(dtype, [2, 1], elements("string" if dtype == "string" else "int", 2)
                       if dtype != "bool" else [True, False]))
    back = s.op == "ParseTensor"
    inner = s.node("there" if back else "", "SerializeTensor", x, T=type_attr(dtype))
    s.step([s.node("", "ParseTensor", inner, out_type=type_attr(dtype)) if back else inner])


# ---- Patterns

def pattern(s, attrs):
    """Groups, classes, lazy and greedy repetitions."""
    is_static, replaces = s.op.startswith("Static"), s.op.endswith("Replace")
    x = s.feed("x", texts(["s3://bucket/a", "ab12cd345", "", "Zaab\u00e9"]))
    for i, (found, rewrite) in enumerate([("^s3://.*", "gs"), ("([a-z]+?)([0-9]+)", "\\2<\\1>"),
                                          ("(?i)z?a*b?[^0-9]|", "-"), ("\\b", "|")]):
        given = {"pattern": g.text(found), "rewrite": g.text(rewrite)}
        used = ["pattern", "rewrite"] if replaces else ["pattern"]
        inputs = [] if is_static else [
            s.const(f"{name}{i}", text(found if name == "pattern" else rewrite)) for name in used]
        more = {name: given[name] for name in used} if is_static else {}
        if replaces:
            more["replace_global"] = g.boolean(attrs["replace_global"][1])
        s.step([s.node(f"r{i}" if i else "", s.op, x, *inputs, **more)])


# ---- Lines

def csv(s, attrs):
    dtype, quotes = attrs["OUT_TYPE"][1][0], attrs["use_quote_delim"][1]
    lines = ['7;"1";NA;x', "8;-2;;y"] if quotes else ["7;1;NA;x", "8;-2;;\"y"]
    records = s.feed("records", texts(lines))
    none = s.const("none", of(dtype, [0], []))
    other = s.const("other", vector(dtype, [b"d"] if dtype == "string" else [5]))
    node = s.node("", s.op, records, none, other, OUT_TYPE=types([dtype, dtype]),
                  field_delim=g.text(";"), use_quote_delim=g.boolean(quotes), na_value=g.text("NA"),
                  select_cols=graphs.attr_value("ints", [1, 2]))
    s.step([f"{node}:0", f"{node}:1"])
    bad = s.feed("bad", texts(["1;;"]))
    s.step([s.node("required", s.op, bad, none, none, none, OUT_TYPE=types([dtype] * 3),
                   field_delim=g.text(";"))])


# ---- Examples

LISTS = {"string": 1, "float": 2, "int64": 3}


def feature(dtype, values):
    if dtype == "string":
        body = b"".join(g.field(1, value) for value in values)
    elif dtype == "float":
        body = g.field(1, struct.pack(f"<{len(values)}f", *values))
    else:
        body = g.field(1, b"".join(g.varint(value) for value in values))
    return g.field(LISTS[dtype], body)


def example(features):
    """{name: (dtype, values)}"""
    return g.field(1, b"".join(g.field(1, g.field(1, name) + g.field(2, feature(*value)))
                               for name, value in features.items()))


def examples(s, attrs):
    """Features that are there, missing, and of different lengths."""
    dtype = lambda name, other: attrs[name][1][0] if name in attrs else other  # noqa: E731
    sparse, dense = dtype("sparse_types", "int64"), dtype("Tdense", "float")
    ragged, splits = dtype("ragged_value_types", "string"), dtype("ragged_split_types", "int32")
    whole = {"sparse": (sparse, elements(sparse, 3)), "fixed": (dense, elements(dense, 2)),
             "padded": (dense, elements(dense, 3)), "ragged": (ragged, elements(ragged, 2))}
    some = {"padded": (dense, elements(dense, 1)), "ragged": (ragged, elements(ragged, 1))}
    single = s.op == "ParseSingleExample"
    records = [example(whole), example(some), b""]
    serialized = s.feed("serialized", text(records[0]) if single else texts(records))
    defaults = [s.const("default", vector(dense, [b"d", b"e"] if dense == "string" else [8, 9])),
                s.const("filler", scalar(dense, b"f" if dense == "string" else 7))]
    given = {"Tdense": types([dense, dense]), "sparse_types": types([sparse]),
             "dense_shapes": g.field(1, g.field(7, g.dims([2])) + g.field(7, g.dims([-1])))}
    keys = {"sparse": ["sparse"], "dense": ["fixed", "padded"], "ragged": ["ragged"]}
    names = [] if single else [s.const("names", texts([]))]
    if single:
        given |= {f"{kind}_keys": g.field(1, b"".join(g.field(2, key) for key in keys[kind]))
                  for kind in ("sparse", "dense")}
        given["num_sparse"] = g.integer(1)
    elif s.op == "ParseExample":
        names += [s.const(f"key_{key}", text(key)) for key in keys["sparse"] + keys["dense"]]
        given |= {"Nsparse": g.integer(1), "Ndense": g.integer(2)}
    else:
        names += [s.const(f"keys_{kind}", texts(keys[kind])) for kind in keys]
        given |= {"num_sparse": g.integer(1), "ragged_value_types": types([ragged]),
                  "ragged_split_types": types([splits])}
    node = s.node("", s.op, serialized, *names, *defaults, **given)
    s.step([f"{node}:{i}" for i in range(7 if s.op == "ParseExampleV2" else 5)])


# ---- Files

def written(s, contents):
    """Paths of files, which the first step writes."""
    paths, targets = [], []
    for i, content in enumerate(contents):
        path = s.const(f"path{i}", text(f"{FOLDER}{s.op}/{s.name}/{i}"))
        body = s.const(f"content{i}", text(content))
        targets.append(s.node("" if s.op == "WriteFile" and i == 0 else f"write{i}", "WriteFile",
                              path, body))
        paths.append(path)
    s.step(targets=targets)
    return paths


def files(s, attrs):
    paths = written(s, ["some text\n", ""])
    if s.op == "MatchingFiles":
        s.step([s.node("", s.op, s.const("pattern", texts([f"{FOLDER}{s.op}/{s.name}/*",
                                                           f"{FOLDER}{s.op}/{s.name}/0"])))])
        return
    s.step([s.node("" if s.op == "ReadFile" and i == 0 else f"read{i}", "ReadFile", path)
            for i, path in enumerate(paths)])
    s.step([s.node("missing", "ReadFile", s.const("none", text(f"{FOLDER}none")))])


def masked(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    crc ^= 0xffffffff
    return struct.pack("<I", (crc >> 15 | crc << 17) + 0xa282ead8 & 0xffffffff)


def checked(value):
    length = struct.pack("<Q", len(value))
    return length + masked(length) + value + masked(value)


RECORDS = checked(b"one") + checked(b"") + checked(b"three")
# Of each reader: attributes, and what its files hold.
READERS = {
    "IdentityReader": ({}, ["", ""]),
    "WholeFileReader": ({}, ["one\ntwo", ""]),
    "TextLineReader": ({"skip_header_lines": g.integer(1)}, ["h\r\none\r\n\nlast", "", "h\nb\n"]),
    "FixedLengthRecordReader": ({"header_bytes": g.integer(1), "record_bytes": g.integer(3),
                                 "footer_bytes": g.integer(2), "hop_bytes": g.integer(2)},
                                ["HabcdefghFF", "H", "HxyzFF"]),
    "TFRecordReader": ({"compression_type": g.text("GZIP")},
                       [gzip.compress(RECORDS, mtime=0), gzip.compress(RECORDS, mtime=0)]),
}


def reader(s, attrs):
    """Files are read to their ends; counts; and what happens when no file is left."""
    version = "V2" if s.op.endswith("V2") else ""
    maker = s.op.removesuffix("V2")
    has_state = "State" in s.op
    maker = maker if maker in READERS else "WholeFileReader" if has_state else "TextLineReader"
    given, contents = READERS[maker]
    paths = written(s, contents)
    names = s.node("all", "Pack", *paths, N=g.integer(len(paths)), T=type_attr("string"),
                   axis=g.integer(0))
    queue = s.node("queue", "FIFOQueue" + version, component_types=types(["string"]),
                   shapes=g.field(1, g.field(7, g.dims([]))), shared_name=g.text(s.name + "_q"))
    fill = s.node("fill", "QueueEnqueueMany" + version, queue, names,
                  Tcomponents=types(["string"]))
    close = s.node("close", "QueueClose" + version, queue)
    node = s.node("" if s.op == maker + version else "reader", maker + version,
                  shared_name=g.text(s.name + "_r"), **given)

    def on(name, part, *inputs):
        return s.node("" if s.op == name + version else part, name + version, node, *inputs)

    read = on("ReaderRead", "read", queue)
    two = s.const("two", scalar("int64", 2))
    both = on("ReaderReadUpTo", "both", queue, two)
    counts = [on("ReaderNumRecordsProduced", "records"), on("ReaderNumWorkUnitsCompleted", "files")]
    s.step(targets=[fill])
    s.step(targets=[close])
    s.step([f"{read}:0", f"{read}:1"])
    s.step(counts)
    s.step([f"{both}:0", f"{both}:1"])
    if has_state:
        state = on("ReaderSerializeState", "state")
        s.step([state])
        reset = s.node("reset", "ReaderReset" + version, node)
        s.step(targets=[reset])
        saved = s.const("saved", text(b"\x08\x02\x10\x02\x18\x05\x22\x01x"))
        s.step(targets=[on("ReaderRestoreState", "restore", saved)])
        s.step([*counts, state])
        return
    for _ in range(3):
        s.step([f"{both}:0", f"{both}:1"])
    s.step(counts)
    if "Reset" in s.op:
        s.step(targets=[s.node("", s.op, node)])
        s.step(counts)


BUILDERS = {
    "DecodeRaw": decode_raw, "DecodePaddedRaw": decode_raw, "DecodeCompressed": decode_compressed,
    "ParseTensor": serialized, "SerializeTensor": serialized,
    "RegexFullMatch": pattern, "StaticRegexFullMatch": pattern, "RegexReplace": pattern,
    "StaticRegexReplace": pattern,
    "DecodeCSV": csv,
    "ParseExample": examples, "ParseExampleV2": examples, "ParseSingleExample": examples,
    "ReadFile": files, "WriteFile": files, "MatchingFiles": files,
    **{name + version: reader for version in ("", "V2")
       for name in [*READERS, "ReaderRead", "ReaderReadUpTo", "ReaderNumRecordsProduced",
                    "ReaderNumWorkUnitsCompleted", "ReaderSerializeState", "ReaderRestoreState",
                    "ReaderReset"]
       if name + version != "FixedLengthRecordReader"},  # which is broken in TensorFlow
}
