#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that do not end (item 75): by --timeout and --limit iterations they do, whoever runs them."""

import json
import math

import harness
from control_flow_test import loop
from graphdef import unary
from harness import BAD_GRAPH, USAGE, Case, add, program

TIMED_OUT = 12
ENDLESS = loop(unary("y", "Identity", "exit"), limit=math.inf)
FINITE = loop(unary("y", "Identity", "exit"), limit=100.0)


class Endless(Case):
    @classmethod
    def setUpClass(cls):
        """Compiles programs for all tests: with the loop as machine code, and token by token."""
        cls.shared = cls.share_folder()
        for name, content in (("endless", ENDLESS), ("finite", FINITE)):
            (cls.shared / f"{name}.pb").write_bytes(content)
            for kind, flags in (("tokens", ["--no-codelets", "--no-raise"]), ("compiled", [])):
                harness.good([program("sluicec"), f"{name}.pb", "--fetch=y", *flags, "-o",
                              f"{name}.{kind}"], cls.shared)

    def made(self, name):
        return [str(self.shared / name)]

    def interpreted(self, name):
        return [program("sluicec"), str(self.shared / f"{name}.pb"), "--fetch=y", "--interpret"]

    def test_item_075_token_by_token(self):
        self.refused(TIMED_OUT, self.made("endless.tokens") + ["--timeout=0.3", "--save=out"],
                     "DEADLINE_EXCEEDED", "longer than the 0.3 s of --timeout",
                     "frame 'loop': iteration")

    def test_item_075_compiled(self):
        """item 75: a native loop ends early, at a back edge"""
        self.refused(TIMED_OUT, self.made("endless.compiled") + ["--timeout=0.3", "--save=out"],
                     "DEADLINE_EXCEEDED", "longer than the 0.3 s of --timeout", "compiled loop")

    def test_item_075_interpreted(self):
        self.refused(TIMED_OUT, self.interpreted("endless") + ["--timeout=0.3"],
                     "DEADLINE_EXCEEDED", "frame 'loop' is in iteration ")

    def test_item_075_in_the_compiler(self):
        self.refused(TIMED_OUT, [program("sluicec"), str(self.shared / "endless.pb"), "--fetch=y",
                                 "--execute=local", "--timeout=0.3"], "DEADLINE_EXCEEDED")

    def test_item_075_requests(self):
        """item 75: the next request is answered"""
        path = self.write("calls", '{}\n{"signature":"nix"}\n')
        outcome = self.refused(BAD_GRAPH, self.made("endless.tokens") + [
            f"--calls={path}", "--timeout=0.3"], "2 of 2 calls failed")
        answers = [json.loads(line) for line in outcome.out.splitlines()]
        self.assertEqual([a["error"]["code"] for a in answers],
                         ["DEADLINE_EXCEEDED", "INVALID_ARGUMENT"])

    def test_item_075_json_diagnostics(self):
        outcome = harness.run(self.made("endless.compiled") + [
            "--timeout=0.1", "--diagnostics-format=json"], self.folder)
        self.assertEqual(outcome.code, TIMED_OUT, outcome.err)
        self.assertEqual(json.loads(outcome.err)["exit_code"], TIMED_OUT)

    def test_item_075_most_iterations(self):
        for command in (self.made("finite.tokens"), self.interpreted("finite")):
            self.refused(BAD_GRAPH, command + ["--limit=iterations=100"], "node 'next'"
                         if "--interpret" not in command else "error: ",
                         "the loop of frame 'loop' wants more than 100 iterations",
                         "--limit iterations")
            self.accepted(command + ["--limit=iterations=101"])
        self.refused(BAD_GRAPH, self.made("endless.tokens") + ["--limit=iterations=1000000"],
                     "wants more than 1000000 iterations")

    def test_item_075_a_call_in_time(self):
        for name in ("finite.tokens", "finite.compiled"):
            self.accepted(self.made(name) + ["--timeout=60", "--steps=100"])


for seconds in ("0", "-1", "abc", "1e9", "nan", "inf", "0.01"):
    add(Endless, 75, f"time {seconds}", lambda self, seconds=seconds: self.refused(
        USAGE, self.made("finite.tokens") + [f"--timeout={seconds}"], "--timeout", seconds))

if __name__ == "__main__":
    harness.main()
