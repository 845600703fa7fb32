#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the README's first command in a Debian 12 that has nothing but its base system.

What is committed here is cloned into the fresh root; the command installs what is missing, builds,
compiles the example and runs it. Needs root, debootstrap and the mirrors; takes as long as a build.

Usage: readme_in_fresh_root.py [--ccache FOLDER] [--at PLACE] [--within FOLDER] [COMMAND]
"""

import argparse
import pathlib
import re
import subprocess
import sys

from fresh_root import FreshRoot

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def first_command():
    block = re.search(r"^```sh\n(\S+)", (ROOT / "README.md").read_text(), re.MULTILINE)
    return block.group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--ccache", help="a folder of compiler results to share")
    parser.add_argument("--at", default="/root/sluice", help="place of the clone in the root")
    parser.add_argument("--within", help="folder that the root is made in")
    parser.add_argument("command", nargs="?", default=first_command())
    options = parser.parse_args()
    with FreshRoot(options.within) as root:
        clone = root.path / options.at.lstrip("/")
        subprocess.run(["git", "clone", "-q", "--no-hardlinks", ROOT, clone], check=True)
        binds = [(options.ccache, "/root/.cache/ccache")] if options.ccache else []
        done = root.run("sh", "-c", f"cd {options.at} && exec {options.command}", binds=binds)
    if done.returncode:
        sys.exit(f"error: {options.command} failed with exit code {done.returncode}")
    print(f"{options.command} works in a fresh Debian 12")


main()
