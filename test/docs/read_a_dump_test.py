#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of docs/how-to/read-a-dump.md, and checks that the lines it shows are in the dump.

Usage: read_a_dump_test.py FOLDER_OF_TOOLS
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/how-to/read-a-dump.md"


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def without_locations(line):
    return re.sub(r" loc\(.*\)$", "", line).strip()


def main():
    tools = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "test/bench/while_scalar.pbtxt", f"{folder}/loop.pbtxt")
        script = "set -euo pipefail\n" + "\n".join(blocks("sh"))
        done = subprocess.run(["bash", "-c", script], cwd=folder, text=True, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
        if done.returncode:
            sys.exit(f"error: exit code {done.returncode}\n{done.stdout}")
        dumped = {without_locations(line) for file in pathlib.Path(folder, "dump").iterdir()
                  for line in file.read_text().splitlines()}
    shown = [line for block in blocks("mlir") for line in block.splitlines()]
    missing = [line for line in shown if line not in dumped]
    for line in missing:
        print(f"not in the dump: {line}")
    if missing or len(shown) < 10 or "--raise-control-flow" not in done.stdout:
        sys.exit("error: the page does not show what the compiler writes")


main()
