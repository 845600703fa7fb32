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
PATIENCE = 45.0
FOUND = 60.0  # seconds in which ranks find each other, on any machine
ENDLESS = "2147483647"


def compile_loop(folder, seed, ranks=RANKS):
    """The scalar loop, cut over all ranks and within its body."""
    subprocess.run([TOOLS / "sluicec", ROOT / "test/bench/while_scalar.pbtxt", "--feed=n",
                    "--feed=x", "--feed=b", "--fetch=while/Exit", "--fetch=while/Exit_1", f"--devices={ranks}",
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


LISTENS, CONNECTED = "0A", "01"


def ports_in(state):
    """Ports of this machine with an IPv4 socket in that state."""
    with open("/proc/net/tcp", encoding="ascii") as table:
        rows = [line.split() for line in table.readlines()[1:]]
    return {int(row[1].rsplit(":", 1)[1], 16) for row in rows if row[3] == state}


def wait_until(holds, otherwise="the ranks do not find each other", pause=0.02):
    end = time.monotonic() + FOUND
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(otherwise)
        time.sleep(pause)


def wait_for_handler(process, number):
    """Before that the signal would end the process."""
    while process.poll() is None:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            fields = dict(line.split(":", 1) for line in status)
        if int(fields["SigCgt"], 16) >> (number - 1) & 1:
            return
        time.sleep(0.005)
    raise AssertionError("the process has ended: " + process.communicate()[1])


class Ended:
    """How a rank has ended."""

    def __init__(self, code, out, err, seconds):
        self.code, self.out, self.err, self.seconds = code, out, err, seconds


class Cluster:
    """The ranks of one run. Addresses can be replaced before ranks are started."""

    def __init__(self, folder, name="while_scalar", ranks=RANKS):
        self.folder, self.name = pathlib.Path(folder), name
        self.listeners = [listen() for _ in range(ranks)]
        self.addresses = [address(server) for server in self.listeners]
        self.ranks = [None] * ranks
        self.closers = []

    def start(self, rank, *flags, folder=None, peers=None, stdin=subprocess.DEVNULL,
              stdout=subprocess.PIPE, stderr=subprocess.PIPE):
        """Starts a rank; its listening socket is inherited."""
        program = pathlib.Path(folder or self.folder) / f"{self.name}.rank{rank}"
        server = self.listeners[rank]
        process = subprocess.Popen(
            [program, "--peers", ",".join(peers or self.addresses),
             "--listen-fd", str(server.fileno()), *flags],
            stdin=stdin, stdout=stdout, stderr=stderr,
            pass_fds=[server.fileno()], text=True)
        server.close()
        self.ranks[rank] = process
        return process

    def start_all(self, *flags, limit=ENDLESS, order=range(RANKS), peers=None):
        for rank in order:
            self.start(rank, *flags, *(inputs(limit) if rank == 0 else ()),
                       peers=(peers or {}).get(rank))

    def wait_until_connected(self):
        """Returns once no rank listens any more."""
        wait_until(lambda: not self.ports(range(len(self.ranks))) & ports_in(LISTENS))

    def wait_until_joined(self, ranks):
        """Returns once some of the ranks have found each other."""
        for rank in ranks:
            wait_for_handler(self.ranks[rank], signal.SIGTERM)
        wait_until(lambda: self.ports(ranks) & ports_in(CONNECTED))
        time.sleep(1) # greetings

    def ports(self, ranks):
        return {int(self.addresses[rank].rsplit(":", 1)[1]) for rank in ranks}

    def wait_until_running(self):
        """Returns once every rank is within the first call."""
        for rank in self.ranks:
            while "call 1: " not in self.progress(rank):
                if rank.poll() is not None:
                    raise AssertionError("a rank has ended: " + rank.communicate()[1])

    @staticmethod
    def progress(rank):
        """What a rank answers when it is asked how far it is."""
        wait_for_handler(rank, signal.SIGUSR2)
        rank.send_signal(signal.SIGUSR2)
        return rank.stderr.readline()

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
