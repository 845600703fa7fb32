#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What happens between real processes when one of them, or the network, fails: every rank ends in
time, with the documented code, and names the same cause.

Usage: faults_test.py FOLDER_OF_TOOLS [unittest arguments]
"""

import base64
import json
import select
import signal
import socket
import struct
import time

import harness
from harness import IO, LOST, OK, RANKS, REFUSED, TIMED_OUT, ClusterCase, inputs


def request(iterations):
    def scalar(dtype, code, value):
        return {"dtype": dtype, "shape": [],
                "b64": base64.b64encode(struct.pack(code, value)).decode()}
    return {"inputs": {"n": scalar("int32", "<i", iterations), "x": scalar("float32", "<f", 1),
                       "b": scalar("float32", "<f", 1)}}


REQUEST = request(3)
ENDLESS = request(int(harness.ENDLESS))


class Ranks(ClusterCase):
    def others(self, rank):
        return [other for other in range(RANKS) if other != rank]

    def test_a_loss_between_calls(self):
        """Rank 0 waits for a line on standard input, and notices all the same."""
        rank_0 = self.cluster.start(0, "--calls=-", stdin=harness.subprocess.PIPE)
        self.cluster.start(1)
        self.cluster.start(2)
        self.assertIn('"outputs"', self.ask(rank_0, REQUEST))
        self.cluster.signal(2, signal.SIGKILL)
        for rank in self.cluster.ends(1, 0):
            self.assertEqual(rank.code, LOST, rank.err)
            self.assertIn("lost rank 2 ", rank.err)

    def test_a_loss_while_rank_0_waits_for_a_writer(self):
        """The requests come from a pipe that nobody has opened yet."""
        pipe = harness.os.path.join(self.shared, "requests")
        harness.os.mkfifo(pipe)
        self.cluster.start(0, f"--calls={pipe}")
        self.cluster.start(1)
        self.cluster.start(2)
        self.cluster.wait_until_connected()
        time.sleep(0.2)
        self.cluster.signal(2, signal.SIGKILL)
        for rank in self.cluster.ends(1, 0):
            self.assertEqual(rank.code, LOST, rank.err)
            self.assertIn("lost rank 2 ", rank.err)

    def test_item_075_a_call_that_takes_too_long(self):
        self.cluster.start_all("--timeout=1")
        for number, rank in enumerate(self.cluster.ends(*range(RANKS), within=20)):
            if number == 0:
                self.assertEqual(rank.code, TIMED_OUT, rank.err)
                self.assertIn("longer than the 1 s of --timeout", rank.err)
                self.assertIn("frame 'while/while_context': ", rank.err)
            else:  # the call is over, not the cluster; rank 0 ends it in order
                self.assertEqual(rank.code, OK, rank.err)

    def test_any_order_of_start(self):
        for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
            with self.subTest(order=order):
                cluster = harness.Cluster(self.programs)
                self.addCleanup(cluster.close)
                for rank in order:
                    cluster.start(rank, *(inputs(1000) if rank == 0 else ()))
                    time.sleep(0.1)
                ended = cluster.ends(*range(RANKS))
                self.assertEqual([rank.code for rank in ended], [OK] * RANKS, ended[0].err)
                self.assertIn("= 1000", ended[0].out)

    def test_kill(self):
        for victim in range(RANKS):
            with self.subTest(victim=victim):
                cluster = harness.Cluster(self.programs)
                self.addCleanup(cluster.close)
                cluster.start_all()
                cluster.wait_until_running()
                cluster.signal(victim, signal.SIGKILL)
                for rank in cluster.ends(*self.others(victim)):
                    self.assertEqual(rank.code, LOST, rank.err)
                    self.assertIn(f"lost rank {victim} ", rank.err)
                    self.assertIn("call 1", rank.err)

    def test_stop(self):
        self.cluster.start_all()
        self.cluster.wait_until_running()
        self.cluster.signal(1, signal.SIGSTOP)
        for rank in self.cluster.ends(0, 2):
            self.assertEqual(rank.code, TIMED_OUT, rank.err)
            self.assertIn("lost rank 1 ", rank.err)
            self.assertIn("no sign of life", rank.err)
        # When it comes back, nobody is there for it.
        self.cluster.signal(1, signal.SIGCONT)
        zombie, = self.cluster.ends(1)
        self.assertIn(zombie.code, (LOST, TIMED_OUT), zombie.err)

    def test_a_stop_that_is_short_is_survived(self):
        patient = "--peer-timeout=60"
        rank_0 = self.cluster.start(0, patient, "--calls=-", stdin=harness.subprocess.PIPE)
        self.cluster.start(1, patient)
        self.cluster.start(2, patient)
        before = self.ask(rank_0, REQUEST)
        self.assertIn('"outputs"', before)
        self.cluster.signal(1, signal.SIGSTOP)
        self.send(rank_0, REQUEST)
        time.sleep(1)
        self.assertFalse(select.select([rank_0.stdout], [], [], 0)[0], "an answer without rank 1")
        self.cluster.signal(1, signal.SIGCONT)
        self.assertEqual(rank_0.stdout.readline(), before)

    def test_terminate(self):
        for victim, number in ((0, signal.SIGTERM), (2, signal.SIGTERM), (0, signal.SIGINT),
                               (1, signal.SIGINT)):
            with self.subTest(victim=victim, number=number):
                cluster = harness.Cluster(self.programs)
                self.addCleanup(cluster.close)
                cluster.start_all()
                cluster.wait_until_running()
                cluster.signal(victim, number)
                for rank in cluster.ends(*range(RANKS)):
                    self.assertEqual(rank.code, LOST, rank.err)
                    self.assertIn(f"rank {victim} was ended by signal {int(number)}", rank.err)

    def test_terminate_while_rank_0_waits_for_a_line(self):
        rank_0 = self.cluster.start(0, "--calls=-", stdin=harness.subprocess.PIPE)
        self.cluster.start(1)
        self.cluster.start(2)
        self.assertIn('"error"', self.ask(rank_0, {"signature": "none"}))
        self.cluster.signal(0, signal.SIGTERM)
        for rank in self.cluster.ends(1, 2, 0):
            self.assertEqual(rank.code, LOST, rank.err)
            self.assertIn("rank 0 was ended by signal 15", rank.err)

    def test_terminate_while_ranks_connect(self):
        for victim in (0, 1):
            with self.subTest(victim=victim):
                cluster = harness.Cluster(self.programs)
                self.addCleanup(cluster.close)
                cluster.start(0, *inputs(10))
                cluster.start(1) # rank 2 is missing
                cluster.wait_until_joined((0, 1))
                cluster.signal(victim, signal.SIGTERM)
                for rank in cluster.ends(0, 1):
                    self.assertEqual(rank.code, LOST, rank.err)
                    self.assertIn(f"rank {victim} was ended while connecting", rank.err)

    def ask(self, rank, request):
        """The answer to a line on standard input."""
        self.send(rank, request)
        return rank.stdout.readline()

    def send(self, rank, request):
        rank.stdin.write(json.dumps(request) + "\n")
        rank.stdin.flush()

    def test_who_waits_for_whom(self):
        self.cluster.start_all()
        self.cluster.wait_until_running()
        for number, rank in enumerate(self.cluster.ranks):
            self.assertRegex(self.cluster.progress(rank),
                             rf"^rank {number} \(/job:localhost/replica:0/task:{number}/device:CPU:0"
                             r"\): call 1: (computing|waiting)")

    def test_item_096_another_program(self):
        self.cluster.start(0, *inputs(10))
        self.cluster.start(1)
        self.cluster.start(2, folder=self.others_programs)
        for number, rank in enumerate(self.cluster.ends(*range(RANKS))):
            self.assertEqual(rank.code, REFUSED, rank.err)
            self.assertIn("program", rank.err)
            self.assertIn("refused" if number == 2 else "rank 2", rank.err)

    def test_item_095_another_run(self):
        self.cluster.start(0, "--run-id=a", *inputs(10))
        self.cluster.start(1, "--run-id=a")
        self.cluster.start(2, "--run-id=b")
        for rank in self.cluster.ends(*range(RANKS)):
            self.assertEqual(rank.code, REFUSED, rank.err)
            self.assertIn("run", rank.err)

    def test_item_095_another_window(self):
        self.cluster.start(0, *inputs(10))
        self.cluster.start(1)
        self.cluster.start(2, "--parallel-iterations=3")
        for rank in self.cluster.ends(*range(RANKS)):
            self.assertEqual(rank.code, REFUSED, rank.err)
            self.assertIn("window", rank.err)

    def test_a_peer_that_never_starts(self):
        self.cluster.start(0, "--connect-timeout=1", *inputs(10))
        self.cluster.start(1, "--connect-timeout=1")
        for rank in self.cluster.ends(0, 1):
            self.assertEqual(rank.code, TIMED_OUT, rank.err)
            self.assertIn("rank 2", rank.err)
            self.assertIn(self.cluster.addresses[2], rank.err)

    def test_a_port_in_use(self):
        taken = harness.listen()
        self.addCleanup(taken.close)
        addresses = [harness.address(taken), *self.cluster.addresses[1:]]
        program = f"{self.programs}/while_scalar.rank0"
        done = harness.subprocess.run([program, "--peers", ",".join(addresses), *inputs(10)],
                                      capture_output=True, text=True, timeout=30)
        self.assertEqual(done.returncode, IO, done.stderr)
        self.assertIn(addresses[0], done.stderr)
        self.assertIn("in use", done.stderr)


class SeveralCalls(ClusterCase):
    """Several calls at a time, over two and over four ranks."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.sizes = {ranks: f"{cls.shared}/{ranks}" for ranks in (2, 4)}
        for ranks, folder in cls.sizes.items():
            harness.compile_loop(folder, 5, ranks)

    def start(self, ranks, *flags):
        self.cluster = harness.Cluster(self.sizes[ranks], ranks=ranks)
        self.addCleanup(self.cluster.close)
        rank_0 = self.cluster.start(0, "--calls=-", *flags, stdin=harness.subprocess.PIPE)
        for rank in range(1, ranks):
            self.cluster.start(rank)
        return rank_0

    def send(self, rank_0, *requests):
        rank_0.stdin.write("".join(json.dumps(request) + "\n" for request in requests))
        rank_0.stdin.flush()

    def test_kill(self):
        """All calls end with one cause, and so do all ranks."""
        for ranks, victim in ((2, 1), (4, 1), (4, 3)):
            with self.subTest(ranks=ranks, victim=victim):
                self.send(self.start(ranks, "--concurrent-calls=4"), *[ENDLESS] * 4)
                for rank in self.cluster.ranks:
                    while "call 4: " not in self.cluster.progress(rank):
                        self.assertIsNone(rank.poll())
                self.cluster.signal(victim, signal.SIGKILL)
                ended = self.cluster.ends(*[rank for rank in range(ranks) if rank != victim])
                for rank in ended:
                    self.assertEqual(rank.code, LOST, rank.err)
                    self.assertIn(f"lost rank {victim} ", rank.err)
                responses = [json.loads(line) for line in ended[0].out.splitlines()]
                self.assertEqual(len(responses), 4)
                for response in responses:
                    self.assertIn(f"lost rank {victim} ", response["error"]["message"])

    def test_one_that_takes_too_long(self):
        """It ends, and neither those beside it nor those after it notice."""
        requests = [request(number % 7) for number in range(45)]
        for ranks in self.sizes:
            with self.subTest(ranks=ranks):
                rank_0 = self.start(ranks, "--concurrent-calls=3", "--timeout=3")
                self.send(rank_0, *requests[:5], ENDLESS, *requests[5:])
                rank_0.stdin.close()
                rank_0.stdin = None
                ended = self.cluster.ends(*range(ranks), within=60)
                self.assertEqual([rank.code for rank in ended],
                                 [harness.MODEL] + [OK] * (ranks - 1), ended[0].err)
                responses = [json.loads(line) for line in ended[0].out.splitlines()]
                self.assertEqual(responses.pop(5)["error"]["code"], "DEADLINE_EXCEEDED")
                counts = [struct.unpack("<i", base64.b64decode(response["outputs"][0]["b64"]))[0]
                          for response in responses]
                self.assertEqual(counts, [number % 7 for number in range(45)])


