#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What programs answer to SIGUSR2 while they run.

Usage: progress_test.py FOLDER_OF_TOOLS
"""

import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

from progress import ask, end

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GRAPH = ROOT / "test/bench/while_scalar.pbtxt"
DEADLINE = 120  # seconds
ENDLESS = "n=i32=2147483647"

tools = None  # set at the end


class Progress(unittest.TestCase):
    def start(self, *flags, **streams):
        temporary = tempfile.TemporaryDirectory(prefix="sluice-progress-")
        self.addCleanup(temporary.cleanup)
        program = pathlib.Path(temporary.name) / "program"
        subprocess.run([tools / "sluicec", GRAPH, "--feed=n", "--feed=x", "--feed=b",
                        "--fetch=while/Exit_1", "--no-codelets", "-o", program], check=True,
                       timeout=DEADLINE, stderr=subprocess.DEVNULL)
        process = subprocess.Popen([program, *flags], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, **streams)
        self.addCleanup(end, process)
        watch = threading.Timer(DEADLINE, process.kill) # then `readline` returns
        watch.start()
        self.addCleanup(watch.cancel)
        return process

    def test_a_call_tells_its_iterations(self):
        process = self.start("--input", ENDLESS, "--input=x=f32=1", "--input=b=f32=1")
        for _ in range(3):
            self.assertRegex(ask(process.pid, process.stderr),
                             r"^call 1: computing; frame 'while/while_context': iterations \d+ to \d+ "
                             r"are live, the window is 10\n$")
        self.assertIsNone(process.poll())

    def test_between_calls(self):
        process = self.start("--calls=-", stdin=subprocess.PIPE)
        self.assertEqual(ask(process.pid, process.stderr), "no call is running\n")
        process.stdin.close()
        self.assertEqual(process.wait(timeout=DEADLINE), 0)


if __name__ == "__main__":
    tools = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
