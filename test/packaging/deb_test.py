#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the Debian package, judges its control fields and contents, unpacks it and compiles with it.

Usage: deb_test.py CPACK BUILD_FOLDER
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import examples

PROGRAMS = ["sluice-opt", "sluice-run", "sluice-translate", "sluicec"]
FILES = ["usr/lib/sluice/link-recipe", "usr/lib/sluice/library-recipe", "usr/include/sluice.h",
         "usr/include/sluice_abi.h",
         "usr/include/sluice.hpp", "usr/lib/pkgconfig/sluice.pc",
         "usr/lib/python3/dist-packages/sluice/__init__.py", "usr/lib/cmake/Sluice/SluiceConfig.cmake",
         "usr/share/doc/sluice/copyright", "usr/share/doc/sluice/changelog.gz",
         "usr/share/doc/sluice/docs/architecture.md", "usr/share/man/man7/sluice-program.7.gz",
         "usr/share/zsh/vendor-completions/_sluicec",
         "usr/share/fish/vendor_completions.d/sluicec.fish",
         *(f"usr/share/man/man1/{program}.1.gz" for program in PROGRAMS),
         *(f"usr/share/bash-completion/completions/{program}" for program in PROGRAMS)]


def said_by(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def library(name, folders):
    """The file that the linker takes for -lNAME."""
    spellings = [name[1:]] if name.startswith(":") else [f"lib{name}.so", f"lib{name}.a"]
    return next(f"{folder}/{spelling}" for spelling in spellings for folder in folders
                if pathlib.Path(folder, spelling).exists())


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-deb-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        said_by(CPACK, "-G", "DEB", "-B", cls.folder, "--config", BUILD / "CPackConfig.cmake")
        cls.file, = cls.folder.glob("*.deb")
        cls.root = cls.folder / "root"
        said_by("dpkg-deb", "-x", cls.file, cls.root)

    def field(self, name):
        return said_by("dpkg-deb", "-f", self.file, name).strip()

    def depends(self):
        return {re.split(r"[ :]", one)[0] for one in self.field("Depends").split(", ")}

    def test_control_fields(self):
        version = examples.output([self.root / "usr/bin/sluicec", "--version"]).split()[1].rstrip(",")
        self.assertEqual(self.field("Package"), "sluice")
        self.assertEqual(self.field("Version"), version)
        self.assertEqual(self.field("Architecture"), said_by("dpkg", "--print-architecture").strip())
        self.assertEqual(self.file.name, f"sluice_{version}_{self.field('Architecture')}.deb")
        self.assertLessEqual({"libc6", "libmlir-22", "libllvm22", "libprotobuf32", "lld-22"},
                             self.depends())

    def test_what_the_recipe_names_is_in_a_package_that_it_depends_on(self):
        recipe = (self.root / "usr/lib/sluice/link-recipe").read_text().split("\n")
        named = [word for word in recipe if word.startswith("/") and pathlib.Path(word).is_file()
                 and "ld-linux" not in word]
        folders = [word[2:] for word in recipe if word.startswith("-L")]
        # The last is what LinkExecutable.cpp adds for a rank of a cluster.
        for word in {*recipe, "-l:libsodium.a"}:
            if word.startswith("-l"):
                named.append(library(word[2:], folders))
        self.assertGreater(len(named), 10)
        for name in named:
            path = pathlib.Path(name).resolve()
            spellings = [path, str(path).removeprefix("/usr")]
            owner = subprocess.run(["dpkg", "-S", *spellings], text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL).stdout.split(":")[0]
            self.assertIn(owner, self.depends(), name)

    def test_contents(self):
        for name in [*FILES, *(f"usr/bin/{program}" for program in PROGRAMS)]:
            self.assertTrue((self.root / name).is_file(), name)
        self.assertEqual([path.name for path in self.root.iterdir()], ["usr"])

    def test_owner_and_rights(self):
        for line in said_by("dpkg-deb", "-c", self.file).splitlines():
            rights, owner = line.split()[:2]
            self.assertEqual(owner, "root/root", line)
            self.assertRegex(rights, r"^(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--|lrwxrwxrwx)$", line)

    def test_compiles_and_runs(self):
        programs = self.root / "usr/bin"
        self.assertEqual(examples.while_loop(programs / "sluicec", self.folder),
                         examples.expected("while-loop"))
        self.assertEqual(
            examples.two_processes(programs / "sluicec", programs / "sluice-run", self.folder),
            examples.expected("while-loop"))


CPACK = sys.argv[1]
BUILD = pathlib.Path(sys.argv[2]).resolve()
unittest.main(argv=sys.argv[:1], verbosity=2)
