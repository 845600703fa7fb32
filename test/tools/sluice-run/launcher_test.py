#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks run to their end, fail, or get signals.

Usage: launcher_test.py SLUICE-RUN
"""

import json
import os
import signal
import socket
import time

import script_cluster
from script_cluster import DEADLINE, Case


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
        return True
    except OSError:
        return False


class GoodRuns(Case):
    def test_rank_zero_has_the_standard_streams(self):
        self.cluster("cat; echo from zero", "cat; echo from one; echo error from one >&2")
        code, out, err = self.run_cluster(input="line\n")
        self.assertEqual((code, out), (0, "line\nfrom zero\n"))
        self.assertEqual(sorted(err.splitlines()), ["[rank 1] error from one", "[rank 1] from one"])

    def test_every_rank_learns_its_socket_all_addresses_and_the_run(self):
        self.cluster(*[self.here(f'echo "$@" > args{rank}; readlink /proc/$$/fd/${{1#*=}} '
                                 f'> fd{rank}') for rank in range(3)])
        self.assertEqual(self.run_cluster()[0], 0)
        arguments = [self.wait_for(f"args{rank}").split() for rank in range(3)]
        self.assertEqual(len({a[0] for a in arguments}), 3)
        self.assertEqual(len({a[1] for a in arguments}), 1)
        self.assertEqual(len({a[2] for a in arguments}), 1)
        peers = arguments[0][1].removeprefix("--peers=").split(",")
        self.assertEqual(len(set(peers)), 3)
        for rank, peer in enumerate(peers):
            host, port = peer.split(":")
            self.assertEqual(host, "127.0.0.1")
            self.assertGreater(int(port), 0)
            self.assertRegex(arguments[rank][0], r"^--listen-fd=\d+$")
            self.assertIn("socket:", self.wait_for(f"fd{rank}"))
        self.assertRegex(arguments[0][2], r"^--run-id=[0-9a-f]{32}$")

    def test_two_runs_have_different_ids(self):
        self.cluster("echo $3")
        self.assertNotEqual(self.run_cluster()[1], self.run_cluster()[1])

    def test_flags_are_sorted(self):
        self.cluster(*[self.here(f'shift 3; echo "$@" > args{rank}') for rank in range(2)])
        code, _, err = self.run_cluster("--workers", "3", "--calls", "f", "--insecure",
                                        "--schedule-seed=7", "--log-prefix=off", "--stats")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(self.wait_for("args0"),
                         "--workers=3 --insecure --schedule-seed=7 --calls f --stats")
        self.assertEqual(self.wait_for("args1"), "--workers=3 --insecure --schedule-seed=7")

    def test_questions_are_answered_by_rank_zero_alone(self):
        self.cluster('echo "$@"', self.here("echo > started"))
        self.assertEqual(self.run_cluster("--describe")[:2], (0, "--describe\n"))
        self.assertFalse((self.folder / "started").exists())

    def test_fixed_ports_are_used(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.cluster("echo $2", devices=[{"rank": 0, "device": "d", "executable": "m.rank0",
                                          "address": f"localhost:{port}"}])
        self.assertEqual(self.run_cluster()[1], f"--peers=127.0.0.1:{port}\n")

    def test_other_ranks_are_told_an_address_that_can_be_reached(self):
        for address, peers in (("0.0.0.0:0", r"127\.0\.0\.1"), ("[::1]:0", r"\[::1\]")):
            if address.startswith("[") and not has_ipv6():
                continue
            with self.subTest(address):
                self.cluster("echo $2", devices=[{"rank": 0, "device": "d",
                                                  "executable": "m.rank0", "address": address}])
                self.assertRegex(self.run_cluster()[1], rf"^--peers={peers}:[1-9]\d*\n$")


class Failures(Case):
    def assert_failed(self, outcome, code, *texts):
        self.assertEqual(outcome[0], code, outcome[2])
        last = outcome[2].splitlines()[-1]
        self.assertTrue(last.startswith("sluice-run: error: "), last)
        for text in texts:
            self.assertIn(text, last)

    def test_a_model_error_of_rank_zero(self):
        self.cluster("echo 'error: INTERNAL: bad' >&2; echo more >&2; exit 1", "sleep 0.1")
        self.assert_failed(self.run_cluster(), 1, "rank 0 (/job:w/replica:0/task:0/device:CPU:0) "
                           "ended with exit code 1: error: INTERNAL: bad")

    def test_a_killed_rank_is_the_cause_even_if_others_end_first(self):
        self.cluster("echo 'error: lost rank 1' >&2; exit 10", "sleep 0.3; kill -KILL $$")
        self.assert_failed(self.run_cluster(), 10, "rank 1", "was killed by signal 9")

    def test_without_another_cause_the_first_consequence_is_told(self):
        self.cluster("sleep 0.3; exit 10", "exit 12")
        self.assert_failed(self.run_cluster(), 12, "rank 1", "exit code 12")

    def test_stragglers_are_stopped(self):
        self.cluster("exit 1", self.here("echo $$ > pid; trap '' TERM; while :; do sleep 1; done"))
        start = time.monotonic()
        self.assert_failed(self.run_cluster("--grace=0.5"), 1, "rank 0")
        self.assertGreater(time.monotonic() - start, 1.4)
        self.assert_gone(self.wait_for("pid"))

    def test_others_may_end_by_themselves(self):
        self.cluster("exit 1", self.here("sleep 0.5; echo > ended"))
        self.assert_failed(self.run_cluster(), 1, "rank 0")
        self.assertTrue((self.folder / "ended").exists())

    def test_a_rank_that_does_not_end_is_a_failure(self):
        self.cluster("exit 0", "exec sleep 60")
        self.assert_failed(self.run_cluster("--grace", "0.1"), 12, "rank 1", "did not end")

    def test_usage_errors_make_nobody_wait(self):
        self.cluster("echo 'error: USAGE: x' >&2; exit 2", "exec sleep 60")
        start = time.monotonic()
        self.assert_failed(self.run_cluster(), 2, "error: USAGE: x")
        self.assertLess(time.monotonic() - start, 4)

    def test_errors_as_json(self):
        self.cluster("echo '{\"severity\":\"error\",\"exit\":1}' >&2; exit 1")
        code, _, err = self.run_cluster("--diagnostics-format=json")
        line = json.loads(err.splitlines()[-1])
        self.assertEqual((code, line["severity"], line["exit_code"]), (1, "error", 1))
        self.assertIn('{"severity"', line["message"])

    def test_an_output_that_nobody_reads_does_not_stop_signals(self):
        self.cluster(self.here("echo $$ > pid; exec sleep 60"), "yes")
        read, write = os.pipe()
        process = self.start("--grace=0.1", stderr=write)
        pid = self.wait_for("pid")
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        self.assert_gone(pid)
        self.assertEqual(process.wait(timeout=DEADLINE), 10)
        os.close(read)
        os.close(write)


class Signals(Case):
    def signalled(self, number, name):
        script = (f"trap 'echo got > got{{0}}; exit 0' {name}; echo > ready{{0}}; "
                  "while :; do sleep 0.05; done")
        self.cluster(*[self.here(script.format(rank)) for rank in range(2)])
        process = self.start()
        for rank in range(2):
            self.wait_for(f"ready{rank}")
        process.send_signal(number)
        for rank in range(2):
            self.wait_for(f"got{rank}")
        self.assertEqual(process.wait(timeout=DEADLINE), 0)

    def test_signals_that_ranks_know_are_forwarded(self):
        for number, name in ((signal.SIGTERM, "TERM"), (signal.SIGINT, "INT"),
                             (signal.SIGUSR2, "USR2")):
            with self.subTest(name):
                for path in self.folder.iterdir():
                    path.unlink()
                self.signalled(number, name)

    # It would kill every rank, as none has a handler for it.
    def test_other_signals_are_not_forwarded(self):
        self.cluster(self.here("trap 'echo > got' USR1; echo > ready; "
                               "while [ ! -e end ]; do sleep 0.05; done"))
        process = self.start()
        self.wait_for("ready")
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(timeout=DEADLINE), -signal.SIGUSR1)
        (self.folder / "end").touch()
        self.assertFalse((self.folder / "got").exists())

    def stopped(self, script):
        (self.folder / "ready").unlink(missing_ok=True)
        self.cluster(self.here(f"{script}; echo > ready; while :; do sleep 0.05; done"))
        process = self.start()
        self.wait_for("ready")
        process.terminate()
        err = process.communicate(timeout=DEADLINE)[1]
        return process.returncode, err.splitlines()[-1]

    def test_no_rank_is_blamed_for_ending_when_told_to(self):
        for script in ("trap 'echo \"error: CANCELLED\" >&2; exit 10' TERM", "true"):
            with self.subTest(script):
                self.assertEqual(self.stopped(script), (
                    10, "sluice-run: error: stopped by signal 15 (Terminated)"))

    def test_a_failure_while_ending_is_told(self):
        code, line = self.stopped("trap 'exit 3' TERM")
        self.assertEqual(code, 3)
        self.assertIn("rank 0", line)

    def test_ranks_that_ignore_the_end_are_killed(self):
        self.cluster(self.here("echo $$ > pid; trap '' TERM; while :; do sleep 0.1; done"))
        process = self.start("--grace=0.1")
        pid = self.wait_for("pid")
        process.terminate()
        self.assertEqual(process.wait(timeout=DEADLINE), 12)
        self.assert_gone(pid)

    def test_ranks_die_with_the_launcher(self):
        self.cluster(*[self.here(f"echo $$ > pid{rank}; exec sleep 60") for rank in range(2)])
        process = self.start()
        pids = [self.wait_for(f"pid{rank}") for rank in range(2)]
        process.kill()
        for pid in pids:
            self.assert_gone(pid)


if __name__ == "__main__":
    script_cluster.main()
