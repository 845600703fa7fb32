#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the programs we build, those that sluicec makes, and what it links into them are hardened
as docs/rationale/hardening.md says. Reads the files itself.

Usage: hardening_check.py BUILD [--graph FILE] [--no-fortify]
Prints a line for each fault and exits with 1 if there is one. What depends on the system's own start
files is told but is no fault.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import elf_file as elf

# Programs that call no function of the C library on a buffer whose size a compiler could know.
WITHOUT_BUFFERS = {"sluice-translate"}
ARCHIVES = ["libsluice_runtime.a", "libsluice_main.a", "libsluice_member_main.a", "libsluice_sim.a"]


def faults_of_program(file, guarded=True, fortified=True):
    """What is wrong with an executable, one text each. `guarded`: it was compiled with our flags, not
    only linked."""
    dynamic, imports = file.dynamic(), file.imports()
    flags, flags_1 = dynamic.get(elf.DT_FLAGS, 0), dynamic.get(elf.DT_FLAGS_1, 0)
    stacks = [s for s in file.segments if s.kind == elf.PT_GNU_STACK]
    loads = [s for s in file.segments if s.kind == elf.PT_LOAD]
    rules = [
        (file.kind == elf.ET_DYN and flags_1 & elf.DF_1_PIE, "is not position-independent (-pie)"),
        (stacks and not any(s.flags & elf.PF_X for s in stacks),
         "has an executable stack (-z noexecstack)"),
        (any(s.kind == elf.PT_GNU_RELRO for s in file.segments),
         "keeps its relocated tables writable (-z relro)"),
        (flags & elf.DF_BIND_NOW or flags_1 & elf.DF_1_NOW,
         "binds functions lazily (-z now)"),
        (elf.DT_TEXTREL not in dynamic and not flags & elf.DF_TEXTREL,
         "relocates its code (-z text)"),
        (not any(s.flags & elf.PF_W and s.flags & elf.PF_X for s in loads),
         "has a segment that is writable and executable"),
        (not guarded or "__stack_chk_fail" in imports, "guards no stack frame (-fstack-protector-strong)"),
        (not (guarded and fortified) or any(name.endswith("_chk") for name in imports),
         "checks no buffer of the C library's functions (_FORTIFY_SOURCE)"),
    ]
    return [text for holds, text in rules if not holds]


def faults_of_generated(file):
    """What is wrong with an executable that sluicec made beyond that."""
    dynamic = file.dynamic()
    if elf.DT_RPATH in dynamic or elf.DT_RUNPATH in dynamic:
        return ["looks for libraries in folders of its own (-rpath)"]
    return []


def faults_of_object(file):
    """What is wrong with an object file that becomes part of executables."""
    if file.machine != elf.EM_X86_64:
        return []
    missing = [name for name, bit in (("IBT", elf.IBT), ("SHSTK", elf.SHSTK))
               if not file.control_flow_protection() & bit]
    faults = [f"is not marked for {' and '.join(missing)} (-fcf-protection=full)"] if missing else []
    if not any(s.name == ".note.GNU-stack" for s in file.sections):
        faults.append("does not say that its stack is not executable")
    return faults


class Report:
    def __init__(self):
        self.faults, self.checked = [], 0

    def add(self, path, faults):
        self.checked += 1
        self.faults += [f"{path}: {fault}" for fault in faults]

    def program(self, path, faults_of):
        file = elf.ElfFile(path.read_bytes())
        self.add(path.name, faults_of(file))
        return file


def compile_graph(build, graph, folder, *flags):
    command = [build / "bin/sluicec", graph, *flags, "-o", folder / "made"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL, timeout=300)
    return folder / "made"


def check_generated(build, graph, report, fortified):
    """Executables of one and of two devices, and an object file with a codelet."""
    values = ["--feed=x", "--feed=y", "--fetch=sum"]

    def faults(file):
        return faults_of_program(file, True, fortified) + faults_of_generated(file)

    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        alone = report.program(compile_graph(build, graph, folder, *values), faults)
        (folder / "made").unlink()
        made = compile_graph(build, graph, folder, *values, "--emit=obj")
        report.add("object file with a codelet",
                   faults_of_object(elf.ElfFile(made.read_bytes())))
        made.unlink()
        compile_graph(build, graph, folder, *values, "--devices=2")
        for path in sorted((folder / "made").glob("*.rank*")):
            report.program(path, faults)
    if alone.machine == elf.EM_X86_64 and not alone.control_flow_protection() & elf.IBT:
        print("note: executables are not marked for IBT and SHSTK as a whole, because the system's "
              "start files or C library are not; all that is ours is")


def check(build, graph, fortified):
    report = Report()
    for path in sorted((build / "bin").glob("sluice*")):
        checks_buffers = fortified and path.name not in WITHOUT_BUFFERS
        report.program(path, lambda file: faults_of_program(file, fortified=checks_buffers))
    for name in ARCHIVES:
        for member, content in elf.members((build / "lib/sluice" / name).read_bytes()):
            report.add(f"{name}({member})", faults_of_object(elf.ElfFile(content)))
    check_generated(build, graph, report, fortified)
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--graph", type=pathlib.Path,
                        default=pathlib.Path(__file__).parent.parent / "bench/add.pbtxt")
    parser.add_argument("--no-fortify", action="store_true",
                        help="the build is not optimized, or has sanitizers")
    options = parser.parse_args()
    report = check(options.build.resolve(), options.graph.resolve(),
                   not options.no_fortify)
    for fault in report.faults:
        print(fault)
    print(f"{report.checked} files, {len(report.faults)} faults")
    return 1 if report.faults or not report.checked else 0


if __name__ == "__main__":
    sys.exit(main())
