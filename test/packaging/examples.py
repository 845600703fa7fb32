# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs the shipped examples with the tools of some installation."""

import pathlib
import subprocess

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"
LINKS = ("links=6x6xf32=0,1,0,0,1,1,1,0,1,1,0,0,0,0,0,1,1,0,0,1,1,0,0,0,1,1,0,0,0,0,1,1,0,0,0,0")
NAMES = ["--feed", "links", "--fetch", "ranks", "--fetch", "iterations"]
CALL = ["--input", LINKS, "--output", "ranks=-", "--output", "iterations=-"]


def expected(example):
    return (EXAMPLES / example / "expected-output.txt").read_text()


def output(command, extra=None, **options):
    """What a command prints, which must succeed, with nothing but `extra` in its environment."""
    return subprocess.run(list(map(str, command)), check=True, text=True, env=extra or {},
                          stdout=subprocess.PIPE, **options).stdout


def while_loop(sluicec, folder):
    """The answer of examples/while-loop."""
    program = folder / "pagerank"
    output([sluicec, EXAMPLES / "while-loop/pagerank.pb", *NAMES, "-o", program])
    return output([program, *CALL])


def two_processes(sluicec, sluice_run, folder):
    """The answer of examples/while-loop from two processes, with ports that the system chooses."""
    program = folder / "two"
    output([sluicec, EXAMPLES / "while-loop/pagerank.pb", *NAMES, "--devices", "2",
            "-o", program])
    return output([sluice_run, program / "manifest.json", *CALL])
