#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs the build into a folder, moves that, and works with it in an empty environment.

Usage: install_test.py CMAKE BUILD_FOLDER
"""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import examples


class Installation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", cls.folder / "first"], check=True,
                       stdout=subprocess.DEVNULL)
        cls.prefix = (cls.folder / "first").rename(cls.folder / "second place")

    def tool(self, name):
        return self.prefix / "bin" / name

    def test_tools(self):
        self.assertEqual(sorted(os.listdir(self.prefix / "bin")),
                         ["sluice-opt", "sluice-run", "sluice-translate", "sluicec"])
        for name in os.listdir(self.prefix / "bin"):
            self.assertIn(name, examples.output([self.tool(name), "--help"]))

    def test_libraries(self):
        self.assertEqual(sorted(os.listdir(self.prefix / "lib/sluice")),
                         ["library-recipe", "libsluice_library_main.a", "libsluice_main.a",
                          "libsluice_member_main.a", "libsluice_runtime.a", "libsluice_sim.a",
                          "libsluice_simulated_cards.a", "link-recipe"])

    def test_links_of_the_pages_lead_to_files(self):
        pages = list((self.prefix / "share/doc/sluice/docs").rglob("*.md"))
        self.assertGreater(len(pages), 30)
        for page in [*pages, self.prefix / "share/doc/sluice/README.md"]:
            for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
                if "://" not in link:
                    self.assertTrue((page.parent / link).exists(), f"{link} in {page}")

    def test_text_names_no_folder_of_the_build(self):
        for file in self.prefix.rglob("*"):
            if file.is_file() and file.parent.name != "bin" and file.suffix != ".a":
                self.assertNotIn(bytes(BUILD), file.read_bytes(), file)

    def test_compiles_and_runs(self):
        self.assertEqual(examples.while_loop(self.tool("sluicec"), self.folder),
                         examples.expected("while-loop"))

    def test_compiles_and_runs_two_processes(self):
        answer = examples.two_processes(self.tool("sluicec"), self.tool("sluice-run"), self.folder)
        self.assertEqual(answer, examples.expected("while-loop"))

    def test_manuals_name_every_flag_of_the_help(self):
        for name in ("sluicec", "sluice-run", "sluice-translate"):
            page = gzip.open(self.prefix / f"share/man/man1/{name}.1.gz", "rt").read()
            flags = re.findall(r"^  (--?[\w-]+)", examples.output([self.tool(name), "--help"]),
                               re.MULTILINE)
            self.assertGreater(len(flags), 3)
            for flag in flags:
                self.assertIn(f".B {flag}".replace("-", "\\-"), page)

    def test_link_to_the_compiler(self):
        link = self.folder / "another-name"
        link.symlink_to(self.tool("sluicec"))
        self.assertEqual(examples.while_loop(link, self.folder), examples.expected("while-loop"))


class CMakeProject(unittest.TestCase):
    """examples/cmake-project, in a copy."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-project-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.run_cmake("--install", BUILD, "--prefix", cls.folder / "sluice")
        shutil.copytree(examples.EXAMPLES / "cmake-project", cls.folder / "project")
        cls.run_cmake("-S", cls.folder / "project", "-B", cls.folder / "build",
                      f"-DSluice_ROOT={cls.folder}/sluice")

    @staticmethod
    def run_cmake(*arguments, **options):
        return subprocess.run([CMAKE, *arguments], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, **options).stdout

    def build(self):
        return self.run_cmake("--build", self.folder / "build")

    def configure_with(self, line):
        """What CMake says to a project of one line; it must refuse."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(x LANGUAGES NONE)\n"
            f"find_package(Sluice REQUIRED)\n{line}\n")
        done = subprocess.run([CMAKE, "-S", folder, "-B", folder / "build",
                               f"-DSluice_ROOT={self.folder}/sluice"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        return " ".join(done.stdout.split())

    def answer(self):
        return examples.output([self.folder / "build/fahrenheit", "--input",
                                "celsius=3xf32=-40,0,100"])

    def test_builds_what_has_changed(self):
        self.assertIn("Compiling model fahrenheit", self.build())
        self.assertEqual(self.answer(), examples.expected("cmake-project"))
        subprocess.run(["ctest", "--output-on-failure"], cwd=self.folder / "build", check=True,
                       stdout=subprocess.DEVNULL)
        self.assertNotIn("Compiling model", self.build())

        graph = self.folder / "project/fahrenheit.pbtxt"
        graph.write_text(graph.read_text().replace("float_val: 32", "float_val: 0"))
        self.assertIn("Compiling model fahrenheit", self.build())
        self.assertEqual(self.answer(), "fahrenheit:0 f32[3] = [-72, 0, 180]\n")

        os.utime(self.folder / "sluice/lib/sluice/libsluice_runtime.a")
        self.assertIn("Compiling model fahrenheit", self.build())

        self.run_cmake("--install", self.folder / "build", "--prefix", self.folder / "installed")
        self.assertTrue(os.access(self.folder / "installed/bin/fahrenheit", os.X_OK))

    def test_library(self):
        project = self.folder / "library"
        project.mkdir()
        (project / "CMakeLists.txt").write_text("""
            cmake_minimum_required(VERSION 3.20)
            project(x LANGUAGES C CXX)
            find_package(Sluice REQUIRED)
            sluice_add_model(degrees ${graph} FEEDS celsius FETCHES fahrenheit
              LIBRARY CLASS ns::Degrees)
            foreach(kind degrees degrees-static)
              add_executable(with-${kind} main.cpp)
              target_link_libraries(with-${kind} PRIVATE ${kind})
            endforeach()
            """)
        (project / "main.cpp").write_text("""
            #include "degrees.hpp"
            int main() {
              ns::Degrees degrees;
              const float celsius[] = {-40, 100};
              const int64_t size = 2;
              degrees.set_arg_celsius_data(celsius, &size);
              return degrees.Run() && degrees.result0_data()[1] == 212 ? 0 : 1;
            }
            """)
        graph = examples.EXAMPLES / "cmake-project/fahrenheit.pbtxt"
        self.run_cmake("-S", project, "-B", project / "build", f"-Dgraph={graph}",
                       f"-DSluice_ROOT={self.folder}/sluice")
        self.assertIn("Compiling model degrees", self.run_cmake("--build", project / "build"))
        for kind in ("degrees", "degrees-static"):
            subprocess.run([project / f"build/with-{kind}"], check=True)
        self.assertNotIn("Compiling model", self.run_cmake("--build", project / "build"))

    def test_builds_what_has_changed_in_a_folder(self):
        project = self.folder / "folder-project"
        shutil.copytree(examples.EXAMPLES.parent / "test/conformance/fixtures/savedmodel/training/model",
                        project / "model")
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(x LANGUAGES NONE)\n"
            "find_package(Sluice REQUIRED)\nsluice_add_model(trains model)\n")
        self.run_cmake("-S", project, "-B", project / "build", f"-DSluice_ROOT={self.folder}/sluice")
        build = ("--build", project / "build")
        self.assertIn("Compiling model trains", self.run_cmake(*build))
        self.assertNotIn("Compiling model", self.run_cmake(*build))
        os.utime(project / "model/variables/variables.index")
        self.assertIn("Compiling model trains", self.run_cmake(*build))
        (project / "model/note").write_text("one more file")
        self.assertIn("Compiling model trains", self.run_cmake(*build))
        self.assertNotIn("Compiling model", self.run_cmake(*build))

    @unittest.skipUnless(shutil.which("pkg-config"), "there is no pkg-config")
    def test_package_of_the_interface(self):
        flags = examples.output(["pkg-config", "--cflags", "--libs", "sluice"],
                                extra={"PKG_CONFIG_PATH": f"{self.folder}/sluice/lib/pkgconfig"}).split()
        program = self.folder / "load"
        subprocess.run(["cc", "-std=c11", examples.EXAMPLES / "embed/load.c", *flags, "-o", program],
                       check=True)

    def test_wrong_arguments(self):
        for line, says in [
                ("sluice_add_model(m g.pb FEED x)", "sluice_add_model(m): unknown arguments 'FEED;x'"),
                ("sluice_add_model(m g.pb DEVICES 2 CLUSTER c.json)", "DEVICES excludes CLUSTER"),
                ("sluice_add_model(m g.pb LIBRARY DEVICES 2)", "LIBRARY excludes DEVICES"),
                ("sluice_add_model(m g.pb CLASS M)", "CLASS needs LIBRARY"),
                ("sluice_add_model(m g.pb DEVICES)", "expected a value after DEVICES")]:
            self.assertIn(says, self.configure_with(line))

    def test_broken_installation(self):
        broken = self.folder / "broken"
        shutil.copytree(self.folder / "sluice/lib/cmake", broken / "lib/cmake")
        done = subprocess.run([CMAKE, "-S", self.folder / "project", "-B", broken / "build",
                               f"-DSluice_ROOT={broken}"], stderr=subprocess.PIPE, text=True,
                              stdout=subprocess.DEVNULL)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("bin/sluicec but there is none", " ".join(done.stderr.split()))


CMAKE = sys.argv[1]
BUILD = pathlib.Path(sys.argv[2]).resolve()
unittest.main(argv=sys.argv[:1], verbosity=2)
