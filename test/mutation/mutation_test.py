#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the mutators, and of the machine with a small project that is tested in part."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import types
import unittest

from cpp_tokens import tokens_of
from mutant import Gone, Mutant
from mutators import mutants_of
from suites import is_near

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 600  # it is done much sooner


def changes(text, kind):
    """(old, new) of the mutants of one kind, without blanks around them."""
    return [(mutant.old.strip(), mutant.new.strip())
            for mutant in mutants_of("a.cpp", text) if mutant.kind == kind]


class Tokens(unittest.TestCase):
    def test_comments_strings_and_directives_are_whole(self):
        text = '#define A 1 + 2\n/* 3 */ "4 + \\" 5" R"x(6)" )x" \'7\' // 8\n 1\'000.5e-3f'
        self.assertEqual([token.kind for token in tokens_of(text)],
                         ["directive", "string", "string", "char", "number"])


class Mutators(unittest.TestCase):
    def test_conditions(self):
        text = "if (a < b)\n  go();\nif (auto x = f())\n  go();"
        self.assertEqual(changes(text, "negated condition"), [("if (a < b)", "if (!(a < b))")])
        self.assertEqual(changes(text, "dropped condition"),
                         [("if (a < b)", "if (true)"), ("if (a < b)", "if (false)")])

    def test_operators_but_not_brackets_of_templates_or_pointers(self):
        self.assertEqual(changes("vector<int> a = b && c;", "exchanged operator"),
                         [("vector<int> a = b && c;", "vector<int> a = b || c;")])
        self.assertEqual(changes("int *a = -b; out << c;", "exchanged operator"), [])

    def test_names(self):
        self.assertEqual(changes("return success();", "exchanged name"),
                         [("return success();", "return failure();")])

    def test_constants_but_not_capacities(self):
        self.assertEqual(changes("f(true, 3);", "changed constant"),
                         [("f(true, 3);", "f(false, 3);"), ("f(true, 3);", "f(true, 2);"),
                          ("f(true, 3);", "f(true, 4);")])
        self.assertEqual(changes("SmallVector<Value, 3> a;", "changed constant"), [])
        self.assertEqual(changes("SmallString<128> a;", "changed constant"), [])
        self.assertEqual(changes("x = 1.5;", "changed constant"),
                         [("x = 1.5;", "x = (1.5 * 1.01);")])

    def test_calls_but_not_declarations_or_conditions(self):
        text = "void f() {\n a.b(c)->d();\n ++n;\n Value v(c);\n return g();\n a.reserve(2);\n}"
        self.assertEqual(changes(text, "removed call"), [("a.b(c)->d();", ";"), ("++n;", ";")])
        self.assertEqual(changes("{ if (a)\n  go(1); }", "removed call"), [("go(1); }", "; }")])

    def test_entries_of_tables(self):
        text = '{"Add", add, 2},\n{"Sub", sub, 2},\n{"Neg", neg},'
        self.assertEqual(changes(text, "exchanged entry"),
                         [('{"Add", add, 2},', '{"Sub", add, 2},'),
                          ('{"Add", add, 2},', '{"Add", sub, 2},')])

    def test_rows_of_tables_but_not_of_lists(self):
        text = '{"Add", add, 2},\nmade({"Neg", neg}),\n{"Minus", neg},\n{"a"}, {"b"}'
        self.assertEqual(changes(text, "exchanged rows"),
                         [('{"Add", add, 2},\nmade({"Neg", neg}),',
                           '{"Neg", add, 2},\nmade({"Add", neg}),'),
                          ('made({"Neg", neg}),\n{"Minus", neg},',
                           'made({"Minus", neg}),\n{"Neg", neg},')])


class Mutants(unittest.TestCase):
    def test_are_found_again_where_their_lines_have_moved(self):
        mutant = Mutant("a.cpp", 1, "b();", "c();")
        self.assertEqual(mutant.apply("a();\nb();\nd();\nd();\nb();"),
                         "a();\nc();\nd();\nd();\nb();")
        with self.assertRaises(Gone):
            mutant.apply("a();")


