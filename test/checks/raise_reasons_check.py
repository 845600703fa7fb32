#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every reason for which a branch, loop or array is not raised occurs in a test.

usage: raise_reasons_check.py SOURCE_FOLDER

A reason is a text of several words in the sources below, or a part of one between names. It has to
stand, as it is, in a test of the same room.
"""

import pathlib
import re
import sys

SOURCES = ["Branch.cpp", "FindBranches.cpp", "FindLoops.cpp", "RaiseGraph.cpp",
           "SplitCircularBranches.cpp", "ArrayUses.cpp", "ArrayErrors.cpp", "Containers.cpp"]
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def reasons(text):
    """Of a source file, without comments and includes. Texts that stand next to each other are one."""
    code = re.sub(r"//.*|#include.*", "", text)
    joined = re.sub(r'"\s*\n\s*"', "", code)
    return {literal for literal in LITERAL.findall(joined) if len(literal.split()) > 1}


def missing(root):
    """(file, reason) for each reason that no test has."""
    tests = "".join(path.read_text() for path in sorted((root / "test/compiler/raise").rglob("*"))
                    if path.is_file())
    for name in SOURCES:
        found = reasons((root / "compiler/raise" / name).read_text())
        yield from ((name, reason) for reason in sorted(found) if reason not in tests)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    untested = list(missing(pathlib.Path(sys.argv[1])))
    for name, reason in untested:
        print(f"compiler/raise/{name}: '{reason}': expected a test in test/compiler/raise/ with this "
              "reason")
    print(f"{len(untested)} reasons without a test")
    return 1 if untested else 0


if __name__ == "__main__":
    sys.exit(main())
