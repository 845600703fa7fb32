# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How checks end: a line for each fault, and exit code 1 if there is one."""

import pathlib
import sys


def report(faults):
    """Prints them and returns the exit code."""
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def check_tree(check):
    """`check` gives the faults of a source tree: that of the first argument, or this one."""
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    sys.exit(report(check(pathlib.Path(root).resolve())))
