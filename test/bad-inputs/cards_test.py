#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cards that are not there, are the wrong ones, have too little memory or fail, as a simulated one
does (item 142, and fault 39 of those that hit a running program)."""

import subprocess

import harness
from graphdef import FLOAT, graph, placeholder, unary
from harness import LINK, Case, program

GRAPH = graph(placeholder("x", FLOAT, (64, 64)), unary("y", "Exp", "x"), unary("z", "Tanh", "y"))
FLAGS = ["--feed=x", "--fetch=z"]
FAILED, MISSING, OUT_OF_MEMORY = 1, 13, 14
INPUT = "--input=x=rand"


class Cards(Case):
    @classmethod
    def setUpClass(cls):
        cls.shared = cls.share_program(GRAPH, *FLAGS, "--target=sim")
        cls.graph = str(cls.shared / "g.pb")

    def refused_with(self, code, text, **variables):
        self.refused(code, [self.program, INPUT], text,
                     prepare=lambda: harness.os.environ.update(variables))

    def test_item_142_no_assembler(self):
        """item 142: ptxas missing or not to be executed is named, and nothing is written"""
        for path in ("", "/nowhere/ptxas", "/etc/passwd"):
            self.refused(LINK, [program("sluicec"), self.graph, *FLAGS, "--target=cuda", "-o",
                                "made"], "expected ptxas",
                         prepare=lambda path=path: harness.os.environ.update(PTXAS=path))

    def test_no_driver(self):
        """Where programs for cards of CUDA can be made, they say what they miss here."""
        made = harness.run([program("sluicec"), self.graph, *FLAGS, "--target=cuda", "-o", "made"],
                           self.folder)
        if made.code == LINK:
            self.skipTest("there is no ptxas")
        self.assertEqual(made.code, 0)
        if subprocess.run(["sh", "-c", "ldconfig -p | grep -q libcuda.so.1"], check=False,
                          capture_output=True).returncode == 0:
            self.skipTest("there is a driver")
        self.refused(MISSING, [str(self.folder / "made"), INPUT],
                     "the CUDA driver is missing, version 12.0 or later is needed")

    def test_fault_39_wrong_cards(self):
        self.refused_with(MISSING, "does not start: CUDA_ERROR_NO_DEVICE (100): no device",
                          SLUICE_SIM_DEVICES="0")
        self.refused_with(MISSING, "for sm_70", SLUICE_SIM_ARCHITECTURE="70")
        self.refused_with(MISSING, "is a driver for CUDA 11.0, but CUDA 12.0 is needed",
                          SLUICE_SIM_VERSION="11000")

    def test_fault_39_too_little_memory(self):
        """The message says who holds what."""
        self.refused_with(OUT_OF_MEMORY, "needs 16 KiB", SLUICE_SIM_MEMORY="4096")

    def test_a_limit_below_what_is_needed(self):
        self.refused(OUT_OF_MEMORY, [self.program, INPUT, "--device-memory-limit=8K"],
                     "but of the limit of 8 KiB")
        outcome = self.accepted([self.program, INPUT, "--device-memory-limit=4M", "--stats"])
        self.assertRegex(outcome.err, "gpu_0_peak_bytes: *[1-9]")

    def test_fault_39_failures_come_late_or_at_once(self):
        """A failed launch is that of a node; whatever fails, the program ends with a reason."""
        self.refused_with(FAILED, "cuLaunchKernel failed", SLUICE_SIM_FAIL="cuLaunchKernel:1=719")
        for call in ("cuEventQuery", "cuMemcpyDtoHAsync", "cuMemcpyHtoDAsync", "cuEventRecord",
                     "cuStreamWaitEvent"):
            with self.subTest(call=call):
                self.refused_with(FAILED, f"{call} failed", SLUICE_SIM_FAIL=f"{call}:1=700")

    def test_devices_that_the_program_is_not_for(self):
        """What is there is said, and what to do."""
        self.refused(MISSING, [self.program, INPUT, "--device=cuda:1"],
                     "expected code for cards of CUDA but the program is compiled for a simulated "
                     "card: compile it with --target=cuda; --device=cpu runs the program")
        self.refused(2, [self.program, INPUT, "--device=cuda:x"],
                     "--device: expected cpu, cuda, cuda:N or sim but got 'cuda:x'")
        for flags, device, text in ((["--target=sim", "--card-only"], "cpu", "needs no card"),
                                    ([], "cuda", "compile it with --target=cuda")):
            harness.good([program("sluicec"), self.graph, *FLAGS, *flags, "-o", "made"],
                         self.folder)
            self.refused(MISSING, [str(self.folder / "made"), INPUT, f"--device={device}"], text)

    def test_without_cards_the_host_runs_the_program(self):
        self.refused_with(MISSING, "--device=cpu runs the program", SLUICE_SIM_DEVICES="0")
        ran = harness.run([self.program, INPUT, "--device=cpu", "--output=z=-"], self.folder,
                          prepare=lambda: harness.os.environ.update(SLUICE_SIM_DEVICES="0"))
        self.assertEqual(ran.code, 0)

    def test_fault_39_the_card_is_described_without_one(self):
        outcome = self.accepted([self.program, "--describe"], prepare=lambda:
                                harness.os.environ.update(SLUICE_SIM_DEVICES="0"))
        self.assertIn(b"x", outcome.out)


if __name__ == "__main__":
    harness.main()
