#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whatever is four times as large takes about four times as long: compiling for one device and for
two, interpreting, running.

Processor time is compared with that of the same program on a quarter of the graph, so the machine
does not matter. n log n gives five times as much at most, the square sixteen.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

import array_shapes
import shapes

FAMILIES = {**vars(shapes), **vars(array_shapes)}
MOST_TIMES = 9
NEGLIGIBLE = 0.1  # seconds; what takes less says nothing about growth
DEADLINE = 200  # seconds of processor time
ATTEMPTS = 3  # of a measurement that something disturbed

bin_folder = None  # set by main

# Families with the smaller size. Interpreting is quick, so it gets larger graphs.
SIZES = {
    "ladder_of_no_ops": 2000, "ladder_of_identities": 2000, "ladder_of_waiting_ops": 1000,
    "diamonds": 1000, "comb_of_no_ops": 1000, "chain": 1000, "chain_of_no_ops": 4000, "fan": 1000,
    "fan_of_no_ops": 1000, "nest_of_conds": 250, "chain_of_conds": 250,
    "conds_on_one_predicate": 250, "switches": 500, "majorities": 250, "chain_of_loops": 100,
    "loops_beside_each_other": 100, "loop_with_invariants": 1000, "loop_with_variables": 400,
    "loop_with_long_body": 1000, "loop_with_conds": 200, "variables": 1000, "one_variable": 1000,
    "closed_arrays": 500, "gradient_array": 500, "waiting_accesses": 500,
    "loops_on_one_variable": 100, "folded": 2000, "signatures": 100,
}
# A loop that is not entered still makes the loops in it, none of which is entered: interpreting and
# running a nest takes the square of its depth.
NESTS = {"nest_of_loops": 15, "nest_of_growing_loops": 15, "mixed_nest": 15}


def processor_time(command, folder):
    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (DEADLINE, DEADLINE))

    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, preexec_fn=bound)
    message = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode:
        raise AssertionError(f"{' '.join(command)}: exit code {process.returncode}\n"
                             f"{message[:2000]}")
    return usage.ru_utime + usage.ru_stime


class Measured:
    """A graph in a folder of its own, and the commands for it."""

    def __init__(self, shape, folder):
        self.folder = folder
        (folder / "g.pb").write_bytes(shape.content)
        names = [feed.partition("=")[0] for feed in shape.feeds]
        self.flags = [*(f"--feed={name}" for name in names),
                      *(f"--fetch={name}" for name in shape.fetches)]
        self.inputs = [f"--input={feed}" for feed in shape.feeds]
        if shape.signatures:
            (folder / "s.json").write_text(json.dumps({"signatures": [
                {"name": name, "feeds": [f"x{i}"], "fetches": [f"y{i}"]}
                for i, name in enumerate(shape.signatures)]}))
            self.flags = ["--signatures=s.json"]
            self.inputs = ["--signature=s0", "--input=x0=f32=3"]

    def sluicec(self, *more):
        return [str(bin_folder / "sluicec"), "g.pb", *self.flags, *more]

    def command(self, way):
        return {"compile": self.sluicec("-o", "program"),
                "devices": self.sluicec("--devices=2", "--placement-seed=1", "-o", "programs"),
                "run": ["./program", *self.inputs],
                "interpret": self.sluicec("--interpret", *self.inputs),
                "shuffle": self.sluicec("--interpret", "--schedule-seed=1", *self.inputs),
                }[way]

    def time(self, way):
        return processor_time(self.command(way), self.folder)


class Growth(unittest.TestCase):
    def measured(self, family, size):
        folder = tempfile.TemporaryDirectory(prefix="sluice-growth-")
        self.addCleanup(folder.cleanup)
        return Measured(FAMILIES[family](size), pathlib.Path(folder.name))

    def check(self, family, size, ways):
        tiny, small, large = (self.measured(family, n) for n in (1, size, 4 * size))
        for way in ways:
            with self.subTest(way=way):
                for attempt in range(ATTEMPTS):
                    nothing, before, after = (each.time(way) for each in (tiny, small, large))
                    most = MOST_TIMES * max(before - nothing, NEGLIGIBLE)
                    if after - nothing <= most:
                        break
                else:
                    self.fail(f"{family}: size 1 takes {nothing:.2f} s, {size} {before:.2f} s, "
                              f"{4 * size} {after:.2f} s")


def add(family, size, ways, title):
    def test(self):
        self.check(family, size, ways)

    setattr(Growth, f"test_{title}_{family}", test)


def main():
    """The first argument is the folder of the programs."""
    global bin_folder
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(f"usage: {sys.argv[0]} BIN [unittest's flags]")
    bin_folder = pathlib.Path(sys.argv.pop(1)).resolve()
    for family, size in SIZES.items():
        add(family, size, ["compile", "devices", "run"], "compiled")
        interpreted = size if family == "nest_of_conds" else 4 * size
        if family != "signatures":  # at most a thousand
            add(family, interpreted, ["interpret", "shuffle"], "interpreted")
    for family, size in NESTS.items():
        add(family, size, ["compile", "devices"], "compiled")
    unittest.main(module="__main__")


if __name__ == "__main__":
    main()
