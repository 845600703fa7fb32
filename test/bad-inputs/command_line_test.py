#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Flags and output paths: compiler, translator and executables."""

import os

import harness
from graphdef import FLOAT, constant, dtype, field, graph, node, placeholder, unary
from harness import BAD_GRAPH, BEFORE, INPUT_OUTPUT, USAGE, Case, add, file_limit, program

GRAPH = graph(placeholder("x", FLOAT, (1,)), unary("y", "Neg", "x"),
              node("v", "VariableV2", dtype=dtype(FLOAT), shape=field(7, b"")),
              constant("one"), node("set", "Assign", "v", "one", T=dtype(FLOAT)))
ARGUMENT = "y" * 120_000  # one argument of Linux has at most 128 KiB: 2 MB need several
NO_TEXT = b"\xff\xfe\x80"
FLAGS = ["--feed=x", "--fetch=y", "--run=set"]


class CommandLine(Case):
    @classmethod
    def setUpClass(cls):
        """Compiles one program for all tests."""
        folder = cls.share_program(GRAPH, *FLAGS)
        cls.graph = str(folder / "g.pb")

    def compiler(self, *flags):
        return [program("sluicec"), self.graph, *FLAGS, *flags]

    def translator(self, *flags):
        return [program("sluice-translate"), "--import-graphdef", self.graph, *FLAGS, *flags]

    def call(self, *flags):
        return [self.program, "--input=x=1xf32=2", *flags]

    # Flags.

    def test_item_136_no_arguments(self):
        self.refused(USAGE, [program("sluicec")], "sluicec")
        self.refused(USAGE, [program("sluice-translate")], "sluice-translate")
        self.refused(USAGE, [self.program], "x")

    def test_item_136_2_mb(self):
        many = [f"--fetch={ARGUMENT}"] * 16
        self.refused(USAGE, self.compiler(*many, "-o", "out"), "yyy")
        self.refused(USAGE, self.compiler(f"--{ARGUMENT}", "-o", "out"), "yyy")
        # LLVM looks for a similar flag among a thousand, in time that grows with the length.
        self.refused(USAGE, self.translator(f"--{ARGUMENT[:5000]}"), "yyy")
        self.refused(USAGE, self.call(*[f"--{ARGUMENT}"] * 16), "yyy")
        self.refused(USAGE, self.call(f"--signature={ARGUMENT}"), "yyy")
        self.refused(INPUT_OUTPUT, self.compiler("-o", ARGUMENT[:5000]), "too long")

    def test_item_136_argument_files(self):
        """item 136: @FILE that is no file"""
        os.mkfifo(self.folder / "pipe")
        for path in ("/dev/zero", ".", "pipe"):
            self.refused(USAGE, self.compiler(f"@{path}", "-o", "out"), f"@{path}")
        self.refused(USAGE, self.compiler("@missing", "-o", "out"), "@missing")

    def test_item_136_signature_files(self):
        command = [program("sluicec"), self.graph, "-o", "out", "--signatures"]
        for path in ("/dev/zero", ".", "missing.json"):
            self.refused(INPUT_OUTPUT, command + [path], path)
        for content in ("", "{", "[]", "null", "[" * 100_000, '{"signatures": 1}', NO_TEXT,
                        '{"signatures": [{"feeds": ["x"]}]}', '{"signatures": []}',
                        '{"signatures": [{"name": "", "fetches": ["y"]}]}',
                        '{"signatures": [{"name": "a", "feeds": ["x"], "fetches": ["y"]}, '
                        '{"name": "a", "feeds": ["x"], "fetches": ["y"]}]}'):
            self.refused(USAGE, command + [self.write("s.json", content)])

    # Output paths.

    def test_item_137_folder(self):
        os.mkdir(self.folder / "there")
        os.mkdir(self.folder / "there.npy")
        for command in (self.compiler("-o", "there"), self.translator("-o", "there"),
                        self.compiler("--emit=mlir", "-o", "there"),
                        self.compiler("--emit=obj", "-o", "there"),
                        self.call("--output=y=@there.npy"), self.call("--save=there")):
            self.refused(INPUT_OUTPUT, command, "there")

    def test_item_137_missing_folder(self):
        for command in (self.compiler("-o", "no/where"), self.translator("-o", "no/where"),
                        self.call("--output=y=@no/where.npy"), self.call("--save=no/where")):
            self.refused(INPUT_OUTPUT, command, "no/where")

    def test_item_137_below_a_file(self):
        for command in (self.compiler("-o", "out/file"), self.translator("-o", "out/file"),
                        self.compiler("--dump-phases=out", "-o", "new"),
                        self.call("--output=y=@out/file.npy"), self.call("--save=out/file")):
            self.refused(INPUT_OUTPUT, command, "out")

    def test_item_137_device(self):
        for command in (self.compiler("-o", "/dev/full"), self.translator("-o", "/dev/full"),
                        self.call("--save=/dev/full")):
            self.refused(INPUT_OUTPUT, command, "/dev/full")
        for command in (self.compiler("--emit=mlir"), self.translator()):
            self.refused(INPUT_OUTPUT, [*command, "-o", "/dev/full"], "/dev/full", "No space left")
            self.accepted([*command, "-o", "/dev/null"])

    def test_item_137_equals_input(self):
        path = self.write("g.pb", GRAPH)
        os.symlink("g.pb", self.folder / "link")
        for output in ("g.pb", "./g.pb", "link", path):
            self.refused(USAGE, [program("sluicec"), path, *FLAGS, "-o", output], "g.pb")
            self.refused(USAGE, [program("sluice-translate"), "--import-graphdef", path, *FLAGS,
                                 "-o", output], "g.pb")
        signatures = self.write("s.json", '{"signatures": [{"name": "a", "fetches": ["v"]}]}')
        self.refused(USAGE, [program("sluicec"), path, "--signatures", signatures, "-o", "s.json"],
                     "s.json")

    def test_item_137_not_writable(self):
        os.mkdir(self.folder / "closed", 0o500)
        if os.access(self.folder / "closed", os.W_OK):
            self.skipTest("this user may write to every folder")
        for command in (self.compiler("-o", "closed/a"), self.translator("-o", "closed/a"),
                        self.call("--output=y=@closed/a.npy"), self.call("--save=closed/a")):
            self.refused(INPUT_OUTPUT, command, "closed/a", "Permission denied")

    def test_item_137_full_disk(self):
        full = {"prepare": file_limit(10)}
        for command in (self.compiler("-o", "out"), self.compiler("-o", "new"),
                        self.compiler("--emit=obj", "-o", "out"), self.translator("-o", "out"),
                        self.compiler("--emit=mlir", "-o", "out"),
                        self.call("--output=y=@out.npy"), self.call("--save=out")):
            self.refused(INPUT_OUTPUT, command, "cannot write", **full)

    def test_item_137_full_standard_output(self):
        launcher = program("sluice-run")
        for command in (self.compiler("--stop-after=import"), self.translator(), self.call(),
                        [launcher, "--help"], [launcher, "--version"],
                        [program("sluicec"), "--version"], [program("sluice-opt"), "--help"],
                        [program("sluice-opt"), "--version"],
                        [program("sluice-translate"), "--version"]):
            with open("/dev/full", "wb") as full:
                self.refused(INPUT_OUTPUT, command, "output", "No space left", stdout=full)

    def test_item_137_good_output_replaces(self):
        self.accepted(self.compiler("-o", "out"))
        self.assertEqual(sorted(harness.contents(self.folder)), ["out", "out.npy"])
        self.assertNotEqual((self.folder / "out").read_bytes(), BEFORE)

    def test_item_137_permissions(self):
        """item 137: files are made as the umask wants; one that is replaced keeps what it had"""
        for command, fresh, replaced in ((self.compiler(), 0o750, 0o704),
                                         (self.compiler("--emit=obj"), 0o640, 0o604),
                                         (self.compiler("--emit=mlir"), 0o640, 0o604),
                                         (self.translator(), 0o640, 0o604)):
            os.chmod(self.folder / "out", 0o604)
            for output, mode in (("new", fresh), ("out", replaced)):
                self.accepted([*command, "-o", output], prepare=lambda: os.umask(0o027))
                self.assertEqual((self.folder / output).stat().st_mode & 0o7777, mode, command)
            (self.folder / "new").unlink()

    def test_item_137_link(self):
        """item 137: what a symbolic link points to is replaced, not the link"""
        os.mkdir(self.folder / "there")
        os.symlink("there/file", self.folder / "link")
        for command in (self.compiler(), self.compiler("--emit=mlir"), self.translator()):
            self.write("there/file", BEFORE)
            self.accepted([*command, "-o", "link"])
            self.assertTrue((self.folder / "link").is_symlink())
            self.assertNotEqual((self.folder / "there/file").read_bytes(), BEFORE)
            self.assertEqual(os.listdir(self.folder / "there"), ["file"])

    def test_item_137_dangling_link(self):
        """item 137: what a symbolic link points to is made"""
        os.mkdir(self.folder / "there")
        os.symlink("there/file.npy", self.folder / "link.npy")
        for command in (self.compiler("-o", "link.npy"), self.translator("-o", "link.npy"),
                        self.compiler("--emit=mlir", "-o", "link.npy"),
                        self.call("--output=y=@link.npy"), self.call("--save=link.npy")):
            self.accepted(command)
            self.assertTrue((self.folder / "link.npy").is_symlink(), command)
            (self.folder / "there/file.npy").unlink()

    def test_item_137_one_file_twice(self):
        """item 137: files are compared, not names"""
        os.mkdir(self.folder / "d")
        os.symlink("../o.npy", self.folder / "d/link")
        for save in ("./o.npy", "d/../o.npy", str(self.folder / "o.npy"), "d/link"):
            for other in (f"--save={save}", f"--trace={save}"):
                self.refused(USAGE, self.call("--output=y=@o.npy", other), "written twice")
        self.refused(USAGE, self.call("--save=o", "--trace=./o"), "written twice")
        compiler = self.compiler("--devices=2", "-o", "ranks")
        for flags in (["--report=ranks/manifest.json"], ["--partition-summary=./ranks/g.rank1"],
                      ["--report=r", "--partition-summary=d/../r"],
                      ["--dump-phases=d", "--report=./d/1-import.mlir"]):
            self.refused(USAGE, [*compiler, *flags], "name the same file")


