#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow gives for every op that the importer knows, for each element type.

Usage, with a Python that has TensorFlow (`pip install tensorflow-cpu`):
  record.py SLUICEC [--op NAME]... [--folder test/conformance/fixtures/ops]

Each op gets a folder with one graph. Its operands are drawn or chosen so that wrong lines of the
import tables show: each attribute that the importer reads changes the result, and so would every
op that could stand in the place of this one. What Sluice refuses as unsupported is left out, as is
what `unrecorded.tsv` has a reason for, and what TensorFlow has no kernel for is listed in
`no_kernel.tsv`.
"""

import argparse
import json
import pathlib
import shutil
import sys

sys.dont_write_bytecode = True
import scenarios  # noqa: E402,I001
import no_kernel  # noqa: E402
import tensorflow_session  # noqa: E402
from choice import Chooser  # noqa: E402

import op_signatures  # noqa: E402

# What newer ones do wrongly, or cannot do any more: which TensorFlow records it.
OLDER = {"Round": "2.12.1", "TopK": "2.12.1"}

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures" / "ops"


def is_right_for(op):
    import tensorflow as tf
    version = OLDER.get(op, tf.__version__)
    if version != tf.__version__:
        print(f"{op}: stays as it is, for it is recorded with TensorFlow {version}")
    return version == tf.__version__


def run_json(step, values, answer, is_random):
    import programs
    run = {"graph": "graph1.pb",
           "feeds": {name: programs.tensor_json(values[name]) for name in step.feeds},
           "fetches": step.fetches, "targets": step.targets, "state_before": answer["before"],
           "nondeterministic": is_random}
    if "error" in answer:
        return {**run, "error": answer["error"]}
    return {**run, "expect": answer["outputs"], "state_after": answer["after"]}


def write(folder, whole, answers):
    import tensorflow as tf
    folder.mkdir(parents=True)
    (folder / "graph1.pb").write_bytes(scenarios.definition([whole]))
    runs = [run_json(step, whole.values, answer, whole.is_random)
            for step, answer in zip(whole.steps, answers)]
    (folder / "runs.json").write_text(json.dumps(
        {"test": whole.op, "class": "Ops", "module": "recording",
         "origin": f"tensorflow {tf.__version__}", "runs": runs}, separators=(",", ":")) + "\n")
    return sum(file.stat().st_size for file in folder.iterdir())


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sluicec")
    parser.add_argument("--op", action="append", metavar="NAME", help="only this one")
    parser.add_argument("--folder", type=pathlib.Path, default=FIXTURES)
    options = parser.parse_args()
    signatures = {name: signature for name, signature in op_signatures.supported().items()
                  if (not options.op or name in options.op) and is_right_for(name)}
    reads = op_signatures.read_attributes()
    tensorflow = tensorflow_session.TensorFlow()
    skipped = scenarios.refused_goals(options.sluicec, signatures, reads)
    by_hand = no_kernel.read(FIXTURES / "unrecorded.tsv")
    skipped |= {(name, goal): by_hand[name, str(goal)] for name, signature in signatures.items()
                for goal in scenarios.goals_of(signature, reads[name])
                if (name, str(goal)) in by_hand}
    chooser = Chooser(tensorflow, reads, skipped)
    size, faults = 0, 0
    for name, signature in signatures.items():
        whole = chooser.choose(signature)
        for goal, why in chooser.missed:
            faults += 1
            print(f"{name}: {goal}: {why}")
        if not whole:
            continue
        answers = tensorflow.run(scenarios.definition([whole]), whole)
        if len(answers) != len(whole.steps):
            faults += 1
            print(f"{name}: {answers[0]['error'][1]}")
            continue
        shutil.rmtree(options.folder / name, ignore_errors=True)
        size += write(options.folder / name, whole, answers)
    tensorflow.stop()
    no_kernel.update(options.folder / "no_kernel.tsv", signatures, chooser.no_kernel)
    print(f"{len(signatures)} ops, {size} bytes, {faults} goals missed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
