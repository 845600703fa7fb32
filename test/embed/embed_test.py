#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles models into libraries, and programs of others against them.

Usage: embed_test.py SLUICEC CC CXX
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
sys.path.insert(0, str(PROGRAMS))
import graphs  # noqa: E402

INSTALLED = PROGRAMS.parents[2] / "runtime/embed"  # where headers are that are installed
STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
OK, BAD_GRAPH, USAGE = 0, 1, 2


class Embed(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def compile(self, name, graph, *flags, code=OK, emit="lib"):
        """What sluicec says."""
        file = self.folder / "graph.pbtxt"
        file.write_text(graph)
        done = subprocess.run([SLUICEC, file, f"--emit={emit}", "-o", self.folder / name, *flags],
                              text=True, stderr=subprocess.PIPE, timeout=300)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def build(self, source, *libraries, standard=None):
        """An executable of a program."""
        isC = str(source).endswith(".c")
        program = self.folder / "program"
        subprocess.run([CC if isC else CXX, f"-std={standard or ('c11' if isC else 'c++17')}",
                        *STRICT, "-I", self.folder, "-I", INSTALLED, source, "-o", program, "-L", self.folder,
                        f"-Wl,-rpath,{self.folder}", *libraries, "-lm", "-lpthread", "-ldl"],
                       check=True, timeout=300)
        return program

    def run_program(self, *command):
        done = subprocess.run(list(map(str, command)), text=True, stdout=subprocess.PIPE, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def check_headers(self, name):
        """Both headers compile, with all warnings."""
        for suffix, standard in ((".h", "c11"), (".h", "c++17"), (".hpp", "c++17"), (".hpp", "c++20")):
            source = self.folder / ("header" + (".c" if standard == "c11" else ".cpp"))
            source.write_text(f'#include "{name}{suffix}"\n#include "{name}{suffix}"\n')
            subprocess.run([CC if standard == "c11" else CXX, f"-std={standard}", *STRICT,
                            "-Wno-unused-function", "-fsyntax-only", "-I", self.folder, source],
                           check=True, timeout=300)


class Libraries(Embed):
    def test_nothing_but_the_entries_is_seen(self):
        self.compile("model", graphs.add(), "--feed=x,y", "--fetch=sum")
        shared = subprocess.run(["nm", "-D", "--defined-only", self.folder / "libmodel.so"],
                                check=True, text=True, stdout=subprocess.PIPE).stdout
        self.assertEqual(sorted(line.split()[-1] for line in shared.splitlines()),
                         ["model_sluice_library", "sluice_library_entry"])
        static = subprocess.run(["nm", "-g", "--defined-only", self.folder / "libmodel.a"],
                                check=True, text=True, stdout=subprocess.PIPE).stdout
        self.assertEqual(re.findall(r"\S+$", static, re.M)[-1], "model_sluice_library")
        self.assertEqual(static.count(" T "), 1, static)

    def test_what_would_change_the_process_is_not_called(self):
        self.compile("model", graphs.add(), "--feed=x,y", "--fetch=sum")
        needed = subprocess.run(["nm", "-D", "--undefined-only", self.folder / "libmodel.so"],
                                check=True, text=True, stdout=subprocess.PIPE).stdout
        used = {line.split()[-1].split("@")[0] for line in needed.splitlines()}
        self.assertFalse(used & {"exit", "_exit", "sigaction", "signal", "setrlimit", "mallopt",
                                 "setlocale", "__cxa_thread_atexit_impl"}, used)

    def test_two_models(self):
        self.compile("first", graphs.add(), "--feed=x,y", "--fetch=sum")
        self.compile("second", graphs.add(total="difference").replace("AddV2", "Sub"),
                     "--feed=x,y", "--fetch=difference")
        for libraries in (["-lfirst", "-lsecond"],
                          [self.folder / "libfirst.a", self.folder / "libsecond.a"],
                          [self.folder / "libsecond.a", "-lfirst"]):
            self.run_program(self.build(PROGRAMS / "two_models.c", *libraries))

    def test_objects_of_another_models_state(self):
        for name in ("first", "second"):
            self.compile(name, graphs.add(), "--feed=x,y", "--fetch=sum")
        source = self.folder / "other.cpp"
        source.write_text('#include "first.hpp"\n#include "second.hpp"\n#include <cstdio>\n'
                          'int main() {\n  First first, same(first.model());\n'
                          '  Second other(first.model());\n'
                          '  std::puts(other.error_msg().c_str());\n'
                          '  return first.Run() && same.Run() && !other.Run() && !other.model() ? 0 : 1;\n}\n')
        self.assertEqual(self.run_program(self.build(source, "-lfirst", "-lsecond")),
                         "the model is one of another library\n")

    def test_is_unloaded_without_growth(self):
        self.compile("first", graphs.add(), "--feed=x,y", "--fetch=sum")
        program = self.build(PROGRAMS / "reload.c")
        grown = int(self.run_program(program, self.folder / "libfirst.so"))
        self.assertLess(grown, 64)

    def test_is_replaced_in_whole_or_left_alone(self):
        self.compile("model", graphs.add(), "--feed=x,y", "--fetch=sum")
        before = {file: file.read_bytes() for file in self.folder.iterdir() if "model" in file.name}
        self.assertEqual(len(before), 4)
        self.compile("model", graphs.add(), "--feed=x,y", "--fetch=none", code=USAGE)
        self.assertEqual(before, {file: file.read_bytes() for file in before})

    def test_the_name_of_the_library_is_a_name(self):
        self.compile("libmodel.so", graphs.add(), "--feed=x,y", "--fetch=sum")
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()),
                         ["graph.pbtxt", "libmodel.a", "libmodel.so", "model.h", "model.hpp"])

    def test_flags(self):
        for flags, says in [(["--devices=2"], "--emit=lib excludes --devices"),
                            (["--cpp-class=1x"], "to be a name of C++"),
                            (["--cpp-class=a::class"], "to be a name of C++")]:
            self.assertIn(says, self.compile("m", graphs.add(), "--feed=x,y", "--fetch=sum", *flags,
                                             code=USAGE))
        for name in ("sluice", "libsluice.so", "sluice_abi"):
            self.assertRegex(self.compile(name, graphs.add(), "--feed=x,y", "--fetch=sum", code=USAGE),
                             r"would write sluice(_abi)?\.h, which is what a header of Sluice is called")
        self.compile("sluice", graphs.add(), "--feed=x,y", "--fetch=sum", emit="exe")
        self.assertIn("--cpp-class needs --emit=lib",
                      self.compile("m", graphs.add(), "--feed=x,y", "--fetch=sum", "--cpp-class=M",
                                   code=USAGE, emit="exe"))


