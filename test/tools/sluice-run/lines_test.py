#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lines that ranks print arrive whole, and say who printed them.

Usage: lines_test.py SLUICE-RUN
"""

import os
import pty

import script_cluster
from script_cluster import DEADLINE, Case


class Lines(Case):
    def test_partial_lines_get_an_end(self):
        self.cluster("exit 0", "printf 'a\\nno end'")
        self.assertEqual(self.run_cluster()[2], "[rank 1] a\n[rank 1] no end\n")

    def test_pieces_of_a_line_stay_together(self):
        self.cluster("printf a >&2; sleep 0.3; echo b >&2", "sleep 0.1; echo x")
        self.assertEqual(self.run_cluster()[2], "[rank 1] x\n[rank 0] ab\n")

    def test_very_long_lines_are_broken(self):
        self.cluster("exit 0", "head -c 65537 /dev/zero | tr '\\0' a; echo; "
                               "head -c 65536 /dev/zero | tr '\\0' b; echo")
        self.assertEqual(self.run_cluster()[2].splitlines(),
                         ["[rank 1] " + text for text in ("a" * 65536, "a", "b" * 65536)])

    def test_much_output_arrives_whole(self):
        self.cluster("exit 0", "seq 200000")
        err = self.run_cluster()[2]
        self.assertEqual(err, "".join(f"[rank 1] {i}\n" for i in range(1, 200001)))

    def test_prefixes_can_be_switched_off(self):
        self.cluster("exit 0", "echo a")
        self.assertEqual(self.run_cluster("--log-prefix=off")[2], "a\n")

    def test_terminals_get_colours(self):
        self.cluster("exit 0", "echo a")
        master, slave = pty.openpty()
        process = self.start(stderr=slave)
        os.close(slave)
        self.assertEqual(process.wait(timeout=DEADLINE), 0)
        self.assertEqual(os.read(master, 1000), b"\033[32m[rank 1]\033[0m a\r\n")
        os.close(master)

    def test_nobody_reads(self):
        self.cluster("sleep 0.1", "seq 100000")
        read, write = os.pipe()
        process = self.start(stderr=write)
        os.close(read)
        os.close(write)
        self.assertEqual(process.wait(timeout=DEADLINE), 0)


if __name__ == "__main__":
    script_cluster.main()
