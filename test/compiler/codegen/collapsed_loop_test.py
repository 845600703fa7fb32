#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A collapsed loop allocates nothing and copies nothing in an iteration, unless values are in boxes.

Usage: collapsed_loop_test.py SLUICEC SLUICE_OPT
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import loop_graphs  # noqa: E402

ROW = "16xf32=" + ",".join(["1"] * 16)
LOOPS = {"scalar": (loop_graphs.counted(""), "f32=1"),
         "vector": (loop_graphs.counted(loop_graphs.dims(16)), ROW),
         "nested": (loop_graphs.nested(), ROW),
         "branching": (loop_graphs.branching(), ROW),
         "gathering": (loop_graphs.gathering(16), ROW)}


def figures(executable, n, value):
    run = subprocess.run([executable, "--stats-json", "--input", f"n=i32={n}", "--input",
                          f"x={value}", "--input", f"b={value}"], capture_output=True, text=True,
                         check=True)
    return json.loads(run.stderr.splitlines()[-1])


def ops_in_loops(code):
    """The lines of emitted code that are inside of an scf.while."""
    depth, lines = 0, []
    for line in code.splitlines():
        indent = len(line) - len(line.lstrip())
        if depth and indent <= depth and line.strip() == "}":
            depth = 0
        if depth:
            lines.append(line)
        elif "scf.while" in line:
            depth = indent
    return lines


def faults_of(name, graph, value, sluicec, sluice_opt, scratch):
    text, feeds, fetches = graph
    file = scratch / f"{name}.pbtxt"
    file.write_text(text)
    command = [sluicec, file, *(f"--feed={f}" for f in feeds), *(f"--fetch={f}" for f in fetches)]
    explained = subprocess.run([*command, "--explain-loops", "-o", scratch / name], check=True,
                               capture_output=True, text=True).stdout
    if ": collapsed" not in explained:
        yield f"expected a collapsed loop but got: {explained}"
    few, many = (figures(scratch / name, n, value) for n in (2, 200))
    for figure in ("buffer_allocations", "system_allocations", "firings"):
        if few[figure] != many[figure]:
            yield f"{figure}: {few[figure]} in 2 iterations but {many[figure]} in 200"
    module = subprocess.run([*command, "--stop-after=codegen"], check=True, capture_output=True,
                            text=True).stdout
    code = subprocess.run([sluice_opt, "--codegen-emit-codelets", "-"], input=module, check=True,
                          capture_output=True, text=True).stdout
    inside = ops_in_loops(code)
    if not inside:
        yield "expected a loop in the emitted code"
    for line in inside:
        if "alloc" in line or "copy" in line:
            yield f"expected no allocation and no copy in a loop but got: {line.strip()}"


def faults_of_boxes(sluicec, scratch):
    """A value of unknown rank is in a box, however often the loop goes round."""
    text, feeds, fetches = loop_graphs.counted("unknown_rank: true")
    file = scratch / "boxes.pbtxt"
    file.write_text(text)
    command = [sluicec, file, *(f"--feed={f}" for f in feeds), *(f"--fetch={f}" for f in fetches)]
    explained = subprocess.run([*command, "--explain-loops", "-o", scratch / "boxes"], check=True,
                               capture_output=True, text=True).stdout
    if ": collapsed" not in explained or "by kernels" not in explained:
        yield f"expected a collapsed loop with calls of kernels but got: {explained}"
    for value in ("f32=1", ROW):
        inputs = ["--input", "n=i32=1000000", "--input", f"x={value}", "--input", f"b={value}"]
        told = subprocess.run([scratch / "boxes", *inputs], capture_output=True, text=True,
                              check=False)
        if told.returncode != 0 or " = " not in told.stdout:
            yield f"x={value}: exit code {told.returncode}: {told.stdout}{told.stderr}"


def faults_of_indices(sluicec, scratch):
    """A row that there is not is named, in the iteration that would read it."""
    text, feeds, fetches = loop_graphs.gathering(17)
    file = scratch / "indices.pbtxt"
    file.write_text(text)
    command = [sluicec, file, *(f"--feed={f}" for f in feeds), *(f"--fetch={f}" for f in fetches)]
    subprocess.run([*command, "-o", scratch / "indices"], check=True)
    for n, code in ((16, 0), (17, 1)):
        inputs = ["--input", f"n=i32={n}", "--input", f"x={ROW}", "--input", f"b={ROW}"]
        told = subprocess.run([scratch / "indices", *inputs], capture_output=True, text=True,
                              check=False)
        if told.returncode != code or ("while/row" in told.stderr) != (code != 0):
            yield f"n={n}: expected exit code {code} but got {told.returncode}: {told.stderr}"


def main():
    sluicec, sluice_opt = sys.argv[1:]
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        faults = list(faults_of_boxes(sluicec, pathlib.Path(scratch)))
        for fault in faults:
            print(f"boxes: {fault}")
        failed += bool(faults)
        faults = list(faults_of_indices(sluicec, pathlib.Path(scratch)))
        for fault in faults:
            print(f"indices: {fault}")
        failed += bool(faults)
        for name, (graph, value) in LOOPS.items():
            faults = list(faults_of(name, graph, value, sluicec, sluice_opt, pathlib.Path(scratch)))
            for fault in faults:
                print(f"{name}: {fault}")
            failed += bool(faults)
    print(f"{len(LOOPS) + 2 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
