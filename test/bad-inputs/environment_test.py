#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where programs run: closed streams, variables of the environment, little of what a system gives
(items 139 to 142)."""

import concurrent.futures
import fcntl
import os
import pathlib
import resource
import shutil
import subprocess
import time

import harness
from graphdef import FLOAT, graph, node, placeholder, unary, dtype, shape
from harness import INPUT_OUTPUT, USAGE, Case, program

GRAPH = graph(placeholder("x", FLOAT, (2,)), unary("y", "Exp", "x"),
              node("v", "VariableV2", dtype=dtype(FLOAT), shape=shape(2)))
FLAGS = ["--feed=x", "--fetch=y", "--fetch=v", "-o", "out"]
INPUT = "--input=x=2xf32=0.5,1e-3"
OUT_OF_MEMORY, REFUSED = 14, 11
EXPECTED = b"y:0 f32[2] = [1.6487212, 1.0010005]"


class Environment(Case):
    @classmethod
    def setUpClass(cls):
        """Compiles programs for all tests: one that runs alone, and two ranks."""
        flags = ["--feed=x", "--fetch=y"]
        cls.shared = cls.share_program(GRAPH, *flags)
        cls.graph, cls.rank = str(cls.shared / "g.pb"), str(cls.shared / "ranks" / "g.rank0")
        harness.good([program("sluicec"), "g.pb", *flags, "--devices=2", "-o", "ranks"], cls.shared)

    def compiler(self, *flags):
        return [program("sluicec"), self.graph, "--feed=x", "--fetch=y", "-o", "made", *flags]

    def both(self, prepare=None, **variables):
        """Compiler and executable do their work as ever."""
        self.accepted(self.compiler(), prepare=changed(prepare, variables))
        outcome = self.accepted([self.program, INPUT], prepare=changed(prepare, variables))
        self.assertIn(EXPECTED, outcome.out)

    def test_limits_are_documented(self):
        page = pathlib.Path(__file__).resolve().parents[2] / "docs/reference/limits.md"
        rows = [line.split("|")[1:3] for line in page.read_text().splitlines()
                if line.startswith("| `")]
        documented = {name.strip(" `"): value.strip() for name, value in rows}
        text = self.accepted([self.program, "--help"]).out.decode()
        text = text.partition("\nlimits ")[2].partition("\n\n")[0]
        limits = [line for line in text.splitlines()[1:] if line.startswith("  ")]
        self.assertGreater(len(limits), 5)
        for line in limits:
            name, value = line.split()[0], line.rpartition("default ")[2]
            self.assertEqual(documented.get(name), value, line)

    # Standard streams.

    def test_item_139_closed_output(self):
        """item 139: a pipe that nobody reads is a failed write, no signal"""
        for command in ([self.program, INPUT], [self.program, "--help"],
                        [program("sluicec"), self.graph, "--fetch=y", "--feed=x",
                         "--stop-after=import"]):
            reader, writer = os.pipe()
            os.close(reader)
            self.refused(INPUT_OUTPUT, command, "Broken pipe", stdout=writer)
            os.close(writer)

    def test_item_139_no_streams_at_all(self):
        """item 139: files that are opened must not become standard output"""
        def close_all():
            for descriptor in range(3):
                os.close(descriptor)
        path = self.write("g.pb", GRAPH)
        outcome = harness.run([program("sluicec"), path, "--feed=x", "--fetch=y", "-o", "made"],
                              self.folder, prepare=close_all)
        self.assertGreaterEqual(outcome.code, 0)
        self.assertEqual((self.folder / "g.pb").read_bytes(), GRAPH)
        outcome = harness.run([self.program, INPUT, "--output=y=@y.npy"], self.folder,
                              prepare=close_all)
        self.assertEqual(outcome.code, 0)
        self.assertEqual((self.folder / "y.npy").read_bytes()[:6], b"\x93NUMPY")

    def test_item_139_no_input_stream(self):
        """item 139: a file that is opened may get the number of standard input"""
        self.both(prepare=lambda: os.close(0))

    def test_item_139_output_that_does_not_wait(self):
        """item 139: who shares the stream may have made it non-blocking; nothing gets lost"""
        for command in ([self.program, "--help"], [program("sluicec"), "--help"]):
            expected = self.accepted(command).out
            reader, writer = os.pipe()
            room = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
            self.assertGreater(len(expected), room, command)
            os.set_blocking(writer, False)
            with concurrent.futures.ThreadPoolExecutor() as threads, open(reader, "rb") as pipe:
                got = threads.submit(lambda: (time.sleep(0.3), pipe.read())[1])
                outcome = harness.run(command, self.folder, stdout=writer)
                os.close(writer)
                self.assertEqual((outcome.code, got.result()), (0, expected), command)

    # Flags that exclude each other, and keys.

    def test_item_140_conflicting_flags(self):
        key = self.write("key", b"k" * 32)
        self.refused(USAGE, [self.rank, INPUT, "--insecure", f"--key-file={key}"], "--insecure",
                     "--key-file", "exclude each other")
        self.refused(USAGE, [self.program, INPUT, "--insecure"], "--insecure")

    def test_item_140_key_files(self):
        os.mkfifo(self.folder / "pipe")
        cases = [("missing", "No such file"), (str(self.folder), "regular file"),
                 ("pipe", "regular file"), ("/dev/zero", "regular file")]
        for name, content, mode, says in (("open", b"k" * 32, 0o644, "chmod 600"),
                                          ("group", b"k" * 32, 0o640, "chmod 600"),
                                          ("empty", b"", 0o600, "16 to 4096 bytes"),
                                          ("short", b"k" * 15, 0o600, "16 to 4096 bytes"),
                                          ("long", b"k" * 4097, 0o600, "16 to 4096 bytes")):
            os.chmod(self.write(name, content), mode)
            cases.append((name, says))
        for path, says in cases:
            self.refused(INPUT_OUTPUT, [self.rank, INPUT, f"--key-file={path}"], path, says)

    # Variables of the environment.

    def test_item_141_decimal_comma(self):
        for language in ("de_DE.UTF-8", "tr_TR.UTF-8", "de_DE", "C", "nonsense", ""):
            self.both(LANG=language, LC_ALL=language, LC_NUMERIC=language)

    def test_item_141_decimal_comma_of_an_installed_language(self):
        languages = subprocess.run(["locale", "-a"], stdout=subprocess.PIPE, text=True,
                                   check=False).stdout.split() if shutil.which("locale") else []
        comma = [name for name in languages if name.startswith(("de_", "tr_", "fr_"))]
        if not comma:
            self.skipTest("no language with a decimal comma is installed")
        self.both(LC_ALL=comma[0])

    def test_item_141_nothing(self):
        """item 141: no HOME, no PATH, no LANG, no TMPDIR"""
        outcome = subprocess.run(self.compiler(), cwd=self.folder, env={}, check=False,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        outcome = subprocess.run([self.program, INPUT], cwd=self.folder, env={}, check=False,
                                 stdout=subprocess.PIPE, timeout=60)
        self.assertIn(EXPECTED, outcome.stdout)

    def test_item_141_senseless_values(self):
        self.both(HOME="/nowhere", TZ="../../etc/passwd", TMPDIR="/nowhere", COLUMNS="-1",
                  TERM="%n%n", MALLOC_ARENA_MAX="-1", GLIBC_TUNABLES="nonsense=1")

    def test_item_141_temporary_folder(self):
        """item 141: --emit=obj is the one to use it"""
        self.refused(INPUT_OUTPUT, self.compiler("--emit=obj"), "/nowhere",
                     prepare=changed(None, {"TMPDIR": "/nowhere"}))

    def test_item_141_path_of_libraries(self):
        """item 141: executables look nowhere for libraries of ours"""
        self.write("libstdc++.so.6", b"no library")
        outcome = self.accepted([self.program, INPUT],
                                prepare=changed(None, {"LD_LIBRARY_PATH": str(self.folder)}))
        self.assertIn(EXPECTED, outcome.out)

    # Little of what a system gives.

    def test_item_141_few_files(self):
        self.both(limit(resource.RLIMIT_NOFILE, 6))
        peers = "--peers=127.0.0.1:17001,127.0.0.1:17002"
        for files in (4, 5):
            self.refused(INPUT_OUTPUT, [self.rank, INPUT, peers], "Too many open files", "ulimit -n",
                         prepare=limit(resource.RLIMIT_NOFILE, files))

    def test_item_141_small_stack(self):
        """item 141: 256 KiB are enough"""
        self.both(limit(resource.RLIMIT_STACK, 256 << 10))

    def test_item_141_little_memory(self):
        path = self.write("x.npy", npy_of_zeros(64 << 20))
        self.refused(OUT_OF_MEMORY, [self.program, f"--input=x=@{path}"], "x.npy",
                     "no memory for the 671089", prepare=limit(resource.RLIMIT_AS, 64 << 20))
        self.refused(OUT_OF_MEMORY, [self.program, f"--input=x=@{path}", "--memory-limit=1M"],
                     "x.npy", "no memory for the 671089")

    def test_item_141_little_memory_for_the_compiler(self):
        """item 141: no signal, no request for a bug report"""
        path = self.write("large.pb", graph(placeholder("n0", FLOAT, (2,)), *(
            unary(f"n{i}", "Tanh", f"n{i - 1}") for i in range(1, 60001))))
        flags = [path, "--feed=n0", "--fetch=n60000"]
        little = limit(resource.RLIMIT_DATA, 24 << 20)
        for command in ([program("sluicec"), *flags, "-o", "made"],
                        [program("sluice-translate"), "--import-graphdef", *flags, "-o", "made"]):
            self.refused(OUT_OF_MEMORY, command, "out of memory", "ulimit -d", prepare=little)

    def test_item_141_no_threads(self):
        """item 141: work is done by the one thread there is"""
        if os.geteuid() == 0:
            self.skipTest("the number of processes of this user is not limited")
        self.both(limit(resource.RLIMIT_NPROC, 1))


def npy_of_zeros(size):
    header = f"{{'descr': '|i1', 'fortran_order': False, 'shape': ({size},), }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(size)


def limit(kind, size):
    return lambda: resource.setrlimit(kind, (size, size))


def changed(prepare, variables):
    def both():
        os.environ.update(variables)
        if prepare:
            prepare()
    return both


if __name__ == "__main__":
    harness.main()
