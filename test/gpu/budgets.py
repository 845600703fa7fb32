#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assembles the kernels of programs and looks at what they take of a card: registers, spills, shared memory.

Usage: budgets.py SLUICEC [-v]

Programs are some of those that are timed on a card (card/graphs.py), for each architecture that executables
carry code for. The assembler is the ptxas of $PTXAS, $CUDA_HOME/bin, PATH or /usr/local/cuda/bin; without one
everything is skipped. A kernel fails if it spills, if it has more registers than its kind's budget, or more than
48 KiB of shared variables, which is the most that every card has. -v prints a line for each kernel. Each kernel of
each architecture is a test; the last line is `N passed, N failed`.

A failure here is a kernel that became slower, or a change that is worth it: then the budget changes with it.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

PROGRAMS = ["chain", "softmax", "matmul", "matmul-f16", "convolution", "lstm-32", "lstm-32-training",
            "lstm-512-training", "tiny-loop-on-card"]
ARCHITECTURES = ["sm_80", "sm_90", "sm_100"]

MOST_SHARED = 48 << 10
REDUCTION_SHARED = 4 << 10  # bytes; the tiles of products have more
# Of ptxas 12.9 and 13.0: elements at most 48, reductions 24, products 166. A card has 65,536 registers for the
# threads that it runs at a time, 2,048 at most: 32 for each. Elements read and write, and want many
# threads; products want their tile in registers, and 256 threads with 168 are one block at a time.
REGISTERS = {"elements": 56, "reductions": 32, "products": 168}
# Chains of 16-bit products read element by element, and have 213; of tensor cores, 168, and 178 of f32. All are one
# block at a time.
MORE_REGISTERS = {("matmul-f16", "products"): 216,
                  **{(name, "products"): 180
                     for name in ("matmul", "lstm-32", "lstm-32-training", "lstm-512-training")}}
# Bytes. For sm_90 ptxas holds the largest tile at 128 registers, two blocks at a time, and four
# words are left over.
SPILLS = {("products", "sm_90"): 16}

ASSEMBLER = """#!/bin/sh
'{ptxas}' -v "$@" >'{folder}/said' 2>&1
code=$?
cat '{folder}/said' >>'{folder}/log'
cat '{folder}/said' >&2
exit $code
"""


@dataclass
class Kernel:
    name: str
    architecture: str
    registers: int = 0
    shared: int = 0
    spills: int = 0

    def kind(self):
        if self.shared == 0:
            return "elements"
        return "reductions" if self.shared <= REDUCTION_SHARED else "products"

    def faults(self, program):
        most = MORE_REGISTERS.get((program, self.kind()), REGISTERS[self.kind()])
        if self.registers > most:
            yield f"expected at most {most} registers for {self.kind()} but got {self.registers}"
        if self.shared > MOST_SHARED:
            yield f"expected at most {MOST_SHARED} bytes of shared memory but got {self.shared}"
        if self.spills > SPILLS.get((self.kind(), self.architecture), 0):
            yield f"spills {self.spills} bytes"


def find_assembler():
    if path := os.environ.get("PTXAS"):
        return path
    folders = [f"{os.environ['CUDA_HOME']}/bin"] if os.environ.get("CUDA_HOME") else []
    folders += [os.environ.get("PATH", ""), "/usr/local/cuda/bin"]
    return shutil.which("ptxas", path=os.pathsep.join(folders))


def kernels(log):
    """What ptxas says of each kernel, in the order that it says it."""
    found = []
    for line in log.splitlines():
        if match := re.search(r"Compiling entry function '(\w+)' for '(\w+)'", line):
            found.append(Kernel(*match.groups()))
        elif match := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line):
            found[-1].spills = max(map(int, match.groups()))
        elif match := re.search(r"Used (\d+) registers", line):
            found[-1].registers = int(match.group(1))
            shared = re.search(r"(\d+) bytes smem", line)
            found[-1].shared = int(shared.group(1)) if shared else 0
    return found


def assembled(sluicec, ptxas, graphs, program):
    """Its kernels, for all architectures."""
    with tempfile.TemporaryDirectory() as folder:
        wrapper = pathlib.Path(folder) / "ptxas"
        wrapper.write_text(ASSEMBLER.format(ptxas=ptxas, folder=folder))
        wrapper.chmod(0o755)
        flags = (graphs / f"{program}.flags").read_text().splitlines()
        run = subprocess.run([sluicec, str(graphs / f"{program}.pbtxt"),
                              "--target=cuda:" + ",".join(ARCHITECTURES), "--card-only", *flags,
                              "-o", f"{folder}/program"],
                             stdout=subprocess.DEVNULL, env={**os.environ, "PTXAS": str(wrapper)})
        return kernels((pathlib.Path(folder) / "log").read_text()) if run.returncode == 0 else []


def main():
    sluicec, *flags = sys.argv[1:]
    ptxas = find_assembler()
    if not ptxas:
        print("no ptxas in $PTXAS, $CUDA_HOME/bin, PATH or /usr/local/cuda/bin: nothing was assembled")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        graphs = pathlib.Path(folder)
        subprocess.run([sys.executable, str(pathlib.Path(__file__).parent / "card/graphs.py"), folder],
                       check=True)
        for program in PROGRAMS:
            found = assembled(sluicec, ptxas, graphs, program)
            if {kernel.architecture for kernel in found} != set(ARCHITECTURES):
                print(f"failed {program}: expected kernels for {', '.join(ARCHITECTURES)}")
                failed += 1
            for kernel in found:
                if "-v" in flags:
                    print(f"{program} {kernel.architecture} {kernel.name}: {kernel.kind()}, "
                          f"{kernel.registers} registers, {kernel.shared} bytes shared, "
                          f"{kernel.spills} spilt")
                faults = list(kernel.faults(program))
                for fault in faults:
                    print(f"failed {program}: {kernel.name} for {kernel.architecture}: {fault}")
                passed, failed = passed + (not faults), failed + bool(faults)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
