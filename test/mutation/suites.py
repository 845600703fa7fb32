# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which suites could notice a mistake in which folder; runs them until the first that does."""

import concurrent.futures
import contextlib
import fnmatch
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from run_suites import count, read_suites  # noqa: E402

# Whatever is compiled is run in the end, so nearly every suite could notice nearly everything. Left
# out are those that judge something else (packages, pages, the form of files) or build all anew,
# as the fuzzers do with sanitizers.
EVERYWHERE = ["lit", "*-tests", "runtime-tests-*", "conformance-*", "differential-*", "random-found",
              "random-programs", "bad-inputs-*", "codegen-*", "example-*", "generated-docs-check",
              "fuzz-ir-lines"]
BELOW = {
    "compiler": ["growth"],
    "compiler/import": ["docs-*"],
    "compiler/place": ["cluster-*"],
    "compiler/partition": ["cluster-*"],
    "compiler/report": ["report-*"],
    "compiler/pipeline": ["report-*", "docs-*"],
    "compiler/interpret": ["docs-*"],
    "compiler/emit": ["hardening-check", "sluice-run-*", "cluster-*"],
    "runtime": ["cluster-*", "sluice-run-*", "traces*", "progress-*", "bench-*", "docs-pages"],
}
# The suites that are made for a folder, beside its unit tests; the longest folder that fits counts.
NEAR = {
    "compiler": ["lit"],
    "compiler/import": ["lit", "conformance-interpret"],
    "compiler/interpret": ["lit", "conformance-interpret"],
    "compiler/optimize": ["lit", "conformance-interpret-optimized"],
    "compiler/codegen": ["lit", "differential-kernels", "codegen-*"],
    "runtime": ["runtime-tests-*"],
}
# These take long for what they would see.
NOT = ["run-suites-tests", "mutation-tests", "random-generator", "random-reducer", "*-check-tests",
       "docs-pages-tests", "add-*"]

MOST_ADDRESS_SPACE = 16 << 30  # a mutant may want all memory there is


def matches(suite, patterns):
    return any(fnmatch.fnmatch(suite.name, pattern) for pattern in patterns)


def could_notice(path, suites):
    """The suites that could notice a change of a file."""
    globs = EVERYWHERE + [glob for folder, more in BELOW.items() if path.startswith(folder + "/")
                          for glob in more]

    return [suite for suite in suites if matches(suite, globs) and not matches(suite, NOT)]


def is_near(suite, path):
    """Whether the suite is made for the folder of a file."""
    folders = [folder for folder in NEAR if path.startswith(folder + "/")]
    return (suite.name.partition("-tests")[0] in path.split("/")
            or any(matches(suite, NEAR[folder]) for folder in folders
                   if len(folder) == max(map(len, folders))))


class Suites:
    """The suites of a build, and how long each takes when nothing is wrong."""

    def __init__(self, build_folder, times_file, identity, jobs, slack, only=("*",)):
        self.times_file, self.identity = times_file, identity
        self.jobs, self.slack = jobs, slack
        self.all = [suite for suite in read_suites(build_folder) if matches(suite, only)]
        self.seconds = {}
        try:
            with open(times_file, encoding="utf-8") as file:
                kept = json.load(file)
            if kept["identity"] == identity:
                self.seconds = kept["seconds"]
        except FileNotFoundError:
            pass

    def unknown(self, path):
        """Those that could notice a change of a file and have no time yet."""
        return [suite for suite in could_notice(path, self.all) if suite.name not in self.seconds]

    def measure(self, suites, tell):
        """Runs suites on what is not changed; one that fails then is an error."""
        with concurrent.futures.ThreadPoolExecutor(max_workers=self.jobs) as pool:
            for suite, attempt, seconds in pool.map(timed, suites):
                if attempt.failure:
                    pool.shutdown(cancel_futures=True)
                    raise SystemExit(f"error: {suite.name} {attempt.failure.reason} without any "
                                     f"mutant:\n{attempt.failure.output[-2000:]}")
                self.seconds[suite.name] = round(seconds, 1)
                tell(f"{suite.name} takes {self.seconds[suite.name]} s")
                with open(self.times_file, "w", encoding="utf-8") as file:
                    json.dump({"identity": self.identity, "seconds": self.seconds}, file, indent=1)

    def first_failure(self, path, noticed):
        """The first suite that fails, or None if no suite notices. Cheap ones go first, and those
        that are made for the folder or have noticed mistakes nearby: `noticed` counts these by
        name."""
        def cost(suite):
            near = is_near(suite, path)
            return self.seconds[suite.name] / (1 + 5 * near + noticed[suite.name])
        suites = sorted(could_notice(path, self.all), key=cost)
        return Attempt(suites, lambda suite: self.slack + 8 * self.seconds[suite.name],
                       self.jobs).first_failure()


def timed(suite):
    """(suite, its attempt, seconds) of running one suite alone."""
    start = time.monotonic()
    attempt = Attempt([suite], lambda _: suite.deadline, jobs=1)
    attempt.first_failure()
    return suite, attempt, time.monotonic() - start


class Failure:
    def __init__(self, suite, reason, output):
        self.suite, self.reason, self.output = suite, reason, output


class Attempt:
    """Runs suites, a few at a time, until one fails; the others are ended then."""

    def __init__(self, suites, deadline, jobs):
        self.suites, self.deadline, self.jobs = suites, deadline, jobs
        self.lock = threading.Lock()
        self.running = set()
        self.failure = None

    def first_failure(self):
        with concurrent.futures.ThreadPoolExecutor(max_workers=self.jobs) as pool:
            try:
                list(pool.map(self.run, self.suites))
            except BaseException:  # somebody stops the machine
                self.end(Failure("", "stopped", ""))
                raise
        return self.failure

    def end(self, failure):
        with self.lock:
            self.failure = self.failure or failure
            for process in self.running:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

    def run(self, suite):
        with self.lock:
            if self.failure:
                return
            process = subprocess.Popen(
                suite.command, cwd=suite.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limit_memory,
                env={**os.environ, **suite.environment, "GTEST_FAIL_FAST": "1",
                     "LIT_OPTS": "--max-failures=1"})
            self.running.add(process)
        try:
            output = process.communicate(timeout=self.deadline(suite))[0].decode(errors="replace")
            reason = "fails" if process.returncode or count(output, process.returncode)[1] else ""
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, reason = process.communicate()[0].decode(errors="replace"), "does not end"
        with self.lock:
            self.running.discard(process)
        if reason:
            self.end(Failure(suite.name, reason, output))


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESS_SPACE, MOST_ADDRESS_SPACE))