class Headers(Embed):
    def test_names_that_are_no_identifiers(self):
        names = ["a/x", "a_x", "a.x", "a_x_data", "a_x_size", "class", "1st"]
        graph = "".join(graphs.placeholder(name, (2,)) for name in names)
        left = names[0]
        for i, right in enumerate(names[1:]):
            graph += graphs.binary(f"sum-{i}" if i % 2 else f"sum.{i}", "AddV2", left, right)
            left = f"sum-{i}" if i % 2 else f"sum.{i}"
        graph = graph.replace("sum-", "sum/")
        self.compile("2-models", graph + graphs.END, "--feed=" + ",".join(names),
                     "--fetch=" + left.replace("sum-", "sum/"))
        self.check_headers("2-models")
        header = (self.folder / "2-models.hpp").read_text()
        for name in ("class M2Models", "arg_a_x(", "arg_a_x_2(", "arg_a_x_3(", "arg_class(", "arg_1st("):
            self.assertIn(name, header)

    def test_model_that_is_called_like_a_keyword(self):
        for name in ("class", "namespace", "int"):
            self.compile(name, graphs.add(), "--feed=x,y", "--fetch=sum")
            self.check_headers(name)

    def test_several_signatures_that_look_alike(self):
        signatures = self.folder / "signatures.json"
        signatures.write_text('{"signatures": [' + ",".join(
            f'{{"name": "{name}", "feeds": ["x", "y"], "fetches": ["sum"]}}'
            for name in ("main", "a b", "a_b", "arg_x", "call", "*/ #error")) + "]}")
        self.compile("model", graphs.add(), "--signatures", signatures)
        self.check_headers("model")
        self.assertRegex((self.folder / "model.hpp").read_text(), r"class Model_a_b_2\b")

    def test_sizes_that_are_not_known(self):
        for shape in ((-1,), (-1, 3), (0,), (2, -1)):
            self.compile("model", graphs.add(shape=shape), "--feed=x,y", "--fetch=sum")
            self.check_headers("model")
        self.compile("model", graphs.add().replace("versions", "#"), "--feed=x,y", "--fetch=sum")
        self.check_headers("model")

    def test_element_types(self):
        for dtype in ("DT_HALF", "DT_BFLOAT16", "DT_DOUBLE", "DT_INT8", "DT_UINT16", "DT_INT64",
                      "DT_COMPLEX64", "DT_COMPLEX128", "DT_BOOL", "DT_STRING"):
            graph = graphs.placeholder("x", (2,), dtype)
            graph += ('node { name: "y" op: "Identity" input: "x" '
                      f'attr {{ key: "T" value {{ type: {dtype} }} }} }}\n')
            self.compile("model", graph + graphs.END, "--feed=x", "--fetch=y", "--no-codelets")
            self.check_headers("model")


