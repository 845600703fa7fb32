#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The numbers in docs/wire-protocol.md are those of the sources: element types, status codes,
messages and refusals."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/wire-protocol.md").read_text()


def source(path):
    return (ROOT / "runtime" / path).read_text()


def enumerators(path, name):
    """Their names by number, in the way of C++."""
    body = re.search(rf"enum class {name} : \w+ {{(.*?)}};", source(path), re.DOTALL).group(1)
    result, number = {}, 0
    for line in re.sub(r"//.*", "", body).split(","):
        match = re.fullmatch(r"\s*k(\w+)(?:\s*=\s*(\w+))?\s*", line)
        if not match:
            continue
        if match.group(2):
            value = match.group(2)
            number = int(value) if value.isdigit() else constant(path, value)
        result[number] = match.group(1)
        number += 1
    return result


def constant(path, name):
    text = source(path) + source("transport/transport.h")
    return int(re.search(rf"{name} = (\d+);", text).group(1))


def words(name):
    """kFailedPrecondition as a status code is called."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()


def table_after(line):
    """Number and name of each field in the table behind a line of the page."""
    block = PAGE.split(line, 1)[1].lstrip().split("\n\n", 1)[0]
    return {int(number): name for number, name in re.findall(r"\| (\d+) (\w+) ", block)}


def rows_after(line, *columns):
    block = PAGE.split(line, 1)[1].lstrip().split("\n\n", 1)[0]
    rows = [[field.strip() for field in row.split("|")[1:-1]] for row in block.splitlines()]
    return {int(row[number]): row[text] for row in rows for number, text in columns
            if row[number].isdigit()}


class ProtocolNumbers(unittest.TestCase):
    maxDiff = None

    def test_element_types(self):
        names = {number: name.lower() for number, name in
                 enumerators("base/dtype.h", "DType").items()}
        self.assertEqual(names.pop(max(names)), "invalid")
        names[len(names)] = "none"
        self.assertEqual(table_after("<!-- element types, checked -->"), names)

    def test_status_codes(self):
        codes = {number: words(name) for number, name in
                 enumerators("base/status.h", "Code").items()}
        self.assertGreater(len(codes), 10)
        self.assertEqual(table_after("<!-- status codes, checked -->"), codes)

    def test_messages(self):
        names = enumerators("cluster/messages.h", "MessageType")
        self.assertEqual(names.pop(max(names)), "Count")
        told = rows_after("of a call later than those that can be under way.",
                          (0, 1))
        self.assertEqual({number: name.replace(" ", "") for number, name in told.items()},
                         {number: words(name).replace("_", "").lower()
                          for number, name in names.items()})

    def test_refusals(self):
        codes = enumerators("transport/tcp/frame.h", "RefusalCode")
        told = rows_after("**refusal**: a code in one byte, then text for people.", (0, 1), (2, 3))
        self.assertEqual(told.keys(), codes.keys())

    def test_frames(self):
        kinds = enumerators("transport/tcp/frame.h", "FrameKind")
        told = re.search(r"\| kind: (.*?) \|", PAGE).group(1)
        self.assertEqual(told, ", ".join(f"{number} {name.lower()}"
                                         for number, name in kinds.items()))


if __name__ == "__main__":
    unittest.main()
