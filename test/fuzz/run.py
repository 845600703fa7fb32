#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs fuzz targets and prints a table. Exit code 1 if one of them has found something.

Each target first runs all of test/fuzz/corpus/TARGET, then inputs that it makes of them: for a time,
or as many as asked for. With --replay only the corpora are run. What a target finds is kept, with
the command that shows it again.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
# One input takes milliseconds; the limits only tell a hang from a busy machine.
INPUT_DEADLINE = 60  # seconds
MEMORY = 2048  # megabytes
LONGEST = {"saved-model": 16384, "graphdef-text": 8192, "graphdef-binary": 8192, "import": 8192, "mlir": 4096,
           "command-line": 2048, "member": 1024, "token-codec": 512, "tensor-literal": 256}
DEFAULT_LONGEST = 4096  # bytes
# They keep tables and types for later inputs, which costs a search for leaks each time.
KEEPS_MEMORY = {"graphdef-text", "graphdef-binary", "import", "mlir"}


@dataclass
class Outcome:
    target: str
    executions: int
    seconds: float
    inputs: int
    covered: int
    failure: str  # empty: nothing was found


def last_number(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def flags_of(target, options, work):
    longest = LONGEST.get(target, DEFAULT_LONGEST)
    flags = [f"-timeout={INPUT_DEADLINE}", f"-rss_limit_mb={MEMORY}", f"-max_len={longest}",
             f"-artifact_prefix={options.findings}/{target}-", "-print_final_stats=1",
             f"-detect_leaks={0 if target in KEEPS_MEMORY else 1}"]
    dictionary = HERE / "dictionaries" / f"{target}.dict"
    if dictionary.exists():
        flags.append(f"-dict={dictionary}")
    if options.replay:
        return flags + sorted(str(path) for path in (HERE / "corpus" / target).iterdir())
    if options.seconds:
        flags.append(f"-max_total_time={options.seconds}")
    else:
        flags.append(f"-runs={options.executions}")
    return flags + [str(work), str(HERE / "corpus" / target)]


# Freed memory need not wait for long where an input takes so little, and a stack of each allocation
# costs as much as the allocation. A finding that is shown again has all of it.
QUICK = "quarantine_size_mb=16:malloc_context_size=1:max_malloc_fill_size=0"


def environment(options):
    """Undefined behaviour ends a target, as every other finding does."""
    sanitizer = {} if options.replay else {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", QUICK)}
    return {**os.environ, **sanitizer, "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"}


def run(target, options):
    """Runs one target to its end; whatever it writes goes into a file beside its findings."""
    work = pathlib.Path(options.keep) / target if options.keep else None
    if work:
        work.mkdir(parents=True, exist_ok=True)
    folder = work or pathlib.Path(tempfile.mkdtemp(prefix="sluice-fuzz-"))
    log = pathlib.Path(options.findings) / f"{target}.log"
    command = [str(options.bin / f"fuzz-{target}"), *flags_of(target, options, folder)]
    deadline = options.deadline or (options.seconds or 0) * 2 + 600
    try:
        with open(log, "wb") as output:
            code = subprocess.run(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL,
                                  timeout=deadline, cwd=folder, env=environment(options)).returncode
        failure = f"exit code {code}" if code else ""
    except subprocess.TimeoutExpired:
        failure = f"no end after {deadline} s"
    text = log.read_text(errors="replace")
    found = re.findall(r"Test unit written to (\S+)", text)
    if failure and found:
        failure += f": {options.bin / ('fuzz-' + target)} {found[-1]}"
    elif failure:
        failure += f"; see {log}"
    executions = (len(re.findall(r"^Executed ", text, re.MULTILINE)) if options.replay
                  else last_number(r"stat::number_of_executed_units: (\d+)", text))
    rate = last_number(r"stat::average_exec_per_sec: +(\d+)", text)
    outcome = Outcome(target, executions, executions / rate if rate else 0,
                      sum(1 for _ in folder.iterdir()), last_number(r" cov: (\d+)", text), failure)
    if not work:
        shutil.rmtree(folder)
    return outcome


def print_table(outcomes):
    print(f"{'target':18} {'executions':>11} {'per second':>10} {'new inputs':>10} "
          f"{'edges':>6}  finding")
    for outcome in outcomes:
        rate = outcome.executions / outcome.seconds if outcome.seconds else outcome.executions
        print(f"{outcome.target:18} {outcome.executions:11} {rate:10.0f} {outcome.inputs:10} "
              f"{outcome.covered:6}  {outcome.failure or 'none'}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=HERE.parents[1] / "build/fuzz/fuzz-targets",
                        help="folder of the targets (default: build/fuzz/fuzz-targets)")
    parser.add_argument("--targets", nargs="*", metavar="TARGET", help="default: all that are built")
    parser.add_argument("--replay", action="store_true", help="run the corpora and nothing else")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--seconds", type=int, metavar="N", help="time for each target")
    amount.add_argument("--executions", type=int, default=0, metavar="N", help="for each target")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="targets that run at the same time (default: one for each processor)")
    parser.add_argument("--deadline", type=int, metavar="SECONDS", help="for each target")
    parser.add_argument("--keep", metavar="FOLDER", help="go on with inputs of earlier runs, and "
                        "keep new ones, in a folder for each target")
    parser.add_argument("--findings", metavar="FOLDER", default="fuzz-findings",
                        help="where findings and logs go (default: fuzz-findings)")
    options = parser.parse_args()
    options.bin = options.bin.resolve()
    options.findings = str(pathlib.Path(options.findings).resolve())
    os.makedirs(options.findings, exist_ok=True)
    built = sorted(path.name[len("fuzz-"):] for path in options.bin.glob("fuzz-*"))
    targets = options.targets or built
    if not targets or set(targets) - set(built):
        sys.exit(f"error: not built in {options.bin}: {', '.join(set(targets) - set(built)) or 'fuzz-*'}"
                 "; use cmake --preset fuzz && cmake --build --preset fuzz")
    with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
        outcomes = list(pool.map(lambda target: run(target, options), targets))
    print_table(outcomes)
    failed = sum(1 for outcome in outcomes if outcome.failure)
    print(f"{len(outcomes) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