class Tfcompile(Embed):
    def config(self, text, graph=None, code=OK, *flags):
        file = self.folder / "config.pbtxt"
        file.write_text(text)
        return self.compile("matmul", graph or graphs.matmul(), "--config", file,
                            "--cpp-class=foo::bar::MatMulComp", *flags, code=code)

    def test_program(self):
        self.config(graphs.MATMUL_CONFIG)
        for library in ("-lmatmul", self.folder / "libmatmul.a"):
            for standard in ("c++11", "c++17", "c++20"):
                self.run_program(self.build(PROGRAMS / "tfcompile_user.cpp", library,
                                            standard=standard))

    def test_shapes_of_the_configuration(self):
        graph = graphs.matmul().replace("size: 2", "size: -1")
        self.config(graphs.MATMUL_CONFIG, graph)
        self.run_program(self.build(PROGRAMS / "tfcompile_user.cpp", "-lmatmul"))

    def test_variables(self):
        config = self.folder / "config.pbtxt"
        config.write_text('feed { id { node_name: "x" } name: "x" }\n'
                          'fetch { id { node_name: "step" } name: "step" }\n'
                          'variable { node_name: "total" name: "sum" }\n')
        self.compile("counter", graphs.accumulator(), "--config", config)
        self.run_program(self.build(PROGRAMS / "variables_user.cpp", "-lcounter"),
                         self.folder / "state")
        config.write_text(config.read_text().replace("total", "totl"))
        self.assertIn("variable 'totl' of the configuration: the program has none",
                      self.compile("counter", graphs.accumulator(), "--config", config, code=USAGE))

    def test_bad_configurations(self):
        good = graphs.MATMUL_CONFIG
        for text, code, says in [
                ("feed {", BAD_GRAPH, "is no tf2xla.Config"),
                ("\x00\x01\x02", BAD_GRAPH, "is no tf2xla.Config"),
                ("", USAGE, "expected at least one fetch"),
                (good.replace('id { node_name: "x_hold" }', ""), USAGE,
                 "feed: expected an id with a node_name"),
                (good.replace('"x_y_prod" }', '"x_y_prod" output_index: -1 }'), USAGE,
                 "expected an output_index of 0 or more but got -1"),
                (good.replace("x_hold", "x_held"), USAGE, "x_held"),
                (good.replace("size: 3", "size: -3"), USAGE, "expected sizes of -1 or more but got -3"),
                (good.replace("size: 3", "size: 4"), BAD_GRAPH,
                 "feed 'x': the signature says tensor<2x4xf32> but the graph tensor<2x3xf32>"),
                (good.replace('name: "y"', 'name: "x"'), USAGE, "two feeds have the name"),
                (good.replace('name: "x"', 'name: "x" type: DT_INT32'), USAGE, "expected"),
                (good + "variable { }", USAGE, "variable: expected a node_name")]:
            with self.subTest(text=text):
                self.assertIn(says, self.config(text, code=code))
        self.assertIn("--config excludes --feed",
                      self.config(good, None, USAGE, "--feed=x_hold"))
        missing = self.compile("m", graphs.matmul(), "--config", self.folder / "none", code=3)
        self.assertIn("none", missing)


if __name__ == "__main__":
    SLUICEC, CC, CXX = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1], verbosity=2)
