# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the importer's tables say of TensorFlow's ops: which are supported, and their signatures."""

import pathlib
import re
from dataclasses import dataclass

TABLES = pathlib.Path(__file__).resolve().parents[2] / "compiler" / "import" / "tensorflow"
PAGE = TABLES.parents[2] / "docs" / "reference" / "tensorflow-ops.md"  # made of the tables

REALS = ["float", "double", "int32", "uint8", "int16", "int8", "int64", "bfloat16", "uint16",
         "half", "uint32", "uint64"]
GROUPS = {"realnumbertype": REALS, "numbertype": [*REALS, "complex64", "complex128"],
          "type": [*REALS, "complex64", "complex128", "bool"]}
ALIASES = {"float32": "float", "float64": "double", "float16": "half"}
COMPUTED = set(GROUPS["type"])  # neither strings nor quantized numbers are drawn


@dataclass
class Arg:
    """`dtype` is a dtype, or the name of an attribute of kind `type` or `list(type)`."""
    name: str
    dtype: str
    count: str  # the attribute that says how many, or ""
    is_ref: bool


@dataclass
class Attr:
    kind: str
    allowed: list  # of types or strings; [] if any
    least: int
    default: str  # as written, or ""
    takes_strings: bool = False


@dataclass
class Signature:
    name: str
    inputs: list
    outputs: list
    attrs: dict
    deprecated: int  # the version from which on graphs may not use it, or 0


def parse_arg(text):
    name, dtype = text.split(": ", 1)
    is_ref = dtype.startswith("Ref(")
    dtype = dtype[4:-1] if is_ref else dtype
    count, _, dtype = dtype.rpartition(" * ")
    return Arg(name, dtype, count, is_ref)


def types_of(words):
    types = [dtype for word in words for dtype in GROUPS.get(word, [ALIASES.get(word, word)])]
    return [dtype for dtype in types if dtype in COMPUTED]


def parse_attr(text):
    declared, _, default = text.partition(" = ")
    declared, _, least = declared.partition(" >= ")
    if declared.replace(" ", "").startswith("{'"):
        return Attr("string", re.findall(r"'([^']*)'", declared), 0, default)
    if declared.startswith("list({"):
        words = declared[len("list({"):].rstrip("})").split(",")
        return Attr("list(type)", types_of(words), int(least or 0), default, "string" in words)
    if declared.startswith("{") or declared in GROUPS:
        words = [word.strip() for word in declared.strip("{}").split(",")]
        if set(words) == {"string", "variant"}:
            return Attr("type", ["string"], 0, default)
        return Attr("type", types_of(words), 0, default, "string" in words or "type" in words)
    return Attr(declared, [], int(least or 0), default, declared == "list(type)")


def split(text):
    return [part for part in text.split("; ") if part]


def parse(line):
    name, inputs, outputs, attrs, flags = line.split("\t")
    pairs = (part.split(": ", 1) for part in split(attrs))
    return Signature(name, [parse_arg(a) for a in split(inputs)],
                     [parse_arg(a) for a in split(outputs)],
                     {attr: parse_attr(text) for attr, text in pairs},
                     int((re.findall(r"Deprecated@(\d+)", flags) or [0])[0]))


def supported():
    """{name: signature} of all ops that the importer knows."""
    names = set()
    for table in TABLES.glob("*.cpp"):
        lines = table.read_text()
        for line in re.findall(r'^ +(?:(?:composite|moving)\()?\{"\w+",.*', lines, re.MULTILINE):
            names.update(re.findall(r'\{"(\w+)",(?: |$)', line))
        for name in re.findall(r'^ +SLUICE_BOTH_VERSIONS\("(\w+)",', lines, re.MULTILINE):
            names |= {name, name + "V2"}
    lines = (TABLES / "opdefs.tsv").read_text().splitlines()
    known = {line.split("\t", 1)[0]: line for line in lines if not line.startswith("#")}
    return {name: parse(known[name]) for name in sorted(names & set(known))}


def read_attributes():
    """{op: names of the attributes that the importer reads}, besides those of types and counts."""
    found = {}
    for line in PAGE.read_text().splitlines():
        if match := re.match(r"`(\w+)`(?: \((.*)\))?,?$", line):
            found[match[1]] = re.findall(r"`(\w+)`", match[2] or "")
    return found