class Network(ClusterCase):
    def test_reset(self):
        proxy = self.proxy(0)
        peers = [proxy.address, *self.cluster.addresses[1:]]
        self.cluster.start_all(peers={2: peers})
        self.cluster.wait_until_running()
        proxy.reset()
        codes = set()
        for rank in self.cluster.ends(*range(RANKS)):
            codes.add(rank.code)
            self.assertRegex(rank.err, "lost rank [02] ")
        self.assertEqual(codes, {LOST})

    def test_a_slow_reader_gets_the_same(self):
        proxy = self.proxy(0)
        proxy.delay, proxy.chunk = 0.002, 64
        peers = [proxy.address, *self.cluster.addresses[1:]]
        self.cluster.start_all(limit=200, peers={1: peers, 2: peers})
        ended = self.cluster.ends(*range(RANKS), within=60)
        self.assertEqual([rank.code for rank in ended], [OK] * RANKS, ended[0].err)
        self.assertIn("= 200", ended[0].out)

    def test_item_129_garbage_within_a_connection(self):
        proxy = self.proxy(0)
        peers = [proxy.address, *self.cluster.addresses[1:]]
        self.cluster.start_all(peers={2: peers})
        self.cluster.wait_until_running()
        proxy.inject = b"\xff" * 64
        ended = self.cluster.ends(*range(RANKS))
        self.assertEqual(ended[0].code, REFUSED, ended[0].err)
        for rank in ended:
            self.assertIn(rank.code, (REFUSED, LOST), rank.err)
            self.assertIn("rank 2 ", rank.err)

    def test_item_124_strangers_do_no_harm(self):
        self.cluster.start(0, *inputs(1000))
        host, port = self.cluster.addresses[0].split(":")
        for content in (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00",
                        b"\0" * 4096, b"S", b""):
            stranger = socket.create_connection((host, int(port)), timeout=5)
            self.addCleanup(stranger.close)
            stranger.sendall(content)
        time.sleep(0.2)
        self.cluster.start(1)
        self.cluster.start(2)
        ended = self.cluster.ends(*range(RANKS), within=30)
        self.assertEqual([rank.code for rank in ended], [OK] * RANKS, ended[0].err)
        self.assertIn("= 1000", ended[0].out)

    def test_item_140_addresses_beyond_this_machine_need_a_key(self):
        peers = [*self.cluster.addresses[:2], "192.0.2.1:7000"]
        self.cluster.start(0, *inputs(10), peers=peers)
        rank, = self.cluster.ends(0)
        self.assertEqual(rank.code, REFUSED, rank.err)
        self.assertIn("--key-file", rank.err)
        self.assertIn("--insecure", rank.err)


