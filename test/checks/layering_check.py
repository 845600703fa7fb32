#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that includes between folders point one way. Prints a line for each that does not.

Usage: layering_check.py [ROOT]. Exit code 0 if all includes are allowed.
"""

import re

from faults import check_tree

# Folder → folders whose headers its files may include, beside its own. What is not named here may
# not be included; the longest matching folder on both sides counts.
MAY_INCLUDE = {
    "runtime/base": [],
    "runtime/memory": ["runtime/base"],
    "runtime/io": ["runtime/base", "runtime/memory"],
    # Regular expressions.
    "runtime/pattern": ["runtime/base", "runtime/memory", "runtime/io"],
    "runtime/workers": ["runtime/base"],
    # Devices with memory of their own; what has completed comes back as a worker's work does.
    "runtime/device": ["runtime/base", "runtime/memory", "runtime/workers"],
    # The simulated driver knows of programs only what the driver's interface says.
    "runtime/sim": ["runtime/base", "runtime/device"],
    # Readers read files.
    "runtime/state": ["runtime/base", "runtime/memory", "runtime/io"],
    "runtime/transport": ["runtime/base"],
    # What happens to one element: kernels and the compiler make code of it.
    "runtime/elements": ["runtime/base"],
    "runtime/kernels": ["runtime/base", "runtime/elements", "runtime/memory", "runtime/state",
                        "runtime/io", "runtime/pattern"],
    # The interface of compiled code, and what such code calls.
    "runtime/codelet": ["runtime/base", "runtime/elements", "runtime/memory", "runtime/state",
                        "runtime/kernels"],
    "runtime/program": ["runtime/base", "runtime/memory", "runtime/state", "runtime/kernels",
                        "runtime/codelet"],
    "runtime/trace": ["runtime/base", "runtime/io", "runtime/program"],
    # Files that a run goes on from; objects that live on are known by an interface.
    "runtime/checkpoint": ["runtime/base", "runtime/memory", "runtime/io", "runtime/state"],
    # The command line knows programs only by an interface, which executor and interpreter implement.
    "runtime/api": ["runtime/base", "runtime/memory", "runtime/io", "runtime/state",
                    "runtime/program", "runtime/checkpoint"],
    "runtime/executor": ["runtime/base", "runtime/memory", "runtime/state", "runtime/kernels",
                         "runtime/codelet", "runtime/program", "runtime/workers", "runtime/device", "runtime/api",
                         "runtime/trace"],
    "runtime/cluster": ["runtime/base", "runtime/memory", "runtime/io", "runtime/state",
                        "runtime/program", "runtime/checkpoint", "runtime/api", "runtime/executor",
                        "runtime/transport", "runtime/trace"],
    # Programs in the processes of others.
    "runtime/embed": ["runtime/base", "runtime/memory", "runtime/io", "runtime/state",
                      "runtime/program", "runtime/api", "runtime/executor"],
    "runtime/main": ["runtime/base", "runtime/memory", "runtime/program", "runtime/api",
                     "runtime/executor", "runtime/cluster", "runtime/embed"],
    "dialects": ["runtime"],
    "compiler/import": ["runtime", "dialects"],
    "compiler/optimize": ["runtime", "dialects"],
    "compiler/raise": ["runtime", "dialects"],
    "compiler/differentiate": ["runtime", "dialects"],
    "compiler/lower": ["runtime", "dialects"],
    "compiler/place": ["runtime", "dialects", "compiler/import", "compiler/optimize"],
    # The oracle shares only the plain kernels with what it judges: no executor, no program.
    "compiler/interpret": ["runtime/base", "runtime/memory", "runtime/state", "runtime/kernels",
                           "runtime/api", "dialects"],
    "compiler/partition": ["runtime", "dialects"],
    # Both move ops out of loops, and ask whether a loop runs at all.
    "compiler/codegen": ["runtime", "dialects", "compiler/optimize"],
    "compiler/emit": ["runtime", "dialects", "compiler/codegen"],
    # Tells of all phases but changes nothing.
    "compiler/report": ["runtime", "dialects", "compiler/raise", "compiler/partition",
                        "compiler/codegen", "compiler/emit"],
    "compiler/pipeline": ["runtime", "dialects", "compiler"],
    "tools": ["runtime", "dialects", "compiler"],
    # Judges programs from outside, so it may know nothing of how they are made.
    "tools/sluice-conformance": [],
    # Runs where there is no LLVM.
    "tools/sluice-run": ["runtime/base", "runtime/io", "runtime/transport", "runtime/api",
                         "tools/manual"],
    "tools/manual": ["runtime/base", "runtime/api"],
    "tools/process": ["runtime/base"],
    "test": ["runtime", "dialects", "compiler", "tools"],
}

# Headers of others that a folder may never include.
NEVER = {
    "runtime": r"(mlir|mlir-c|llvm|llvm-c|lld|clang|google/protobuf)/",
    "tools/sluice-run": r"(mlir|mlir-c|llvm|llvm-c|lld|clang|google/protobuf)/",
    "tools/manual": r"(mlir|mlir-c|llvm|llvm-c|lld|clang|google/protobuf)/",
    "dialects": r"google/protobuf/",
    # What code is made of knows nothing of what it is made for.
    "compiler/codegen/shapes": r"compiler/codegen/(elements|plan|cpu|gpu|cuda|sim)/",
    "compiler/codegen/elements": r"compiler/codegen/(shapes|plan|cpu|gpu|cuda|sim)/",
    "compiler/codegen/plan": r"compiler/codegen/(cpu|gpu|cuda|sim)/",
    # Code of the host is the same whatever cards there are, and kernels whatever makes them code.
    "compiler/codegen/cpu": r"compiler/codegen/(gpu|cuda|sim)/",
    "compiler/codegen/gpu": r"compiler/codegen/(cuda|sim)/",
    "compiler/codegen/cuda": r"compiler/codegen/sim/",
}

SUFFIXES = {".h", ".cpp", ".c", ".def", ".inc", ".td"}
AREAS = ["runtime", "dialects", "compiler", "tools", "test"]
INCLUDE = re.compile(r'^\s*(?:#\s*)?include\s+([<"])([^>"]+)[>"]')


def within(folder, path):
    return path == folder or path.startswith(folder + "/")


def rule_for(path):
    """The most particular folder of the table that holds a path, or None."""
    holders = [folder for folder in MAY_INCLUDE if within(folder, path)]
    return max(holders, key=len, default=None)


def find_fault(path, header, quoted):
    """Why a file may not include a header, or None."""
    for folder, forbidden in NEVER.items():
        if within(folder, path) and re.match(forbidden, header):
            return f"{folder}/ never includes '{header}'"
    if not quoted or not any(within(area, header) for area in AREAS):
        return None
    rule = rule_for(path)
    if rule is None:
        return "this folder has no line in the table of test/checks/layering_check.py"
    if within(rule, header):
        return None
    if any(within(allowed, header) for allowed in MAY_INCLUDE[rule]):
        return None
    return f"{rule}/ does not include '{header}'"


def check_file(root, file):
    path = file.relative_to(root).as_posix()
    faults = []
    for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
        if match := INCLUDE.match(line):
            if fault := find_fault(path, match.group(2), match.group(1) == '"'):
                faults.append(f"{path}:{number}: {fault}")
    return faults


def check(root):
    """All faults of the sources under a folder."""
    faults = []
    for area in AREAS:
        for file in sorted((root / area).rglob("*")):
            if file.suffix in SUFFIXES and file.is_file():
                faults += check_file(root, file)
    return faults


if __name__ == "__main__":
    check_tree(check)
