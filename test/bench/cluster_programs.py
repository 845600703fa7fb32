# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs what test/bench/cluster measures. Nothing runs longer than its deadline."""

import json
import os
import signal
import subprocess
import sys

import cluster_graphs

DEADLINE = 120  # seconds


def run(command, deadline=DEADLINE):
    """Standard output and error of a program that must succeed; its children go with it."""
    process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
    try:
        out, error = process.communicate(timeout=deadline)
    except BaseException as reason:
        end_group(process)
        if isinstance(reason, subprocess.TimeoutExpired):
            sys.exit(f"error: {process.args} took longer than {deadline} s")
        raise
    if process.returncode != 0:
        sys.exit(f"error: {process.args} ended with {process.returncode}:\n{out}{error}")
    return out, error


def end_group(process):
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.communicate(timeout=10)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass


def compile_program(sluicec, text, processes, folder, flags=()):
    """An executable for each device. sluice-run is to choose free ports."""
    folder.mkdir(parents=True, exist_ok=True)
    graph, cluster, manifest = (folder / name for name in
                                ("loop.pbtxt", "cluster.json", "manifest.json"))
    graph.write_text(text)
    devices = [{"name": cluster_graphs.device(rank), "host": "127.0.0.1", "port": 1 + rank}
               for rank in range(processes)]
    cluster.write_text(json.dumps({"devices": devices}))
    run([sluicec, graph, "--cluster", cluster, "--feed", "n", "--fetch", "total", "-o", folder,
         *flags])
    written = json.loads(manifest.read_text())
    for device in written["devices"]:
        device["address"] = "127.0.0.1:0"
    manifest.write_text(json.dumps(written))


class Floor:
    """A program that prints the seconds it took for "{n}" of its arguments."""

    def __init__(self, command):
        self.command = command

    def __call__(self, n):
        out, _ = run([n if part == "{n}" else part for part in self.command])
        return float(out), None


class Program:
    """A compiled loop; `total` tells what n iterations must give for each element, exactly: another
    number of iterations must give another one. That holds for at most `most` iterations."""

    def __init__(self, sluice_run, manifest, total, most):
        self.command = [sluice_run, "--log-prefix=off", manifest, "--stats-json"]
        self.total, self.most = total, most

    def with_window(self, window):
        return lambda n: self.measure(n, window)

    def measure(self, n, window):
        """Seconds of the call, and the tokens that device 0 sent and got in each iteration."""
        out, error = run([*self.command, "--parallel-iterations", window, "--input", f"n=i32={n}"])
        self.check(out, n)
        stats = json.loads(next(line for line in error.splitlines() if line.startswith("{")))
        messages = (stats["tokens_sent"] + stats["tokens_received"]) / n
        return stats["call_seconds"], messages

    def check(self, out, n):
        elements = out.split(" = ")[1].strip().strip("[]").split(",")
        if not all(float(e) == self.total(n) for e in elements):
            sys.exit(f"error: {self.command} with {n}: expected {self.total(n)} but got {out}")
