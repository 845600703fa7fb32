#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every test suite that CTest knows and adds up the single tests that they report.

A suite is whatever CMake registered with add_test: a GoogleTest program, a lit run, a Python
unittest, a replay of recorded runs, or a plain command that counts as one test. CTest itself would
count each of them as one. Prints a line for each suite, the output of those that failed, and
`N passed, N failed` last. Exit code 0 if nothing failed.

Suites take turns by the number of commits. Those with the label `rotates` take minutes each: one of
them runs. Those with the label `third` run what others run in yet another way: a third of them
runs, of their COST as well. `--all` runs all of them, and so does a build outside of a checkout.
`--filter` runs what it names.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

DEFAULT_DEADLINE = 1500  # seconds for one suite

ENVIRONMENT = dict(os.environ)


@dataclass
class Suite:
    name: str
    command: list
    folder: str
    environment: dict
    deadline: float
    rotates: bool = False
    third: bool = False
    cost: float = 0


@dataclass
class Result:
    passed: int
    failed: int
    skipped: int
    output: str
    seconds: float


def read_suites(build):
    """The suites registered in a build folder."""
    listing = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True,
                             stdout=subprocess.PIPE).stdout
    suites = []
    for test in json.loads(listing)["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        environment = dict(setting.split("=", 1) for setting in properties.get("ENVIRONMENT", []))
        labels = properties.get("LABELS", [])
        suites.append(Suite(test["name"], test.get("command", []),
                            properties.get("WORKING_DIRECTORY", build), environment,
                            float(properties.get("TIMEOUT", DEFAULT_DEADLINE)),
                            "rotates" in labels, "third" in labels,
                            float(properties.get("COST", 0))))
    return suites


def commits(folder):
    """How many commits the checkout around a folder has; None if it is none."""
    git = ["git", "-c", "safe.directory=*", "-C", folder]
    result = subprocess.run([*git, "rev-list", "--count", "HEAD"], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, text=True)
    return int(result.stdout) if result.returncode == 0 else None


def thirds(suites):
    """The names of those that run by thirds, dealt so that each third costs about the same."""
    dealt = [[], [], []]
    costs = [0, 0, 0]
    for suite in sorted((suite for suite in suites if suite.third),
                        key=lambda suite: (-suite.cost, suite.name)):
        cheapest = costs.index(min(costs))
        dealt[cheapest].append(suite.name)
        costs[cheapest] += suite.cost
    return dealt


def in_turn(suites, turn):
    """Without the suites that take turns, but for those whose turn it is."""
    rotating = sorted(suite.name for suite in suites if suite.rotates)
    chosen = thirds(suites)[turn % 3] + (rotating and [rotating[turn % len(rotating)]])
    return [suite for suite in suites
            if suite.name in chosen or not (suite.rotates or suite.third)]


def last_number(pattern, text):
    """The number in the last match of a pattern with one group; 0 without a match."""
    matches = re.findall(pattern, text, re.MULTILINE)
    return int(matches[-1]) if matches else 0


def count(output, exit_code):
    """(passed, failed, skipped) as the suite's own summary tells them."""
    if re.search(r"^\[==========\] \d+ tests? .* ran\.", output, re.MULTILINE):  # GoogleTest
        counts = [last_number(rf"^\[  {word} +\] (\d+) tests?", output)
                  for word in ("PASSED", "FAILED", "SKIPPED")]
    elif match := re.search(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*\Z", output,
                            re.MULTILINE):  # our own tools
        counts = [int(group or 0) for group in match.groups()]
    elif match := re.search(r"^Ran (\d+) tests? in ", output, re.MULTILINE):  # unittest
        failed = (last_number(r"^FAILED \(.*failures=(\d+)", output)
                  + last_number(r"^FAILED \(.*errors=(\d+)", output))
        skipped = last_number(r"skipped=(\d+)", output)
        counts = [int(match.group(1)) - failed - skipped, failed, skipped]
    elif re.search(r"^Testing Time: ", output, re.MULTILINE):  # lit
        words = {"passed": ["Passed", "Expectedly Failed"],
                 "failed": ["Failed", "Unexpectedly Passed", "Timed Out", "Unresolved"],
                 "skipped": ["Unsupported", "Skipped", "Excluded"]}
        counts = [sum(last_number(rf"^ +{word} *: (\d+)", output) for word in group)
                  for group in words.values()]
    else:
        counts = [1, 0, 0] if exit_code == 0 else [0, 1, 0]
    # A suite may die after its last test, or before it counted any.
    if exit_code != 0 and counts[1] == 0:
        counts[1] = 1
    return counts


def run(suite):
    start = time.monotonic()
    if not suite.command or not os.path.exists(suite.command[0]):
        return Result(0, 1, 0, "the program of this suite was not built\n", 0)
    process = subprocess.Popen(suite.command, cwd=suite.folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               env={**ENVIRONMENT, **suite.environment}, start_new_session=True)
    try:
        raw, _ = process.communicate(timeout=suite.deadline)
        note = ""
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raw, _ = process.communicate()
        note = f"no end after {suite.deadline:.0f} s\n"
    output = raw.decode(errors="replace") + note
    return Result(*count(output, process.returncode), output, time.monotonic() - start)


def report(suite, result):
    skipped = f", {result.skipped} skipped" if result.skipped else ""
    if result.failed:
        print(f"---- output of {suite.name}")
        print("\n".join(result.output.splitlines()[-200:]))
        print("----")
    print(f"{suite.name}: {result.passed} passed, {result.failed} failed{skipped} "
          f"({result.seconds:.1f} s)", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="build folder, for example build/release")
    parser.add_argument("--filter", metavar="GLOB", help="only suites named so")
    parser.add_argument("--all", action="store_true",
                        help="all suites, also those that take turns because they take minutes")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="suites that run at the same time (default: one for each processor)")
    options = parser.parse_args()
    # What suites compile is kept in the build folder, not in the home of whoever runs them.
    ENVIRONMENT["XDG_CACHE_HOME"] = os.path.abspath(os.path.join(options.build, "cache"))
    suites = read_suites(options.build)
    if options.filter:
        pattern = options.filter if "*" in options.filter else f"*{options.filter}*"
        suites = [suite for suite in suites if fnmatch.fnmatch(suite.name, pattern)]
    elif not options.all and (turn := commits(options.build)) is not None:
        everything, suites = suites, in_turn(suites, turn)
        left = [suite.name for suite in everything if suite not in suites]
        print(f"left for other commits: {', '.join(left)} (`./test/run --all` runs them)",
              flush=True)
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
        # The long ones first, so that none is left alone at the end.
        suites.sort(key=lambda suite: (not suite.rotates, -suite.cost))
        started = {pool.submit(run, suite): suite for suite in suites}
        for done in concurrent.futures.as_completed(started):
            result = done.result()
            report(started[done], result)
            passed += result.passed
            failed += result.failed
    if passed + failed == 0:
        print("no test was run", file=sys.stderr)
        failed = 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
