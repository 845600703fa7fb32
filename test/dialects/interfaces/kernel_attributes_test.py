#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the generator of accessors: the order of attributes, names, and what it refuses."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
GENERATOR = pathlib.Path(__file__).parents[3] / "dialects/interfaces/kernel_attributes.py"
sys.path.insert(0, str(GENERATOR.parent))
import kernel_attributes  # noqa: E402


def records(*ops):
    """As llvm-tblgen would write them; an op is (name, [(kind, name of an argument)], traits)."""
    found = {"!instanceof": {"Op": [name for name, _, _ in ops]},
             "D": {"name": "nd"}, "ND_Any": {"!superclasses": ["Constraint", "TypeConstraint"]}}
    for name, arguments, traits in ops:
        found[name] = {"!name": name, "opName": name, "opDialect": {"def": "D"},
                       "arguments": {"args": [[{"def": kind}, each] for kind, each in arguments]},
                       "traits": [{"def": trait} for trait in traits]}
        for kind, _ in arguments:
            found.setdefault(kind, {"!superclasses": ["Constraint", "AttrConstraint", "Attr"]})
    return found


KERNEL = ["Pure", "HasKernel"]


class Accessors(unittest.TestCase):
    def texts(self, *ops):
        return "".join(kernel_attributes.headers(records(*ops), ["nd"]).values())

    def test_attributes_are_sorted_by_name_and_counted_without_operands(self):
        text = self.texts(
            ("one_hot", [("StrAttr", "what"), ("ND_Any", "x"), ("BoolAttr", "at_end")], KERNEL))
        self.assertIn("struct OneHot : Reader {", text)
        self.assertIn("bool atEnd() const { return attrs_[0].boolean(); }", text)
        self.assertIn("std::string_view what() const { return attrs_[1].text(); }", text)
        self.assertIn('{"nd.one_hot", nd::OneHot::kAttributes},', text)

    def test_only_ops_with_kernels_and_attributes_have_some(self):
        text = self.texts(
            ("b", [("I64Attr", "n")], KERNEL), ("a", [("I64Attr", "n")], KERNEL),
            ("bare", [("ND_Any", "x")], KERNEL), ("steers", [("F32Attr", "n")], ["Pure"]))
        self.assertNotIn("Bare", text)
        self.assertNotIn("Steers", text)
        self.assertLess(text.index('{"nd.a"'), text.index('{"nd.b"'))

    def test_what_kernels_cannot_read_is_an_error_that_names_it(self):
        with self.assertRaisesRegex(kernel_attributes.DefinitionError,
                                    "a: expected an attribute .* as 'n' .* but got F32Attr"):
            self.texts(("a", [("F32Attr", "n")], KERNEL))

    def test_each_dialect_has_a_header_and_a_table_has_all(self):
        texts = kernel_attributes.headers(records(("a", [("I64Attr", "n")], KERNEL)), ["nd", "other"])
        self.assertEqual(sorted(texts), ["all.h", "nd.h", "other.h"])
        self.assertIn("struct A : Reader {", texts["nd.h"])
        self.assertNotIn("struct", texts["other.h"])
        self.assertIn('#include "runtime/kernels/attributes/other.h"', texts["all.h"])
        with self.assertRaisesRegex(kernel_attributes.DefinitionError, "header for the dialect nd"):
            kernel_attributes.headers(records(("a", [("I64Attr", "n")], KERNEL)), ["other"])


class File(unittest.TestCase):
    def test_an_equal_header_is_not_written_again(self):
        with tempfile.TemporaryDirectory() as folder:
            source, header = pathlib.Path(folder) / "ops.json", pathlib.Path(folder) / "a/all.h"
            source.write_text('{"!instanceof": {"Op": []}}')
            command = [sys.executable, str(GENERATOR), str(source), str(header.parent), "nd"]
            subprocess.run(command, check=True)
            written = header.stat().st_mtime_ns
            subprocess.run(command, check=True)
            self.assertEqual(header.stat().st_mtime_ns, written)
            header.write_text("other")
            subprocess.run(command, check=True)
            self.assertIn("inline constexpr Op kOps[]", header.read_text())


if __name__ == "__main__":
    unittest.main()
