# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The op records of the dialects, as TableGen sees them. The reference pages and the record check
are made from the same data, so what is checked is what is shown."""

import inspect
import json
import pathlib
import re
import subprocess
from dataclasses import dataclass, field

DIALECTS = ["flow", "nd", "nn", "sci", "array", "list", "state", "wire", "exe"]


@dataclass
class Value:
    """An operand, attribute or result."""
    name: str
    what: str
    variadic: bool = False


@dataclass
class Record:
    dialect: str
    name: str  # with the dialect: nd.add
    family: str  # the file's folder below the dialect, or nothing
    file: str
    summary: str
    semantics: str
    fires: str
    dead: str
    failures: str
    constraints: str
    example: str
    operands: list = field(default_factory=list)
    attributes: list = field(default_factory=list)
    results: list = field(default_factory=list)

    def numbered_constraints(self):
        """[(number, text)]; nothing where the record says "none."."""
        parts = re.split(r"\bC(\d+)\. ", self.constraints)
        return [(int(n), text.strip()) for n, text in zip(parts[1::2], parts[2::2])]


@dataclass
class Dialect:
    name: str
    summary: str
    description: str
    types: list  # [(text, summary)]
    records: list


def op_files(root):
    """The files that define ops, family by family."""
    for dialect in DIALECTS:
        for file in sorted((root / "dialects" / dialect).rglob("*.td")):
            if not file.stem.endswith("Base"):
                yield dialect, file


def dump(tblgen, root, mlir_include, file):
    command = [tblgen, "--dump-json", "-I", str(root), "-I", mlir_include, str(file)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def _values(records, dag, attributes):
    """The operands (or results), or the attributes, of a dag of arguments."""
    found = []
    for reference, name in dag["args"]:
        record = records[reference["def"]]
        classes = record["!superclasses"]
        if ("AttrConstraint" in classes) != attributes:
            continue
        if "Variadic" in classes:
            base = records[record["baseType"]["def"]]
            found.append(Value(name, base["summary"], True))
        else:
            found.append(Value(name, record["summary"]))
    return found


def _record(records, op, dialect, file, root):
    texts = {key: (op.get(key) or "").strip()
             for key in ["summary", "semantics", "fires", "dead", "failures", "constraints",
                         "example"]}
    family = file.parent.name if file.parent.name != dialect else ""
    return Record(dialect, f"{dialect}.{op['opName']}", family,
                  file.relative_to(root).as_posix(), **texts,
                  operands=_values(records, op["arguments"], attributes=False),
                  attributes=_values(records, op["arguments"], attributes=True),
                  results=_values(records, op["results"], attributes=False))


def load_file(tblgen, root, mlir_include, dialect, file):
    """The records of one file in the order in which it defines them."""
    records = dump(tblgen, root, mlir_include, file)
    ops = [records[name] for name in records["!instanceof"]["Op"]]
    order = {m: i for i, m in enumerate(re.findall(r"^def (\w+)", file.read_text(), re.MULTILINE))}
    # Those of files that are included have been or will be read with these.
    ops = [op for op in ops if op["!name"] in order
           and records[op["opDialect"]["def"]]["name"] == dialect]
    ops.sort(key=lambda op: order[op["!name"]])
    return [_record(records, op, dialect, file, root) for op in ops]


def load(tblgen, root, mlir_include):
    """All records of all dialects."""
    root = pathlib.Path(root)
    return [record for dialect, file in op_files(root)
            for record in load_file(tblgen, root, mlir_include, dialect, file)]


def load_dialects(tblgen, root, mlir_include):
    """All dialects with their types and records."""
    root = pathlib.Path(root)
    records = load(tblgen, root, mlir_include)
    dialects = []
    for name in DIALECTS:
        base = root / "dialects" / name / f"{name.capitalize()}Base.td"
        defs = dump(tblgen, root, mlir_include, base)
        this = next(d for d in map(defs.get, defs["!instanceof"]["Dialect"]) if d["name"] == name)
        types = [(f"!{name}.{t['mnemonic']}", t["summary"])
                 for t in map(defs.get, defs["!instanceof"].get("TypeDef", []))
                 if t["dialect"]["def"] == this["!name"]]
        dialects.append(Dialect(name, this["summary"], inspect.cleandoc(this["description"]),
                                sorted(types), [r for r in records if r.dialect == name]))
    return dialects