class Keys(ClusterCase):
    def key(self, name, content, mode=0o600):
        path = f"{self.programs}/{name}"
        with open(path, "wb") as file:
            file.write(content)
        harness.os.chmod(path, mode)
        return f"--key-file={path}"

    def test_the_same_key(self):
        self.cluster.start_all(self.key("same", b"k" * 32), limit=100)
        ended = self.cluster.ends(*range(RANKS))
        self.assertEqual([rank.code for rank in ended], [OK] * RANKS, ended[0].err)

    def test_item_125_another_key(self):
        good, bad = self.key("good", b"k" * 32), self.key("bad", b"q" * 32)
        self.cluster.start(0, good, "--connect-timeout=2", *inputs(10))
        self.cluster.start(1, good, "--connect-timeout=2")
        self.cluster.start(2, bad, "--connect-timeout=2")
        ended = self.cluster.ends(*range(RANKS))
        # A stranger cannot end a run: the others wait for the real rank 2.
        self.assertEqual([rank.code for rank in ended[:2]], [TIMED_OUT] * 2, ended[0].err)
        self.assertIn(ended[2].code, (REFUSED, TIMED_OUT), ended[2].err)

    def test_item_140_a_key_that_others_can_read(self):
        self.cluster.start(0, self.key("open", b"k" * 32, 0o644), *inputs(10))
        rank, = self.cluster.ends(0)
        self.assertEqual(rank.code, IO, rank.err)
        self.assertIn("chmod 600", rank.err)


if __name__ == "__main__":
    harness.main()
