#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every op that the importer knows has results recorded from TensorFlow, for every element type.

Usage: op_records_check.py SLUICEC [FIXTURES]

So has every attribute that an op reads. What is not recorded must be refused by the compiler as
unsupported, which is tried, or have no kernel in TensorFlow, which `no_kernel.tsv` says, or stand in
`unrecorded.tsv` with a reason. Lines there that are no longer needed are faults as well.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
import scenarios  # noqa: E402,I001
import goals  # noqa: E402
import no_kernel  # noqa: E402
import recorded  # noqa: E402

import op_signatures  # noqa: E402

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures" / "ops"


# Ops that need functions, or stand in them: recorded graphs in tf2/ have them.
WITH_FUNCTIONS = {
    "Case", "DeviceIndex", "FakeParam", "For", "If", "PartitionedCall", "RemoteCall",
    "StatefulPartitionedCall", "StatelessCase", "StatelessIf", "StatelessWhile",
    "SymbolicGradient", "ToBool", "While", "_Arg", "_ArrayToList", "_ListToArray", "_Retval",
    "_SwitchN"}
# Ops that read and write files: a model in savedmodel/ has those of tables, and
# checkpoints/against_tensorflow.py compares the others with TensorFlow.
WITH_FILES = {"InitializeTableFromTextFile", "InitializeTableFromTextFileV2",
              "MergeV2Checkpoints", "Restore", "RestoreSlice", "RestoreV2", "Save", "SaveSlices",
              "SaveV2"}
# Recorded strings lose zeros at their ends, TensorFlow does not come back from a recording of the
# staging areas that keep an order, and of the last two the node itself is not what is fetched. Tests
# of kernels, of staging areas and of graphs have them.
ELSEWHERE = {"SerializeTensor", *(f"OrderedMap{what}" for what in (
    "Clear", "IncompleteSize", "Peek", "Size", "Stage", "Unstage", "UnstageNoKey")),
    "MapUnstageNoKey", "RefSelect"}
# Its kernel asks for an attribute that the op does not have.
BROKEN = {"FixedLengthRecordReader"}


def missing_goals(folder, signatures, reads):
    """[(op, goal)] that no recorded run shows."""
    missing = []
    for name, signature in signatures.items():
        if name in WITH_FUNCTIONS | WITH_FILES | ELSEWHERE | BROKEN:
            continue
        nodes = recorded.nodes_that_succeed(folder / name)
        found = [attrs for op, attrs in nodes if op == name]
        for goal in scenarios.goals_of(signature, reads[name]):
            if not any(goals.is_met(goal, signature, attrs) for attrs in found):
                missing.append((name, goal))
    return missing


def accepted(sluicec, signatures, missing):
    """Those of the missing ones that the compiler does not refuse as unsupported."""
    made = {f"s{i}": pair for i, pair in enumerate(missing)}
    found = [scenarios.attempt(signatures[op], goal, name) for name, (op, goal) in made.items()]
    refused = scenarios.refused(sluicec, found)
    return [pair for name, pair in made.items()
            if refused.get(name, (0, ""))[0] != scenarios.UNSUPPORTED]


def main():
    sluicec = sys.argv[1]
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else FIXTURES
    signatures, reads = op_signatures.supported(), op_signatures.read_attributes()
    lists = {file: no_kernel.read(folder / file) for file in ("no_kernel.tsv", "unrecorded.tsv")}
    missing = missing_goals(folder, signatures, reads)
    known = set().union(*lists.values())
    keys = {(op, str(goal)) for op, goal in missing}
    faults = [f"{op}: {goal}: expected a result recorded from TensorFlow (record.py makes it)"
              for op, goal in accepted(sluicec, signatures, missing)
              if (op, str(goal)) not in known]
    faults += [f"{op}: {goal}: is listed in {file}, but recorded or unknown"
               for file, listed in lists.items() for op, goal in listed if (op, goal) not in keys]
    for name in sorted(set(signatures) ^ set(reads)):
        faults.append(f"{name}: expected in the import tables and in tensorflow-ops.md")
    print("\n".join(faults))
    print(f"{len(signatures)} ops, {len(missing)} types or attributes of them cannot be recorded")
    print(f"{len(signatures) - len({fault.split(':')[0] for fault in faults})} passed, "
          f"{len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