def compiler(item, title, flags, *says, code=USAGE):
    add(CommandLine, item, f"compiler: {title}",
        lambda self: self.refused(code, self.compiler(*flags, "-o", "out"), *says))


def bare_compiler(item, title, flags, *says, code=USAGE):
    add(CommandLine, item, f"compiler: {title}",
        lambda self: self.refused(code, self.compiler(*flags), *says))


def executable(item, title, flags, *says, code=USAGE):
    add(CommandLine, item, f"executable: {title}",
        lambda self: self.refused(code, self.call(*flags), *says))


def translator(item, title, flags, *says, code=USAGE):
    add(CommandLine, item, f"translator: {title}",
        lambda self: self.refused(code, self.translator(*flags), *says))


compiler(136, "unknown flag", ["--bogus"], "--bogus")
LONG = "--" + "x" * 120_000
compiler(136, "long flag", [LONG], "expected a flag but got '--xxx", "120002 bytes")
compiler(136, "unknown flag with a value", ["--bogus=1"], "--bogus")
compiler(136, "two inputs", ["other.pb"], "other.pb")
compiler(136, "flag twice", ["--stop-after=import", "--stop-after=import"], "stop-after")
compiler(136, "output twice", ["-o", "other"], "o")
compiler(136, "unknown phase", ["--stop-after=bogus"], "--stop-after", "'bogus'", "import")
compiler(136, "unknown phase to interpret", ["--interpret=bogus"], "--interpret", "'bogus'")
compiler(136, "phase that cannot be interpreted", ["--interpret=emit"], "'emit'")
compiler(136, "empty phase", ["--stop-after="], "--stop-after", "''")
compiler(136, "unknown kind of output", ["--emit=bogus"], "emit", "bogus")
compiler(136, "unknown form of diagnostics", ["--diagnostics-format=xml"], "--diagnostics-format")
compiler(136, "switch with a value", ["--no-prune=maybe"], "no-prune", "maybe")
compiler(136, "empty folder of dumps", ["--dump-phases="], "--dump-phases")
compiler(136, "empty file of signatures", ["--signatures="], "--signatures")
compiler(136, "signatures and feeds", ["--signatures=s.json"], "--signatures")
compiler(136, "empty feed", ["--feed="], "feed ''")
compiler(136, "empty argument", [""], "")
compiler(136, "feed that is no text", [b"--feed=" + NO_TEXT], "feed")
compiler(136, "flag that is no text", [b"--" + NO_TEXT], "error: ")
compiler(136, "line break in a flag", ["--a\nerror: b"], "--a\\x0aerror: b")
bare_compiler(136, "missing output", [], "-o")
for kind, what in (("exe", "FOLDER"), ("obj", "FOLDER"), ("mlirbc", "FILE")):
    bare_compiler(136, f"missing {kind} of a cluster", ["--devices=2", f"--emit={kind}"],
                  f"expected -o {what}")
