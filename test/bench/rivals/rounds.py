# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rounds in which all rivals have their turn: a process for each, and what it takes for a call."""

import contextlib
import json
import pathlib
import select
import statistics
import subprocess
import time

from rivals.worker import LONGEST_LOAD, RIVALS

WORKER = pathlib.Path(__file__).resolve().parent / "worker.py"
# Of the largest value: what sums in another order come to, in some steps of training.
LARGEST_DIFFERENCE = 1e-3
MOST_CALLS = 5000
REST = 0.02  # seconds in which threads that look for work give up


class Client:
    """A rival in a process of its own, which is started when it is asked, and again once it has died."""

    def __init__(self, python, rival, threads, place):
        self.rival, self.process = rival, None
        self.command = [python, WORKER, rival, str(threads), place]

    def ask(self, what, **more):
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True, bufsize=1)
        with contextlib.suppress(BrokenPipeError):  # what it died of is told when it is heard
            self.process.stdin.write(json.dumps({"do": what, **more}) + "\n")

    def hear(self, seconds=60):
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        line = self.process.stdout.readline() if ready else ""
        if line:
            return json.loads(line)
        self.close()
        return {"reason": "its process ended" if ready else f"more than {seconds} s"}

    def told(self, what, **more):
        self.ask(what, **more)
        return self.hear()

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


class Team:
    """All rivals with so many threads."""

    def __init__(self, python, threads, place, kinds=tuple(RIVALS)):
        self.clients = [Client(python, rival, threads, place) for rival in kinds]

    def close(self):
        for client in self.clients:
            client.close()

    def loaded(self, name, without):
        """{rival: difference or reason}; all load at the same time."""
        found = {client.rival: {"reason": without[client.rival]} for client in self.clients
                 if client.rival in without}
        asked = [client for client in self.clients if client.rival not in found]
        for client in asked:
            client.ask("load", name=name)
        end = time.monotonic() + LONGEST_LOAD
        for client in asked:
            reply = client.hear(max(1, round(end - time.monotonic())))
            if reply.get("difference", 0) > LARGEST_DIFFERENCE:
                reply = {"reason": f"differs from TensorFlow by {reply['difference']:.0e}", "is_wrong": True}
            found[client.rival] = reply
        return found

    def measured(self, name, without, rounds, seconds, unit="seconds"):
        """{rival: seconds of a call in each round, or why there are none}. `unit`: of a worker's reply."""
        found = self.loaded(name, without)
        able = [client for client in self.clients if "difference" in found[client.rival]]
        counts = {}
        for client in able:
            first = min(client.told("measure", count=1).get("seconds", seconds) for _ in range(2))
            counts[client.rival] = max(1, min(MOST_CALLS, round(seconds / max(first, 1e-9))))
        times = {client.rival: [] for client in able}
        for turn in range(rounds):
            for client in able[turn % len(able):] + able[:turn % len(able)] if able else []:
                time.sleep(REST)
                reply = client.told("measure", count=counts[client.rival])
                times[client.rival].append(reply.get(unit))
        for client in able:
            client.told("drop")
            if None in times[client.rival]:
                found[client.rival] = {"reason": "it failed when it was measured"}
            else:
                found[client.rival]["seconds"] = times[client.rival]
        return found


def median(entry):
    return statistics.median(entry["seconds"]) if "seconds" in entry else None
