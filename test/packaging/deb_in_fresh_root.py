#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs a Debian package in a Debian 12 that has nothing but its base system, and works with it.

Compiles and runs a graph on one device and on two, and builds examples/cmake-project. Needs root,
debootstrap and the mirrors; two minutes. Not part of the tests that run by default.

Usage: deb_in_fresh_root.py PACKAGE.deb [--within FOLDER]
"""

import argparse
import pathlib
import shutil
import subprocess
import sys

import examples
from fresh_root import FreshRoot

WORK = "/root/work"
INSTALL = "apt-get update -qq && apt-get install -y -qq --no-install-recommends"
# The project is built with make, which people have who have no ninja.
PROJECT = (f"cd {WORK}/cmake-project && cmake -S . -B build && cmake --build build"
           " && ctest --test-dir build --output-on-failure")


def shell(command):
    return ["sh", "-ec", command]


def check(root, title, command, answer=None):
    done = root.run(*command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode or (answer is not None and done.stdout != answer):
        expected = "" if answer is None else f"expected:\n{answer}but got:\n"
        sys.exit(f"error: {title}: exit code {done.returncode}; {expected}{done.stdout[-4000:]}")
    print(f"ok: {title}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("package", type=pathlib.Path)
    parser.add_argument("--within", help="folder that the root is made in")
    options = parser.parse_args()
    if not options.package.is_file():
        parser.error(f"there is no package '{options.package}'")
    with FreshRoot(options.within) as root:
        work = root.path / WORK.lstrip("/")
        work.mkdir(parents=True)
        shutil.copy(options.package, work / "sluice.deb")
        shutil.copy(examples.EXAMPLES / "while-loop/pagerank.pb", work)
        shutil.copytree(examples.EXAMPLES / "cmake-project", work / "cmake-project")
        graph, call = [f"{WORK}/pagerank.pb", *examples.NAMES], examples.CALL
        answer = examples.expected("while-loop")
        check(root, "install", shell(f"{INSTALL} {WORK}/sluice.deb"))
        check(root, "compile", ["sluicec", *graph, "-o", f"{WORK}/pagerank"])
        check(root, "run", [f"{WORK}/pagerank", *call], answer)
        check(root, "compile for two devices",
              ["sluicec", *graph, "--devices", "2", "-o", f"{WORK}/two"])
        check(root, "run two processes", ["sluice-run", f"{WORK}/two/manifest.json", *call], answer)
        check(root, "install cmake", shell(f"{INSTALL} cmake make"))
        check(root, "CMake project", shell(PROJECT))
        check(root, "remove", shell("apt-get remove -y -qq sluice && ! ls /usr/lib/sluice"))


main()
