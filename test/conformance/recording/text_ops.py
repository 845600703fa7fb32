# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of ops on strings: those made of strings and numbers, their parts, and hashes."""

from goals import OTHER
from scenario import g, of, scalar, tensor, type_attr, vector

import graphs  # isort: skip


def other(attrs, name, default, value):
    """An integer attribute, which is the default unless the goal asks for another one."""
    return g.integer(value if attrs.get(name, ("int", default))[1] == OTHER else default)


def texts(values):
    return vector("string", [text if isinstance(text, bytes) else text.encode() for text in values])


def join(s, attrs):
    """A scalar goes with both strings of a vector."""
    operands = [s.feed("x0", of("string", [], [b"a"])),
                s.feed("x1", vector("string", [b"b", b""])),
                s.feed("x2", of("string", [], [b"c"]))]
    s.step([s.node("", s.op, *operands, N=g.integer(3), separator=g.text("/"))])


def sharded(s, attrs):
    """Fewer digits than five, and more."""
    counts = ["shard", "shards"] if s.op == "ShardedFilename" else ["shards"]
    base = s.feed("base", of("string", [], [b"folder/name"]))
    numbers = {"shard": 3, "shards": 123456}
    operands = [s.feed(name, scalar("int32", numbers[name])) for name in counts]
    s.step([s.node("", s.op, base, *operands)])


def substring(s, attrs):
    """From either end, of characters of one byte and of two; beyond the end is an error."""
    dtype = attrs["T"][1]
    given = {"T": type_attr(dtype), "unit": g.text(attrs["unit"][1])}
    x = s.feed("x", texts(["h\u00e4llo", "w\u00f6rld"]))
    position, length = s.feed("pos", vector(dtype, [1, -3])), s.feed("len", vector(dtype, [2, 9]))
    s.step([s.node("", s.op, x, position, length, **given)])
    scalars = [s.feed(f"{name}1", scalar(dtype, 1)) for name in ("pos", "len")]
    s.step([s.node("all", s.op, x, *scalars, **given)])
    column = s.feed("column", of("string", [2, 1], [b"abc", b"defg"]))
    s.step([s.node("rows", s.op, column, position, length, **given)])
    far = s.feed("far", scalar(dtype, 12))
    s.step([s.node("outside", s.op, x, far, scalars[1], **given)])


def length(s, attrs):
    x = s.feed("x", texts(["h\u00e4llo", "", "\u20ac"]))
    s.step([s.node("", s.op, x, unit=g.text(attrs["unit"][1]))])


SPLIT = ["a b,,c", "", " de ", ",", "f\tg  h"]


def split_bytes(s, attrs):
    x, skips = s.feed("x", texts(SPLIT)), g.boolean(attrs["skip_empty"][1])
    for i, delimiter in enumerate([",", " ,", ""]):
        at = s.const(f"at{i}", of("string", [], [delimiter.encode()]))
        node = s.node(f"r{i}" if i else "", s.op, x, at, skip_empty=skips)
        s.step([f"{node}:{k}" for k in range(3)])


def split_whole(s, attrs):
    """At a character, at two, and at white space."""
    x, most = s.feed("x", texts(SPLIT)), other(attrs, "maxsplit", -1, 1)
    for i, separator in enumerate([",", ",,", ""]):
        at = s.const(f"at{i}", of("string", [], [separator.encode()]))
        node = s.node(f"r{i}" if i else "", s.op, x, at, maxsplit=most)
        s.step([f"{node}:{k}" for k in range(3)])


def edit(s, attrs):
    x = s.feed("x", texts([" \t a B\n", "", "Zz[`{@\u00e9"]))
    s.step([s.node("", s.op, x)])
    if s.op != "StringStrip":
        wide = s.feed("wide", texts(["\u00c4\u00df\u0130", "\u039f\u03a3 \u03a3", b"a\xff"]))
        s.step([s.node("all", s.op, wide, encoding=g.text("utf-8"))])


def base64(s, attrs):
    """Of all lengths modulo 3, with both characters that addresses have; other ones are errors."""
    if s.op == "EncodeBase64":
        x = s.feed("x", texts([b"\xff\xfe\xfd\xfb", b"ab", b"abc", b""]))
        s.step([s.node("", s.op, x, pad=g.boolean(attrs["pad"][1]))])
        return
    s.step([s.node("", s.op, s.feed("x", texts(["__79-w", "__79-w==", "YWI", "YWJj", ""])))])
    for i, bad in enumerate(["YWJjY", "+/+/", "YQ="]):
        s.step([s.node(f"bad{i}", s.op, s.feed(f"bad{i}_x", texts([bad])))])


def as_text(s, attrs):
    dtype = attrs["T"][1]
    given = {name: g.boolean(attrs[name][1]) for name in ("scientific", "shortest")}
    x = s.feed("x", texts(["ab", ""]) if dtype == "string" else tensor(dtype, [3]))
    more = {"width": other(attrs, "width", -1, 7), "precision": other(attrs, "precision", -1, 2)}
    s.step([s.node("", s.op, x, T=type_attr(dtype), **given, **more)])
    wide = {"width": g.integer(9), "fill": g.text("-" if dtype == "string" else "0")}
    s.step([s.node("wide", s.op, x, T=type_attr(dtype), **given, **wide)])


