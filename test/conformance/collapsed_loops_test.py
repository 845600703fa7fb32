#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loops of recorded graphs become machine code, but for those that are named here.

Usage: collapsed_loops_test.py SLUICEC FIXTURES
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# What keeps loops in the executor, in the words of --explain-loops, by the graph's folder.
CARRIES_ARRAYS = "carries a TensorArray or stack of"
CARRIES_LISTS = "carries a list of lists of"
CARRIES_VARIABLES = "carries a variable of"
CARRIES_QUEUES = "carries a queue of"
WRITES = "writes a variable"
HANDS_ON = "uses a variable otherwise than by reading it"
KEPT = {
    "control_flow.ControlFlow.testNestedWhile_2": "(state.print) cannot be compiled",
    "control_flow.ControlFlow.testWhileAndTensorArray": CARRIES_ARRAYS,
    "control_flow.ControlFlow.testWhileCondExitControl": WRITES,
    "control_flow.ControlFlow.testWhileCondWithControl_1": HANDS_ON,
    "control_flow.ControlFlow.testWhileQueue_1": CARRIES_QUEUES,
    "control_flow.ControlFlow.testWhileUpdateVariable_1": WRITES,
    "control_flow.ControlFlow.testWhileUpdateVariable_2": WRITES,
    "control_flow.ControlFlow.testWhileUpdateVariable_3": HANDS_ON,
    "control_flow.ControlFlow.testWhileUpdateVariable_4": WRITES,
    "control_flow.ControlFlow.testWhileUpdateVariable_5": HANDS_ON,
    "control_flow.ControlFlow.testWhileWithRefsWithGradients_1": CARRIES_VARIABLES,
    "control_flow.ControlFlow.testWhileWithRefs_1": CARRIES_VARIABLES,
    "functional.FunctionalOps.testMapEmptyScalar": CARRIES_ARRAYS,
    "lists.Cond.gradient_in_loop": CARRIES_LISTS,
    "lists.While.gradient_nested": CARRIES_LISTS,
}


def selections(folder):
    """(name, graph, feeds, fetches, targets) of each thing that is recorded, once."""
    for runs in sorted([*folder.glob("tf1/*/runs.json"), *folder.glob("tf2/lists.*/runs.json")]):
        seen = set()
        for run in json.loads(runs.read_text())["runs"]:
            chosen = (run["graph"], tuple(sorted(run["feeds"])), tuple(run["fetches"]),
                      tuple(run["targets"]))
            if chosen not in seen:
                seen.add(chosen)
                yield (runs.parent.name, runs.parent / run["graph"], *chosen[1:])
    for record in sorted(folder.glob("rnn/*.json")):
        run = json.loads(record.read_text())
        yield (record.stem, record.with_suffix(".pb"), tuple(run["feeds"]),
               (run["loss"], *run["gradient_names"]), (run["train"],))


def verdicts(sluicec, selection, scratch):
    """The lines of --explain-loops that tell of loops."""
    name, graph, feeds, fetches, targets = selection
    command = [sluicec, graph, "--explain-loops", "--emit=obj", "-o",
               scratch / f"{abs(hash(selection))}.o", *(f"--feed={feed}" for feed in feeds),
               *(f"--fetch={fetch}" for fetch in fetches), *(f"--run={target}" for target in targets)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:  # an error is recorded
        return []
    return [(name, line) for line in run.stdout.splitlines() if re.match(r" *loop '", line)]


def main():
    sluicec, fixtures = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        told = [pair for found in pool.map(
            lambda selection: verdicts(sluicec, selection, pathlib.Path(scratch)),
            selections(fixtures)) for pair in found]
    failed = 0
    for name, line in told:
        reason = KEPT.get(name)
        if ": collapsed" not in line and not (reason and reason in line):
            print(f"{name}: expected machine code but got: {line.strip()}")
            failed += 1
    left = set(KEPT) - {name for name, line in told if ": collapsed" not in line}
    for name in sorted(left):
        print(f"{name}: expected a loop in the executor, since it {KEPT[name]}")
    print(f"{len(told) - failed} passed, {failed + len(left)} failed")
    return 1 if failed or left or not told else 0


if __name__ == "__main__":
    sys.exit(main())
