#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that sources begin with their licence and their purpose, and that none is too long.

Usage: form_check.py [ROOT]. Prints a line for each fault; exit code 0 if there is none.
"""

import re

from faults import check_tree

AREAS = ["compiler", "dialects", "runtime", "tools", "packaging", "examples", "test"]
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
# How the purpose begins, on the line below the licence.
PURPOSE = {".py": '"""', **dict.fromkeys([".cpp", ".h", ".td", ".def", ".c", ".js"], "// ")}
OTHERS = re.compile(r"CMakeLists\.txt|.*\.(cmake|css|proto|sh)|run")
DATA = {"fixtures", "corpus", "__pycache__"}
MOST_LINES = 400  # what is longer wants to be two


def check_file(name, suffix, text):
    length = text.count("\n")
    lines = [line for line in text.splitlines()[:3] if not line.startswith("#!")] + ["", ""]
    if LICENCE not in lines[0]:
        return [f"{name}: expected the licence's line at the top"]
    faults = []
    if suffix in PURPOSE and not lines[1].startswith((PURPOSE[suffix], " * ")):
        faults.append(f"{name}: expected the file's purpose below the licence")
    if suffix in PURPOSE and length > MOST_LINES:
        faults.append(f"{name}: expected at most {MOST_LINES} lines but got {length}: "
                      "which two files is it?")
    return faults


def sources(folder):
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.is_dir() and path.name not in DATA:
            yield from sources(path)
        elif path.suffix in PURPOSE or OTHERS.fullmatch(path.name):
            yield path


def check(root):
    return [fault for area in AREAS for file in sources(root / area)
            for fault in check_file(file.relative_to(root).as_posix(), file.suffix,
                                    file.read_text())]


if __name__ == "__main__":
    check_tree(check)
