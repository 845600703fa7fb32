# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clusters of shell scripts in place of compiled ranks, started by sluice-run."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

DEADLINE = 20  # seconds

sluice_run = None  # set by main


def heed_interrupts():
    """Shells make what they start in the background ignore them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="sluice-run-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.processes = []
        self.addCleanup(self.kill_all)

    def kill_all(self):
        for process in self.processes:
            process.kill()
            process.communicate()

    def cluster(self, *scripts, **changes):
        """Writes one executable for each script, and their manifest."""
        devices = []
        for rank, script in enumerate(scripts):
            path = self.folder / f"m.rank{rank}"
            path.write_text("#!/bin/sh\n" + script + "\n")
            path.chmod(0o755)
            devices.append({"rank": rank, "device": f"/job:w/replica:0/task:{rank}/device:CPU:0",
                            "executable": path.name, "address": "127.0.0.1:0"})
        self.write_manifest(json.dumps({"format": "sluice-manifest-1", "program": "00",
                                        "cluster": "11", "devices": devices, **changes}))

    def write_manifest(self, text):
        (self.folder / "manifest.json").write_text(text)

    def start(self, *flags, **streams):
        process = subprocess.Popen(
            [sluice_run, str(self.folder / "manifest.json"), *flags], cwd="/",
            stdin=streams.get("stdin", subprocess.DEVNULL),
            stdout=streams.get("stdout", subprocess.PIPE),
            stderr=streams.get("stderr", subprocess.PIPE), text=True, start_new_session=True,
            preexec_fn=heed_interrupts)
        self.processes.append(process)
        return process

    def run_cluster(self, *flags, input=None):
        process = self.start(*flags, stdin=subprocess.PIPE)
        out, err = process.communicate(input=input, timeout=DEADLINE)
        return process.returncode, out, err

    def wait_for(self, name, deadline=DEADLINE):
        """Until a script has written a file; returns its text."""
        end = time.monotonic() + deadline
        path = self.folder / name
        while not path.exists() or not path.read_text().endswith("\n"):
            self.assertLess(time.monotonic(), end, f"no file {name}")
            time.sleep(0.01)
        return path.read_text().strip()

    def here(self, script):
        return f"cd {self.folder}\n{script}"

    def assert_gone(self, pid):
        end = time.monotonic() + 5
        while pathlib.Path(f"/proc/{pid}").exists():
            state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0]
            if state == "Z":  # its new parent has not noticed yet
                return
            self.assertLess(time.monotonic(), end, f"process {pid} still runs")
            time.sleep(0.01)


def main():
    """Runs the tests of the calling module; the first argument is the launcher."""
    global sluice_run
    sluice_run = os.path.abspath(sys.argv.pop(1))
    unittest.main(module="__main__")