bare_compiler(136, "missing value", ["-o"], "o")
bare_compiler(136, "missing value of a long flag", ["-o", "out", "--stop-after"], "stop-after")
bare_compiler(136, "empty output", ["-o", ""], "-o")
add(CommandLine, 136, "compiler: empty input",
    lambda self: self.refused(INPUT_OUTPUT, [program("sluicec"), "", "--fetch=y", "-o", "out"],
                              "No such file"))
add(CommandLine, 136, "compiler: input that is no text",
    lambda self: self.refused(INPUT_OUTPUT, [program("sluicec"), NO_TEXT, "--fetch=y", "-o", "out"],
                              "No such file"))

translator(136, "unknown flag", ["--bogus"], "--bogus")
translator(136, "long flag", [LONG], "expected a flag but got '--xxx", "120002 bytes")
translator(136, "flag twice", ["-o", "a", "-o", "b"], "o")
translator(136, "missing value", ["-o"], "o")
translator(136, "number that is none", ["--limit=file-bytes=abc"], "file-bytes", "abc")
translator(136, "two signatures of one name",
           ["--signature=a", "--fetch=y", "--signature=a", "--fetch=y"], "'a'")
translator(8, "file beyond the limit", ["--limit=file-bytes=10"], "at most 10 bytes", code=BAD_GRAPH)

