# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asking a running program how far it is."""

import os
import signal
import time


def ask(pid, stderr):
    """The line with which a process answers SIGUSR2."""
    wait_for_handler(pid)
    os.kill(pid, signal.SIGUSR2)
    return stderr.readline()


def wait_for_handler(pid):
    """Before that the signal would end the process."""
    bit = 1 << (signal.SIGUSR2 - 1)
    while True:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            fields = dict(line.split(":", 1) for line in status)
        if int(fields["SigCgt"], 16) & bit:
            return
        if fields["State"].split()[0] == "Z":
            raise AssertionError("the process has ended")
        time.sleep(0.005)


def end(process):
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            stream.close()
