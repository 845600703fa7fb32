# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs on bad input and holds them to the rules that are the same for every case.

A refusal has its documented exit code and a message that names the place. It is no signal and no
bug report, takes little processor time and memory, is short, and leaves every file in the folder as
it was: also an output file of an earlier run.

Processor time is what counts, because a machine may be busy with other things; the deadline only
ends what hangs.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from dataclasses import dataclass

DEADLINE = 300  # seconds
PROCESSOR_TIME = 2  # seconds of a refusal
MEMORY = 512 * 1024  # kilobytes of a refusal
ADDRESS_SPACE = 8 << 30  # bytes: what asks for more gets none, and the machine stays alive
SANITIZED = 10  # how much more of both programs with sanitizers may need
LONGEST_MESSAGE = 20_000  # bytes
BEFORE = b"output of an earlier run"

BAD_GRAPH, USAGE, INPUT_OUTPUT, UNSUPPORTED, LINK = 1, 2, 3, 4, 6

bin_folder = None  # set by main
slowness = 1  # set by main


def program(name):
    return str(bin_folder / name)


@dataclass
class Outcome:
    code: int
    out: bytes
    err: str
    seconds: float  # processor time, with that of programs that it waited for
    memory: int  # kilobytes


def run(command, folder, stdin=None, stdout=subprocess.PIPE, prepare=None):
    """`prepare` runs in the child before the program starts."""
    def start():
        if slowness == 1:
            resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        if prepare:
            prepare()

    process = subprocess.Popen(command, cwd=folder, stdin=stdin or subprocess.DEVNULL,
                               stdout=stdout, stderr=subprocess.PIPE, preexec_fn=start,
                               start_new_session=True)
    late = threading.Timer(DEADLINE, os.killpg, (process.pid, signal.SIGKILL))
    late.start()
    # One thread for each stream, because wait4, which alone tells what a program took, blocks.
    with concurrent.futures.ThreadPoolExecutor() as readers:
        out, err = [readers.submit(stream.read) if stream else None
                    for stream in (process.stdout, process.stderr)]
        _, status, usage = os.wait4(process.pid, 0)
    hangs = not late.is_alive()
    late.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()
    if hangs:
        raise AssertionError(f"no end after {DEADLINE} s: {shown(command)}")
    return Outcome(process.returncode, out.result() if out else b"",
                   err.result().decode(errors="replace"), usage.ru_utime + usage.ru_stime,
                   usage.ru_maxrss)


def shown(command):
    return " ".join(repr(word[:200]) for word in command)


def contents(folder):
    """Names of everything below a folder, with the bytes of regular files."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
            for path in sorted(folder.rglob("*")) if not path.is_symlink()}


def file_limit(size):
    """A disk that is full after some bytes, as far as programs can tell."""
    def prepare():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return prepare


def good(command, folder):
    """Runs a command that the tests take for granted."""
    outcome = run(command, folder)
    assert outcome.code == 0, outcome.err


class Case(unittest.TestCase):
    """A test with a folder of its own, which holds the output of earlier runs."""

    @classmethod
    def share_folder(cls):
        """A folder for what all tests of the class use."""
        temporary = tempfile.TemporaryDirectory(prefix="sluice-bad-")
        cls.addClassCleanup(temporary.cleanup)
        return pathlib.Path(temporary.name)

    @classmethod
    def share_program(cls, graph, *flags, signatures=None):
        """A folder with the graph as g.pb, and the program that it was compiled to as cls.program."""
        folder = cls.share_folder()
        (folder / "g.pb").write_bytes(graph)
        if signatures:
            (folder / "signatures.json").write_text(json.dumps(signatures))
            flags = (*flags, "--signatures=signatures.json")
        good([program("sluicec"), "g.pb", *flags, "-o", "program"], folder)
        cls.program = str(folder / "program")
        return folder

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="sluice-bad-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.write("out", BEFORE)
        self.write("out.npy", BEFORE)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def refused(self, code, command, *says, **how):
        """The command fails with this code; standard error holds all of `says`, which are texts
        or compiled patterns."""
        before = contents(self.folder)
        outcome = run(command, self.folder, **how)
        what = f"{shown(command)}\nexit code {outcome.code}, standard error:\n{outcome.err[:3000]}"
        self.assertEqual(outcome.code, code, what)
        for part in says:
            found = part.search(outcome.err) if isinstance(part, re.Pattern) else part in outcome.err
            self.assertTrue(found, f"expected {part!r} in the message of {what}")
        # LLVM's parser of flags prints some complaints itself.
        self.assertRegex(outcome.err, "error: |: for the -", what)
        self.assertNotRegex(outcome.err, "PLEASE submit a bug report|Sanitizer|runtime error: ")
        self.assertLess(len(outcome.err), LONGEST_MESSAGE)
        self.assertEqual(contents(self.folder), before, f"files changed by {what}")
        self.assertLessEqual(outcome.seconds, PROCESSOR_TIME * slowness, what)
        self.assertLessEqual(outcome.memory, MEMORY * slowness, what)
        return outcome

    def accepted(self, command, **how):
        outcome = run(command, self.folder, **how)
        self.assertEqual(outcome.code, 0, f"{shown(command)}\n{outcome.err[:3000]}")
        return outcome


def method_name(item, title):
    return f"test_item_{item:03}_" + re.sub(r"\W+", "_", title).strip("_")


def add(test_class, item, title, body):
    """Gives a test class one more test. `item` numbers the kind of bad input, as in README.md."""
    name = method_name(item, title)
    while hasattr(test_class, name):  # titles may differ in signs only
        name += "_"

    def test(self):
        body(self)

    test.__name__ = name
    test.__doc__ = f"item {item}: {title}"
    setattr(test_class, name, test)


def add_graph_cases(test_class, cases):
    """Cases are (item, title, bytes of the graph, texts in the message, options). The compiler and
    the translator must refuse the graph in the same way. Options: `code`, `feeds`, `fetches`,
    `targets`, `limits`, `name` of the file."""
    for item, title, content, says, *options in cases:
        add(test_class, item, title, graph_case(content, says, **(options[0] if options else {})))


def graph_case(content, says, code=BAD_GRAPH, feeds=(), fetches=("y",), targets=(), limits=(),
               name="g.pb"):
    flags = [f"--limit={limit}" for limit in limits]
    flags += [f"--feed={feed}" for feed in feeds] + [f"--fetch={fetch}" for fetch in fetches]
    flags += [f"--run={target}" for target in targets]
    says = [says] if isinstance(says, (str, re.Pattern)) else list(says)

    def body(self):
        path = self.write(name, content)
        self.refused(code, [program("sluicec"), path, *flags, "-o", "out"], name, *says)
        self.refused(code, [program("sluice-translate"), "--import-graphdef", path, *flags,
                            "-o", "out"], name, *says)
    return body


def main():
    """Runs the tests of the calling module; the first argument is the folder of the programs."""
    global bin_folder, slowness
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(f"usage: {sys.argv[0]} BIN [unittest's flags]")
    bin_folder = pathlib.Path(sys.argv.pop(1)).resolve()
    code = (bin_folder / "sluicec").read_bytes()
    if b"__asan_init" in code or b"__tsan_init" in code:
        slowness = SANITIZED
    unittest.main(module="__main__")
