#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A linker that is missing, fails, is killed or has no room, and a compiler that is killed while it
waits for the linker (items 137 and 142)."""

import os
import pathlib
import shutil
import signal

import harness
from graphdef import FLOAT, graph, placeholder, unary
from harness import BEFORE, INPUT_OUTPUT, LINK, Case, file_limit, program

GRAPH = graph(placeholder("x", FLOAT, (1,)), unary("y", "Neg", "x"))
FLAGS = ["--feed=x", "--fetch=y"]


class Linker(Case):
    @classmethod
    def setUpClass(cls):
        """Writes the graph for all tests."""
        folder = cls.share_folder()
        cls.graph = str(folder / "g.pb")
        pathlib.Path(cls.graph).write_bytes(GRAPH)

    def compiler(self, *flags):
        return [program("sluicec"), self.graph, *FLAGS, *flags]

    def test_item_137_disk_full_while_linking(self):
        self.refused(INPUT_OUTPUT, self.compiler("-o", "out"), "cannot write 'out'",
                     prepare=file_limit(100_000))
        os.mkdir(self.folder / "ranks")
        self.refused(INPUT_OUTPUT, self.compiler("-o", "ranks", "--devices=2"), "write 'ranks/",
                     prepare=file_limit(100_000))

    def installation(self, recipe):
        """A copy of the compiler, which looks for its library in the folder beside it."""
        os.mkdir(self.folder / "bin")
        shutil.copy(program("sluicec"), self.folder / "bin" / "sluicec")
        if recipe is not None:
            self.write("lib/sluice/link-recipe", recipe)
        return [str(self.folder / "bin" / "sluicec"), self.graph, *FLAGS, "-o", "out"]

    def test_item_142_linker_recipe_missing(self):
        self.refused(LINK, self.installation(None), "cannot read the link recipe '",
                     "lib/sluice/link-recipe'; is this a complete installation of Sluice?")

    def test_item_142_linker_missing(self):
        self.refused(LINK, self.installation("/no/such/ld.lld\n-o\n@OUTPUT@\n@OBJECT@\n"),
                     "cannot find the linker '/no/such/ld.lld'; install lld-22")

    def test_item_142_linker_recipe_empty(self):
        self.refused(LINK, self.installation("\n"), "link-recipe' is empty")

    def test_item_142_linker_fails_after_writing(self):
        self.refused(LINK, self.installation("/bin/sh\n-c\necho half > @OUTPUT@; echo why >&2; "
                                             "exit 7\n"), "the linker failed (exit code 7): why")

    def test_item_142_linker_says_much(self):
        """item 142: the first 2000 characters are told, but not what is for the linker's makers"""
        outcome = self.refused(LINK, self.installation(
            "/bin/sh\n-c\nprintf %03000d 7 >&2; exit 1\n"), "the linker failed (exit code 1): ")
        self.assertRegex(outcome.err, r"\b0{2000}\b")
        shutil.rmtree(self.folder / "bin")
        outcome = self.refused(LINK, self.installation(
            "/bin/sh\n-c\necho why >&2; echo PLEASE submit a bug report >&2; exit 1\n"), "why")
        self.assertNotIn("PLEASE", outcome.err)

    def test_item_142_linker_cannot_be_started(self):
        (self.folder / "linker").write_bytes(b"no program")
        (self.folder / "linker").chmod(0o755)
        self.refused(LINK, self.installation(f"{self.folder}/linker\n"),
                     f"cannot start the linker '{self.folder}/linker': Exec format error")

    def test_item_142_linker_makes_nothing(self):
        self.refused(LINK, self.installation("/bin/true\n"),
                     "the linker failed: it has made nothing")

    def test_item_142_output_is_no_regular_file(self):
        os.remove(self.folder / "out")
        os.mkfifo(self.folder / "out")
        outcome = harness.run(self.compiler("-o", "out"), self.folder)
        self.assertEqual(outcome.code, INPUT_OUTPUT)
        self.assertIn("cannot write 'out': it is no regular file", outcome.err)

    def test_item_142_command_is_shown(self):
        """item 142: what was filled into the recipe"""
        command = self.installation(
            "/bin/sh\n-c\necho whole > @OUTPUT@\n@MAIN@\n@MEMBER_LIBRARIES@\n@OBJECT@\n"
            "-L@LIBRARY_DIR@:@LIBRARY_DIR@\n\n")
        library = self.folder / "lib/sluice"
        shown = self.accepted([*command, "-v"]).err.splitlines()[-1]
        self.assertRegex(shown, f"^/bin/sh -c echo whole > /dev/stdout {library}/libsluice_main.a "
                                f"[^ ]+ ([^ ]+ )?-L{library}:{library}$")
        command[-1:] = ["ranks", "--devices=2", "-v"]
        for line in self.accepted(command).err.splitlines()[-2:]:
            self.assertRegex(line, f"{library}/libsluice_member_main.a -l:libsodium.a [^ ]+ ")

    def test_item_142_linker_crashes(self):
        self.refused(LINK, self.installation("/bin/sh\n-c\necho half > @OUTPUT@; kill -9 $$\n"),
                     "the linker failed (Killed): ")

    def test_item_142_signal_while_linking(self):
        """item 142: Ctrl-C leaves no file behind"""
        for name in ("INT", "TERM", "HUP"):
            command = self.installation(
                f"/bin/sh\n-c\necho half > @OUTPUT@; kill -{name} $PPID; "
                "while kill -0 $PPID; do sleep 0.1; done\n@OBJECT@\n")
            before = sorted(harness.contents(self.folder))
            number = signal.Signals[f"SIG{name}"]
            # A shell has what it runs in the background ignore some.
            outcome = harness.run(command, self.folder,
                                  prepare=lambda: signal.signal(number, signal.SIG_DFL))
            self.assertEqual(outcome.code, -number, outcome.err)
            self.assertEqual(sorted(harness.contents(self.folder)), before)
            shutil.rmtree(self.folder / "bin")

    def test_item_142_killed_while_linking(self):
        """item 142: what a killed compiler leaves is gone after the next compilation"""
        command = self.installation("/bin/sh\n-c\necho half > @OUTPUT@; kill -KILL $PPID\n"
                                    "@OBJECT@\n")
        outcome = harness.run(command, self.folder)
        self.assertEqual(outcome.code, -signal.SIGKILL, outcome.err)
        self.assertEqual((self.folder / "out").read_bytes(), BEFORE)
        self.accepted(self.compiler("-o", "out"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["bin", "lib", "out", "out.npy"])

    def test_item_142_killed_while_linking_a_cluster(self):
        """item 142: the programs of a folder belong together"""
        self.accepted(self.compiler("-o", "ranks", "--devices=2"))
        before = harness.contents(self.folder / "ranks")
        self.assertEqual(len(before), 3)
        command = self.installation("/bin/sh\n-c\necho whole > @OUTPUT@; mkdir first || "
                                    "{ sleep 0.3; kill -KILL $PPID; }\n@OBJECT@\n")
        command[-1:] = ["ranks", "--devices=2"]
        outcome = harness.run(command, self.folder)
        self.assertEqual(outcome.code, -signal.SIGKILL, outcome.err)
        after = harness.contents(self.folder / "ranks")
        self.assertEqual({name: after[name] for name in before}, before)
        self.accepted(self.compiler("-o", "ranks", "--devices=2"))
        self.assertEqual(harness.contents(self.folder / "ranks").keys(), before.keys())

    def test_item_142_ignored_signal_while_linking(self):
        """item 142: what nohup keeps from us does not disturb us"""
        command = self.installation("/bin/sh\n-c\nkill -HUP $PPID; sleep 0.2; "
                                    "echo whole > @OUTPUT@\n@OBJECT@\n")
        self.accepted(command, prepare=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.assertEqual((self.folder / "out").read_bytes(), b"whole\n")

    def test_item_142_runtime_missing(self):
        recipe = pathlib.Path(program("sluicec")).parent.parent / "lib/sluice/link-recipe"
        self.refused(LINK, self.installation(recipe.read_bytes()), "linker failed", "lib")


if __name__ == "__main__":
    harness.main()
