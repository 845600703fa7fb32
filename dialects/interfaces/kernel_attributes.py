#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the headers with which kernels read the attributes of their ops by name.

Usage: kernel_attributes.py RECORDS FOLDER DIALECT…
RECORDS is what `llvm-tblgen -dump-json` says of the definitions of all ops. An op with a kernel and
attributes becomes a struct with a function for each attribute, in FOLDER/DIALECT.h, and a row of
the table in FOLDER/all.h that says in which order attributes are passed
(runtime/kernels/op_attributes.h): alphabetically by their names. A kernel includes the header of its
dialect alone, so it is not compiled again when an op of another one changes.
"""

import json
import pathlib
import sys

# What an attribute is in an op's definition → in a kernel: a type of C++, and the member of rt::Attr.
KINDS = {
    "BoolAttr": ("bool", "boolean"),
    "I64Attr": ("int64_t", "integer"),
    "DenseI64ArrayAttr": ("std::span<const int64_t>", "integers"),
    "StrAttr": ("std::string_view", "text"),
    "TypeArrayAttr": ("std::span<const int64_t>", "integers"),  # see runtime/state/components.h
    "FlatSymbolRefAttr": ("size_t", "resource"),
    "Sluice_ElementTypeAttr": ("DType", "dtype"),
    "Sluice_ElementShapeAttr": ("Shape", "shape"),
}

HEADER = """\
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// {purpose}. Generated from the definitions of the ops by
// dialects/interfaces/kernel_attributes.py.
#pragma once

{includes}

namespace sluice::rt::attributes {{
{body}
}} // namespace sluice::rt::attributes
"""


class DefinitionError(Exception):
    pass


def camel(name):
    """element_shape → ElementShape."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def attributes_of(records, op):
    """[(name, type of C++, member of rt::Attr)] in the order in which they are passed."""
    found = []
    for reference, name in op["arguments"]["args"]:
        kind = reference["def"]
        if "AttrConstraint" not in records[kind]["!superclasses"]:
            continue
        if kind not in KINDS:
            raise DefinitionError(
                f"{op['!name']}: expected an attribute that kernels can read as '{name}' "
                f"({', '.join(KINDS)}) but got {kind}")
        found.append((name, *KINDS[kind]))
    return sorted(found)


def ops_with_attributes(records):
    """[(dialect, mnemonic, attributes)] of the ops with kernels that have some, sorted by name."""
    ops = []
    for op in map(records.get, records["!instanceof"]["Op"]):
        if not any(trait["def"] == "HasKernel" for trait in op["traits"]):
            continue
        if attributes := attributes_of(records, op):
            ops.append((records[op["opDialect"]["def"]]["name"], op["opName"], attributes))
    return sorted(ops)


def struct(dialect, mnemonic, attributes):
    name = camel(mnemonic)
    rows = ", ".join(f'{{"{attribute}", "{type_}"}}' for attribute, type_, _ in attributes)
    lines = [f"// {dialect}.{mnemonic}", f"struct {name} : Reader {{",
             f"  static constexpr Attribute kAttributes[] = {{{rows}}};",
             f"  explicit {name}(const auto &call) : Reader(call, std::size(kAttributes)) {{}}"]
    for position, (attribute, type_, member) in enumerate(attributes):
        accessor = camel(attribute)
        lines.append(f"  {type_} {accessor[0].lower() + accessor[1:]}() const "
                     f"{{ return attrs_[{position}].{member}(); }}")
    return "\n".join([*lines, "};", ""])


def header_of(dialect, ops):
    """The accessors of one dialect."""
    structs = "\n".join(struct(*op) for op in ops if op[0] == dialect)
    return HEADER.format(purpose=f"The attributes of {dialect} ops, for their kernels",
                         includes='#include "runtime/kernels/op_attributes.h"',
                         body=f"namespace {dialect} {{\n{structs}}} // namespace {dialect}")


def table_of(dialects, ops):
    """The table of the ops of all dialects."""
    rows = "".join(f'    {{"{dialect}.{mnemonic}", {dialect}::{camel(mnemonic)}::kAttributes}},\n'
                   for dialect, mnemonic, _ in ops)
    includes = "\n".join(f'#include "runtime/kernels/attributes/{each}.h"' for each in dialects)
    return HEADER.format(purpose="The attributes of all ops", includes=includes,
                         body="// Sorted by name. Ops that are not here have no attributes.\n"
                              f"inline constexpr Op kOps[] = {{\n{rows}}};\n")


def headers(records, dialects):
    """Texts by file names."""
    ops = ops_with_attributes(records)
    if missing := {dialect for dialect, _, _ in ops} - set(dialects):
        raise DefinitionError(f"expected a header for the dialect {min(missing)}")
    return {"all.h": table_of(dialects, ops)} | {f"{each}.h": header_of(each, ops) for each in dialects}


def main():
    records, folder = map(pathlib.Path, sys.argv[1:3])
    try:
        texts = headers(json.loads(records.read_text()), sorted(sys.argv[3:]))
    except DefinitionError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        # What includes it need not be compiled again if nothing has changed.
        if not (folder / name).exists() or (folder / name).read_text() != text:
            (folder / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
