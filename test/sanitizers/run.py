#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the runtime with a sanitizer, and runs its tests and programs that are linked with it.

The address sanitizer (with the one for undefined behaviour) sees all tests of the runtime; the one
for threads sees those with several threads or ranks, and programs with workers. Then recorded runs are replayed: some by
executables that run alone, some as two processes over TCP, some as three devices in threads of one
process. The last line is `N passed, N failed`.
"""

import argparse
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite_parts  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "test" / "conformance" / "fixtures"
# Of every kind of control flow, for programs that run alone and for those cut in parts.
ALONE = {"address": "*.test*Grad*", "thread": "*ray*"}
CUT = {"address": "*Nested*", "thread": "*.ControlFlow.testWh*[a-z]"}
# Of those cut in parts, so many at least have to send values inside loops.
LEAST_CUT = {"address": 4, "thread": 20}
DEADLINE = 240  # seconds for a process that usually takes one


def link_compiler(build, folder):
    """The compiler as a file of its own beside the sanitized runtime, where it looks for one."""
    (folder / "bin").mkdir(exist_ok=True)
    compiler = folder / "bin" / "sluicec"
    compiler.unlink(missing_ok=True)
    os.link(build / "bin" / "sluicec", compiler)
    return compiler


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="build folder, for example build/release")
    parser.add_argument("kind", choices=["address", "thread"])
    parser.add_argument("--all", action="store_true", help="replay all recorded runs, not a part")
    options = parser.parse_args()
    build = options.build.resolve()
    folder = build / "sanitizers" / options.kind
    suite_parts.build(build, f"sanitizers-{options.kind}")
    os.environ.setdefault("TSAN_OPTIONS", "halt_on_error=1")
    program = [build / "bin" / "sluice-conformance", "--timeout", str(DEADLINE)]
    if options.kind == "thread":
        program.append("--workers=2")  # and all that can go to them does
    program.append("--compiler")
    replay = [*program, link_compiler(build, folder)]
    in_process = [*program, folder / "bin" / f"sluicec-{options.kind}"]
    alone = [FIXTURES] if options.all else ["--filter", ALONE[options.kind], FIXTURES / "tf1"]
    cut = [FIXTURES / "tf1"] if options.all else ["--filter", CUT[options.kind], FIXTURES / "tf1"]
    cut += ["--least-cut-in-loops", str(LEAST_CUT[options.kind])]
    results = [suite_parts.run(command) for command in (
        [folder / f"runtime-tests-{options.kind}"],
        [*replay, *alone],
        # Without a seed, recorded graphs are whole on one device: they ask for nothing.
        [*replay, "--devices", "2", "--placement-seed", "1", "--transport=tcp", *cut],
        [*in_process, "--devices", "3", "--placement-seed", "1", *cut])]
    return suite_parts.finish(results)


if __name__ == "__main__":
    sys.exit(main())