for name, flags, says in (("long flag", [LONG], "120002 bytes"),
                          ("unknown flag", ["--bogus"], "error: Unknown command line argument '--bogus'"),
                          ("flag twice", ["-o", "a", "-o", "b"], "error: -o is given twice"),
                          ("missing value", ["-o"], "for the -o option"),
                          ("wrong option of a pass", ["--lower-control-flow=bogus"], "error: "),
                          ("wrong pass", ["--pass-pipeline=bogus"], "error: ")):
    add(CommandLine, 136, f"IR tool: {name}",
        lambda self, flags=flags, says=says: self.refused(USAGE, [program("sluice-opt"), *flags], says))

executable(136, "unknown flag", ["--bogus"], "--bogus")
executable(136, "flag that is nearly right", ["--outptu=y=-"], "'--outptu'", "did you mean")
executable(136, "flag twice", ["--steps=1", "--steps=1"], "--steps", "twice")
executable(136, "missing value", ["--steps"], "--steps")
executable(136, "switch with a value", ["--stats=yes"], "--stats")
executable(136, "empty value", ["--save="], "--save")
executable(136, "empty argument", [""], "''")
executable(136, "positional argument", ["x.npy"], "'x.npy'")
executable(136, "argument that is no text", [NO_TEXT], "unexpected argument")
executable(136, "flag that is no text", [b"--" + NO_TEXT], "unknown flag")
executable(136, "line break in a flag", ["--a\nerror: b"], "unknown flag", "\\")
executable(136, "unknown form of diagnostics", ["--diagnostics-format=xml"], "--diagnostics-format")
executable(136, "calls and inputs", ["--calls=-"], "--calls", "--input")
executable(136, "tolerance without expectation", ["--rtol=1"], "--rtol", "--expected")
for count in ("0", "-1", "1e9", "abc", "99999999999999999999", "1.5", "0x10", " 1", "+1"):
    executable(136, f"steps {count}", [f"--steps={count}"], "--steps", count)
for count in ("-1", "1000000000", "abc"):
    executable(136, f"workers {count}", [f"--workers={count}"], "--workers", count)
for count in ("0", "-1", "2147483648", "abc"):
    executable(136, f"window {count}", [f"--parallel-iterations={count}"],
               "--parallel-iterations", count)
for size in ("0", "-1", "10X", "G", "99999999999G"):
    executable(136, f"memory limit {size}", [f"--memory-limit={size}"], "--memory-limit", size)
for seed in ("18446744073709551616", "-1", "0x10", "1.5", "1e3", "seed", "nan"):
    executable(138, f"schedule seed {seed}", [f"--schedule-seed={seed}"], "--schedule-seed", seed)
    executable(138, f"random seed {seed}", [f"--random-seed={seed}"], "--random-seed", seed)

if __name__ == "__main__":
    harness.main()
