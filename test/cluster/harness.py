# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clusters of real processes for tests: ranks that are started one by one, and what may go wrong
between them."""

import itertools
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOLS = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/release/bin")

# Exit codes of executables.
OK, MODEL, USAGE, IO, LOST, REFUSED, TIMED_OUT = 0, 1, 2, 3, 10, 11, 12
RANKS = 3
END = 5.0  # seconds in which all ranks have ended once one has failed
# A machine that is busy with other tests gets some more.
PATIENCE = 4.0
ENDLESS = "2147483647"


def compile_loop(folder, seed):
    """The scalar loop, cut over all ranks and within its body."""
    subprocess.run([TOOLS / "sluicec", ROOT / "test/bench/while_scalar.pbtxt", "--feed=n",
                    "--feed=x", "--feed=b", "--fetch=while/Exit", "--fetch=while/Exit_1", f"--devices={RANKS}",
                    f"--placement-seed={seed}", "-o", folder], check=True, timeout=60,
                   stderr=subprocess.DEVNULL)


def listen():
    """A socket that listens at a port of the system's choice."""
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen(16)
    return server


def address(server):
    return "127.0.0.1:%d" % server.getsockname()[1]


def listening_ports():
    """Ports of this machine where somebody listens with IPv4."""
    listens = "0A"
    with open("/proc/net/tcp", encoding="ascii") as table:
        rows = [line.split() for line in table.readlines()[1:]]
    return {int(row[1].rsplit(":", 1)[1], 16) for row in rows if row[3] == listens}


class Ended:
    """How a rank has ended."""

    def __init__(self, code, out, err, seconds):
        self.code, self.out, self.err, self.seconds = code, out, err, seconds


class Cluster:
    """The ranks of one run. Addresses can be replaced before ranks are started."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.listeners = [listen() for _ in range(RANKS)]
        self.addresses = [address(server) for server in self.listeners]
        self.ranks = [None] * RANKS
        self.closers = []

    def start(self, rank, *flags, folder=None, peers=None, stdin=subprocess.DEVNULL):
        """Starts a rank; its listening socket is inherited."""
        program = pathlib.Path(folder or self.folder) / f"while_scalar.rank{rank}"
        server = self.listeners[rank]
        process = subprocess.Popen(
            [program, "--peers", ",".join(peers or self.addresses),
             "--listen-fd", str(server.fileno()), *flags],
            stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            pass_fds=[server.fileno()], text=True)
        server.close()
        self.ranks[rank] = process
        return process

    def start_all(self, *flags, limit=ENDLESS, order=range(RANKS), peers=None):
        for rank in order:
            self.start(rank, *flags, *(inputs(limit) if rank == 0 else ()),
                       peers=(peers or {}).get(rank))

    def wait_until_running(self):
        """Returns once tokens move: a moment after no rank listens any more."""
        end = time.monotonic() + 20
        ports = {int(text.rsplit(":", 1)[1]) for text in self.addresses}
        while ports & listening_ports():
            if time.monotonic() > end:
                raise AssertionError("the ranks do not find each other")
            time.sleep(0.02)
        time.sleep(0.2)

    def signal(self, rank, number):
        self.ranks[rank].send_signal(number)

    def ends(self, *ranks, within=END):
        """Waits for the end of ranks and returns how they ended; kills what does not."""
        start = time.monotonic()
        result = []
        for rank in ranks:
            process = self.ranks[rank]
            left = max(0.1, start + within + PATIENCE - time.monotonic())
            try:
                out, err = process.communicate(timeout=left)
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
                raise AssertionError(f"rank {rank} did not end within {within} s; it said: {err}")
            result.append(Ended(process.returncode, out, err, time.monotonic() - start))
        return result

    def close(self):
        for process in self.ranks:
            if process and process.poll() is None:
                process.kill()
                process.communicate()
            for stream in (process.stdin, process.stdout, process.stderr) if process else ():
                if stream:
                    stream.close()
        for item in itertools.chain(self.listeners, self.closers):
            item.close()


def inputs(limit):
    return ("--input", f"n=i32={limit}", "--input", "x=f32=1", "--input", "b=f32=1.0",
            "--output", "while/Exit=-")


class Proxy:
    """Forwards one connection byte by byte, and does to it what a test asks for."""

    def __init__(self, target):
        self.server = listen()
        self.target = target
        self.address = address(self.server)
        self.pairs = []
        self.delay = 0.0     # seconds for each read of at most `chunk` bytes
        self.chunk = 65536
        self.inject = None   # bytes that go into the stream towards the target, once
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        try:
            while True:
                near, _ = self.server.accept()
                host, port = self.target.rsplit(":", 1)
                far = socket.create_connection((host, int(port)), timeout=10)
                self.pairs.append((near, far))
                for source, sink, forward in ((near, far, True), (far, near, False)):
                    threading.Thread(target=self._pump, args=(source, sink, forward),
                                     daemon=True).start()
        except OSError:
            pass

    def _pump(self, source, sink, forward):
        try:
            while data := source.recv(self.chunk):
                if self.delay:
                    time.sleep(self.delay)
                if forward and self.inject:
                    data, self.inject = data + self.inject, None
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def reset(self):
        """Both ends see a connection reset."""
        for pair in self.pairs:
            for end in pair:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                # Wakes the pump, which holds the descriptor open.
                os.close(end.detach())

    def close(self):
        self.server.close()
        for pair in self.pairs:
            for end in pair:
                end.close()


class ClusterCase(unittest.TestCase):
    """Each test has a cluster of its own; all share the compiled programs."""

    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.mkdtemp(prefix="sluice-cluster")
        cls.programs = os.path.join(cls.shared, "loop")
        cls.others_programs = os.path.join(cls.shared, "other")
        compile_loop(cls.programs, seed=5)
        compile_loop(cls.others_programs, seed=1)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.shared)

    def setUp(self):
        self.cluster = Cluster(self.programs)
        self.addCleanup(self.cluster.close)

    def proxy(self, rank):
        proxy = Proxy(self.cluster.addresses[rank])
        self.cluster.closers.append(proxy)
        return proxy


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    unittest.main(verbosity=0)
