#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What keeps a cluster from starting is told: manifests, files, addresses, flags.

Usage: bad_starts_test.py SLUICE-RUN
"""

import json
import os
import socket
import subprocess

import script_cluster
from script_cluster import DEADLINE, Case


class BadStarts(Case):
    def assert_refused(self, code, *texts, flags=()):
        outcome = self.run_cluster(*flags)
        self.assertEqual(outcome[0], code, outcome[2])
        for text in texts:
            self.assertIn(text, outcome[2])

    def test_manifests(self):
        device = {"rank": 0, "device": "d", "executable": "m.rank0", "address": "127.0.0.1:0"}
        good = {"format": "sluice-manifest-1", "devices": [device]}
        self.cluster("exit 0")
        for text, why in (
                ("{", "is no manifest"),
                ("[]", 'expected "format"'),
                (json.dumps({**good, "format": "sluice-manifest-2"}), "'sluice-manifest-2'"),
                (json.dumps({**good, "format": 1}), 'expected "format"'),
                (json.dumps({**good, "devices": []}), '"devices"'),
                (json.dumps({**good, "devices": {}}), '"devices"'),
                (json.dumps({**good, "devices": [1]}), '"rank": 0'),
                (json.dumps({**good, "devices": [device, device]}), '"rank": 1'),
                (json.dumps({**good, "devices": [{**device, "executable": ""}]}), '"executable"'),
                (json.dumps({**good, "devices": [{**device, "device": 3}]}), '"device"'),
                (json.dumps({**good, "devices": [{**device, "address": "a\0b"}]}), '"address"'),
                (json.dumps({**good, "devices": [{**device, "address": "x"}]}), "host:port"),
                (json.dumps({**good, "devices": [{**device, "address": "x:y"}]}), "host:port"),
                (json.dumps({**good, "devices": [{**device, "address": "127.0.0.1:70000"}]}),
                 "host:port"),
                (json.dumps({**good, "devices": [{**device, "address": "192.0.2.1:0"}]}),
                 "on this machine only")):
            with self.subTest(text[:80]):
                self.write_manifest(text)
                self.assert_refused(3, why)

    def test_a_trace_over_another_output(self):
        self.cluster("exit 0")
        for other in (["--save=t.json"], ["--save", "t.json"], ["--output=y=@t.json"],
                      ["--output", "y=@t.json"]):
            for flags in (["--trace=t.json", *other], [*other, "--trace", "t.json"]):
                with self.subTest(flags):
                    self.assert_refused(2, "'t.json' is to be written twice", flags=flags)
        self.assert_refused(2, "'t.npz' is to be written twice",
                            flags=["--output=y=@t.npz[y]", "--trace=t.npz"])

    def test_an_output_over_the_program(self):
        self.cluster("exit 0")
        (self.folder / "link").symlink_to(self.folder)
        link = self.folder / "link"
        for flags, why in (([f"--trace={link}/manifest.json"], "is the manifest of this run"),
                           ([f"--save={link}/manifest.json"], "is the manifest of this run"),
                           ([f"--output=y=@{link}/m.rank0"], "is an executable of this run"),
                           ([f"--trace={link}/m"], "is an executable of this run"),
                           ([f"--save={self.folder}/t.rank0", f"--trace={link}/t"],
                            "is to be written twice")):
            with self.subTest(flags):
                self.assert_refused(2, why, flags=flags)
                self.assertTrue((self.folder / "m.rank0").exists())

    def test_missing_files(self):
        self.assert_refused(3, "manifest.json")
        self.cluster("exit 0", "exit 0")
        (self.folder / "m.rank1").chmod(0o644)
        if os.geteuid() != 0 or not os.access(self.folder / "m.rank1", os.X_OK):
            self.assert_refused(3, "rank 1: cannot execute", "Permission denied")
        (self.folder / "m.rank1").unlink()
        self.assert_refused(3, "rank 1: cannot execute", "No such file")
        (self.folder / "m.rank1").mkdir()
        self.assert_refused(3, "rank 1: cannot execute", "no regular file")

    def test_executables_of_another_machine(self):
        self.cluster("exit 0", "exec sleep 60")
        (self.folder / "m.rank0").write_bytes(b"\x7fELF nonsense")
        self.assert_refused(3, "rank 0", "cannot execute", "Exec format error",
                            flags=["--grace=0"])

    def test_taken_addresses(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            self.cluster("exit 0", devices=[
                {"rank": 0, "device": "d", "executable": "m.rank0",
                 "address": f"127.0.0.1:{taken.getsockname()[1]}"}])
            self.assert_refused(3, "rank 0: cannot listen", "in use")

    def test_flags(self):
        self.cluster("exit 0")
        for flags, why in ((["--peers=a:1"], "--peers is chosen by sluice-run"),
                           (["--log-prefix=maybe"], "'maybe'"), (["--grace"], "needs a value"),
                           (["--grace=-1"], "'-1'"), (["--grace=nan"], "'nan'"),
                           (["--workers"], "--workers needs a value")):
            with self.subTest(flags):
                self.assert_refused(2, why, flags=flags)

    def test_command_lines_without_a_manifest(self):
        for flags, code, text in (([], 2, "expected a manifest"),
                                  (["--unknown"], 2, "expected a manifest"),
                                  (["--help"], 0, "usage: sluice-run"),
                                  (["--version"], 0, "sluice-run ")):
            with self.subTest(flags):
                result = subprocess.run([script_cluster.sluice_run, *flags], capture_output=True, text=True,
                                        timeout=DEADLINE)
                self.assertEqual(result.returncode, code)
                self.assertIn(text, result.stderr if code else result.stdout)


if __name__ == "__main__":
    script_cluster.main()