def to_number(s, attrs):
    dtype = attrs["out_type"][1]
    whole = ["12", " 7 ", "+3", "00012"]
    more = {"float": ["-1.5e3", "inf", "0x1.8p1", "1e50"], "double": ["-1.5e3", "-INFINITY", "1e50"],
            "int32": ["-2147483648"], "int64": ["-9223372036854775808"], "uint32": ["4294967295"],
            "uint64": ["18446744073709551615"]}[dtype]
    s.step([s.node("", s.op, s.feed("x", texts(whole + more)), out_type=type_attr(dtype))])
    for i, bad in enumerate(["", "1 2", "18446744073709551616x"]):
        s.step([s.node(f"bad{i}", s.op, s.feed(f"bad{i}_x", texts([bad])),
                       out_type=type_attr(dtype))])


def ngrams(s, attrs):
    """Of rows that are empty, short and long; with padding of every kind; and of splits that are none."""
    keeps, dtype = g.boolean(attrs["preserve_short_sequences"][1]), attrs["Tsplits"][1]
    x = s.feed("x", texts(["a", "b", "c", "d", "e"]))
    splits = s.feed("splits", vector(dtype, [0, 1, 1, 5]))
    shown = {"Tsplits": type_attr(dtype), "preserve_short_sequences": keeps,
             "left_pad": g.text("<"), "right_pad": g.text(">")}
    for i, (widths, padding) in enumerate([([2], 0), ([1, 3], -1), ([5, 2], 2), ([9], 1), ([4], 0)]):
        made = s.node(f"r{i}" if i else "", s.op, x, splits, separator=g.text("-" if i else ""),
                      ngram_widths=graphs.attr_value("ints", widths), pad_width=g.integer(padding),
                      **shown)
        s.step([f"{made}:0", f"{made}:1"])
    two = {"separator": g.text(""), "ngram_widths": graphs.attr_value("ints", [2])}
    for i, bad in enumerate([[1, 5], [0, 4], [0, 3, 2, 5], [0, 6]]):
        s.step([s.node(f"bad{i}", s.op, x, s.feed(f"bad{i}_splits", vector(dtype, bad)),
                       pad_width=g.integer(0), **two, **shown)])
    none = s.feed("none", texts([]))
    made = s.node("nothing", s.op, none, s.feed("rows", vector(dtype, [0, 0, 0])),
                  pad_width=g.integer(-1), **two, **shown)
    s.step([f"{made}:0", f"{made}:1"])


def hashed(s, attrs):
    """Of strings of all kinds of lengths."""
    x = s.feed("x", texts([bytes(32 + (7 * i) % 90 for i in range(size)) for size in
                           (0, 1, 3, 4, 7, 8, 9, 16, 17, 32, 33, 64, 65, 128, 200)]))
    key = {"key": graphs.attr_value("ints", [-5, 77])} if s.op.endswith("Strong") else {}
    s.step([s.node("", s.op, x, num_buckets=g.integer(10 ** 15), **key)])


def reduce_join(s, attrs):
    keeps = g.boolean(attrs["keep_dims"][1])
    x = s.feed("x", of("string", [2, 3], [b"a", b"b", b"c", b"d", b"e", b"f"]))
    for i, axes in enumerate([[0], [-1], [0, 1], [1, 0], []]):
        at = s.const(f"axes{i}", vector("int32", axes))
        s.step([s.node(f"r{i}" if i else "", s.op, x, at, keep_dims=keeps, separator=g.text("-"))])
    s.step([s.node("outside", s.op, x, s.feed("far", vector("int32", [2])))])


def formatted(s, attrs):
    dtype = attrs["T"][1][0]
    is_bool = dtype == "bool"
    x = s.feed("x", of(dtype, [3], [True, False, True]) if is_bool else tensor(dtype, [3, 2]))
    y = s.feed("y", vector("int32", list(range(9))))
    s.step([s.node("", s.op, x, y, T=graphs.attr_value("types", [dtype, "int32"]),
                   template=g.text("x = {}, y = {}"), placeholder=g.text("{}"),
                   summarize=g.integer(2))])


def printed(s, attrs):
    x = s.feed("x", of("string", [], [b"a line"]))
    s.step(targets=[s.node("", s.op, x, output_stream=g.text("stderr"))])


BUILDERS = {"StringNGrams": ngrams, "StringJoin": join, "ShardedFilename": sharded, "ShardedFilespec": sharded,
            "Substr": substring, "StringLength": length, "StringSplit": split_bytes,
            "StringSplitV2": split_whole, "StringStrip": edit, "StringLower": edit,
            "StringUpper": edit, "EncodeBase64": base64, "DecodeBase64": base64,
            "AsString": as_text, "StringToNumber": to_number, "StringToHashBucketFast": hashed,
            "StringToHashBucket": hashed, "StringToHashBucketStrong": hashed,
            "ReduceJoin": reduce_join, "StringFormat": formatted, "PrintV2": printed}
