#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks bash, and zsh and fish if they are there, to complete command lines.

Usage: completion_test.py FOLDER_OF_SCRIPTS (share in the build folder)
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

# Bash splits the line into words at = as well, which this does like readline.
ASK = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
"_${COMP_WORDS[0]//-/_}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


class Bash(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("model.pb", "two words.pb"):
            (self.folder / name).touch()
        (self.folder / "models").mkdir()

    def complete(self, line):
        words = [word for part in line.split(" ") for word in re.findall(r"=|[^=]+", part) or [""]]
        script = SHARE / "bash-completion/completions" / words[0]
        done = subprocess.run(["bash", "--norc", "-c", ASK, "bash", script, *words], text=True,
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.stderr, "")
        return sorted(done.stdout.split("\n")[:-1])

    def test_flags(self):
        self.assertEqual(self.complete("sluicec --explain-"),
                         ["--explain-codelets", "--explain-gradient", "--explain-loops", "--explain-partition",
                          "--explain-place", "--explain-raise"])
        self.assertEqual(self.complete("sluicec model.pb --fet"), ["--fetch="])
        self.assertEqual(self.complete("sluice-run --gr"), ["--grace="])

    def test_values(self):
        for line in ("sluicec --emit=", "sluicec --emit "):
            self.assertEqual(self.complete(line), ["exe", "html", "lib", "mlir", "mlirbc", "obj"])
        self.assertEqual(self.complete("sluicec --emit=m"), ["mlir", "mlirbc"])
        self.assertIn("partition", self.complete("sluicec --stop-after=p"))
        self.assertEqual(self.complete("sluice-run --log-prefix=o"), ["off", "on"])

    def test_optional_values_follow_an_equals_sign_only(self):
        self.assertEqual(self.complete("sluicec --interpret=o"), ["optimize"])
        self.assertEqual(self.complete("sluicec --interpret mod"), ["model.pb", "models"])

    def test_files_and_folders(self):
        self.assertEqual(self.complete("sluicec mod"), ["model.pb", "models"])
        self.assertEqual(self.complete("sluicec two"), ["two words.pb"])
        self.assertEqual(self.complete("sluicec --cluster=mod"), ["model.pb", "models"])
        self.assertEqual(self.complete("sluicec --dump-phases=mod"), ["models"])

    def test_names_of_tensors_are_not_known(self):
        self.assertEqual(self.complete("sluicec --feed mod"), [""])


class OtherShells(unittest.TestCase):
    def test_zsh_reads_the_functions(self):
        if not shutil.which("zsh"):
            self.skipTest("no zsh here")
        for script in (SHARE / "zsh/vendor-completions").iterdir():
            subprocess.run(["zsh", "-n", script], check=True)

    def test_fish_completes(self):
        if not shutil.which("fish"):
            self.skipTest("no fish here")
        script = SHARE / "fish/vendor_completions.d/sluicec.fish"
        done = subprocess.run(["fish", "--no-config", "-c",
                               f"source {script}; complete -C 'sluicec --emit='; "
                               "complete -C 'sluicec --explain-'"],
                              check=True, text=True, stdout=subprocess.PIPE,
                              env={**os.environ, "TERM": "dumb"})
        for word in ("--emit=exe", "--emit=mlir", "--explain-loops"):
            self.assertIn(word, done.stdout)


SHARE = pathlib.Path(sys.argv[1]).resolve()
unittest.main(argv=sys.argv[:1], verbosity=2)
