# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways to run a program, all of which must give the same answers."""

import os
import signal
import subprocess
from dataclasses import dataclass

import answers

DEADLINE = 120  # seconds for one process, also on a machine that does much else
SWITCHES = ["--no-prune", "--no-infer-shapes", "--no-fold-constants", "--no-merge-duplicates",
            "--no-hoist-invariants", "--no-raise", "--no-collapse", "--no-codelets"]
PHASES = ["optimize", "raise", "lower", "codegen"]


@dataclass
class Way:
    compiler_flags: list
    run_flags: list
    linked: bool = False  # an executable; otherwise the compiler runs the program itself

    def text(self):
        kind = "executable" if self.linked else "compiler"
        return " ".join([kind, *self.compiler_flags, *(["/"] if self.run_flags else []),
                         *self.run_flags])


ORACLE = Way(["--interpret"], [])
# Of programs with gradients: what is imported has no derivatives yet.
DIFFERENTIATED = Way(["--interpret=differentiate"], [])
LATE_PHASES = ["differentiate", "lower", "codegen"]


def oracle_of(program):
    return DIFFERENTIATED if program.differentiates else ORACLE


def draw_ways(rng, phases=("", *PHASES)):
    """The oracle aside, one way of each kind, some kinds now and then only."""
    ways = [linked(rng), cluster(rng, "sim")]
    if rng.random() < 0.5:
        ways.append(cluster(rng, "local"))
    if rng.random() < 0.7:
        ways.append(interpreted(rng, phases))
    return ways


def linked(rng):
    workers = workers_of(rng.random())
    return Way(draw_switches(rng), draw_schedule(rng) + workers, linked=True)


def workers_of(drawn):
    """For a number from 0 to 1: none, or some that get all work that can be given to them; with
    --schedule-seed they are late at random."""
    count = [0, 0, 1, 2, 7][int(drawn * 5)]
    return [f"--workers={count}", *(["--limit=inline-operations=1"] if count else [])]


def cluster(rng, kind):
    devices = ["--devices=%d" % rng.choice([1, 2, 2, 3, 3, 4, 6]),
               "--placement-seed=%d" % rng.randrange(1000)]
    schedule = draw_schedule(rng) if kind == "local" else draw_schedule(rng, always=True)
    switches = draw_switches(rng)
    workers = workers_of(len(" ".join(devices + schedule)) % 5 / 5) if kind == "local" else []
    return Way([f"--execute={kind}", *devices, *switches], schedule + workers)


def interpreted(rng, phases):
    phase = rng.choice(phases)
    return Way([f"--interpret={phase}" if phase else "--interpret", *draw_switches(rng)],
               draw_schedule(rng, always=True))


def draw_switches(rng):
    kind = rng.random()
    if kind < 0.4:
        return []
    if kind < 0.5:
        return ["-O0"]
    return [switch for switch in SWITCHES if rng.random() < 0.25]


def draw_schedule(rng, always=False):
    """With pages around tensors that nobody may touch now and then, too."""
    flags = []
    if rng.random() < 0.5:
        flags.append("--guard-pages=%s" % rng.choice(["behind", "before"]))
    if always or rng.random() < 0.6:
        flags.append("--schedule-seed=%d" % rng.randrange(1000))
    if rng.random() < 0.4:
        flags.append("--parallel-iterations=%d" % rng.choice([1, 2, 3, 7]))
    return flags


def execute(command, deadline, stdin=""):
    """(exit code, standard output, standard error); the code is None after the deadline."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err = process.communicate(stdin.encode(), timeout=deadline)
        return process.returncode, out.decode(), err.decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, "", ""


def run(compiler, program, graph_file, way, deadline=DEADLINE):
    """The answers to all calls of a program."""
    command = [str(compiler), str(graph_file), *program.selection_flags(graph_file.with_suffix("")),
               "--verify-each", *way.compiler_flags]
    if not way.linked:
        return answers.read(*execute([*command, *way.run_flags, "--calls=-"], deadline,
                                     program.calls_text()))
    executable = graph_file.with_suffix(".program")
    code, _, err = execute([*command, "-o", str(executable)], deadline)
    if code != 0:
        return answers.abnormal(code, err, "compiler")
    answer = answers.read(*execute([str(executable), *way.run_flags, "--calls=-"], deadline,
                                   program.calls_text()))
    executable.unlink()
    return answer