PROJECT = {
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.20)
project(small LANGUAGES CXX)
enable_testing()
file(GLOB sources CONFIGURE_DEPENDS runtime/*.cpp)
add_executable(sum-tests ${sources})
add_test(NAME sum-tests COMMAND sum-tests)
""",
    "CMakePresets.json": json.dumps({
        "version": 3,
        "configurePresets": [{"name": "release", "generator": "Ninja",
                              "binaryDir": "${sourceDir}/build/${presetName}"}],
        "buildPresets": [{"name": "release", "configurePreset": "release"}]}),
    ".gitignore": "build/\n",
    "runtime/sum.cpp": """int twice(int x) {
  return x + x;
}
int unseen(int x) {
  return x + 3;
}
int main(int count, char **) {
  while (twice(count) == 3) {
  }
  return twice(2) == 4 ? 0 : 1 + unseen(count);
}
""",
}


class Machine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = pathlib.Path(folder.name)
        for name, text in PROJECT.items():
            (self.project / name).parent.mkdir(exist_ok=True)
            (self.project / name).write_text(text)
        subprocess.run(["git", "init", "-q"], cwd=self.project, check=True)

    def command(self, *flags):
        return [sys.executable, HERE / "run", "--project", self.project, "--slack", "5",
                "--results", self.project / "results.jsonl", *flags]

    def run_machine(self, *flags):
        process = subprocess.run(self.command(*flags), stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, timeout=SECONDS, check=False)
        return process.returncode, process.stdout

    def write_list(self, *changes):
        """Mutants of the small project, each as (line, old, new)."""
        rows = [{"path": "runtime/sum.cpp", "line": line, "old": old, "new": new}
                for line, old, new in changes]
        path = self.project / "mutants.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)))
        return path

    def running(self):
        """Processes whose program belongs to the project."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if os.readlink(process / "exe").startswith(str(self.project)):
                    found.append(int(process.name))
        return found

    def results(self):
        lines = (self.project / "results.jsonl").read_text().splitlines()
        return {row["old"].strip() + " " + row["new"].strip(): row
                for row in map(json.loads, lines)}

    def test_says_what_is_noticed_and_what_is_not_and_goes_on_where_it_stopped(self):
        mutants = self.write_list((2, "  return x + x;", "  return x + 1;"),
                                  (5, "  return x + 3;", "  return x - 3;"),
                                  (5, "  return x + 3;", "  return x + (2 + 1);"),
                                  (5, "  return x + 3;", "  return y;"),
                                  (2, "  return x + x;", "  return x + 2;"),
                                  (9, "  gone();", ""))

        code, output = self.run_machine("--list", mutants, "--count", "3")
        self.assertEqual(code, 1, output)
        found = self.results()
        self.assertEqual({name: row["outcome"] for name, row in found.items()},
                         {"return x + x; return x + 1;": "killed",
                          "return x + 3; return x - 3;": "survived",
                          "return x + 3; return x + (2 + 1);": "same code"}, output)
        self.assertEqual(found["return x + x; return x + 1;"]["by"], "sum-tests fails")
        source = self.project / "runtime/sum.cpp"
        self.assertEqual(source.read_text(), PROJECT["runtime/sum.cpp"])

        code, output = self.run_machine("--list", mutants)
        self.assertIn("gone", output)
        found = self.results()
        self.assertEqual(len(found), 4, output)  # what does not compile is not counted
        self.assertEqual(found["return x + x; return x + 2;"]["by"], "sum-tests does not end")

        source.write_text(PROJECT["runtime/sum.cpp"].replace(
            "twice(2) == 4", "twice(2) == 4 && unseen(2) == 5"))
        code, output = self.run_machine("--again")
        self.assertEqual(code, 0, output)
        self.assertEqual(self.results()["return x + 3; return x - 3;"]["outcome"], "killed")

    def test_leaves_out_what_takes_many_steps_to_build(self):
        mutants = self.write_list((2, "  return x + x;", "  return x + 1;"))
        with open(self.project / "CMakeLists.txt", "a", encoding="utf-8") as file:
            file.write("add_executable(more ${sources})\n")
        code, output = self.run_machine("--list", mutants, "--widest", "3")
        self.assertIn("left out for its 4 build steps: runtime/sum.cpp:2", output)
        self.assertEqual(code, 0, output)
        self.assertFalse((self.project / "results.jsonl").exists())
        steps = subprocess.run(["ninja", "-C", self.project / "build/mutation/build/release"],
                               stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertIn("no work to do", steps)  # nor for the next one

    def test_leaves_nothing_behind_when_it_is_stopped(self):
        mutants = self.write_list((2, "  return x + x;", "  return x + 2;"))  # does not end
        copy = self.project / "build/mutation/runtime/sum.cpp"

        def tries_it():
            return copy.exists() and "x + 2" in copy.read_text() and self.running()
        with subprocess.Popen(self.command("--list", mutants, "--slack", str(SECONDS)),
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and not tries_it():
                time.sleep(0.1)
            self.assertIsNone(process.poll())
            process.terminate()
        self.assertEqual(process.returncode, 1)
        self.assertEqual(self.running(), [])
        self.assertNotIn("x + 2", copy.read_text())

    def test_draws_the_same_from_a_seed(self):
        self.run_machine("--seed", "5", "--count", "2")
        first = set(self.results())
        (self.project / "results.jsonl").unlink()
        self.run_machine("--seed", "5", "--count", "2")
        self.assertEqual(set(self.results()), first)
        self.assertEqual(len(first), 2)


class Nearness(unittest.TestCase):
    def test_suites_made_for_a_folder_are_near(self):
        def near(path):
            names = ["lit", "codegen-tests", "differential-kernels", "place-tests",
                     "conformance-interpret", "runtime-tests-2", "docs-pages"]
            return [name for name in names if is_near(types.SimpleNamespace(name=name), path)]
        self.assertEqual(near("compiler/codegen/cpu/a.cpp"),
                         ["lit", "codegen-tests", "differential-kernels"])
        self.assertEqual(near("compiler/place/a.cpp"), ["lit", "place-tests"])
        self.assertEqual(near("runtime/io/a.cpp"), ["runtime-tests-2"])


if __name__ == "__main__":
    unittest.main()
