#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of docs/how-to/run-on-several-hosts.md, one after the other, as they stand there.

The two hosts are two loopback addresses and two folders: `node0` and `node1` become 127.0.0.1 and
127.0.0.2 in cluster.json, `scp` copies into a host's folder, and `ssh` runs there.

Usage: run_on_several_hosts_test.py FOLDER_OF_TOOLS
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/how-to/run-on-several-hosts.md"
EXPECTED = "ranks:0 f32[2] ="

HOSTS = """
set -euo pipefail
mkdir node0 node1
scp() { local to="${!#}"; cp "${@:1:$#-1}" "${to%:}/"; }
ssh() { local host="$1"; shift; (cd "$host" && "$@"); }
"""


def main():
    tools = pathlib.Path(sys.argv[1]).resolve()
    blocks = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    script = HOSTS + "\n".join(blocks)
    script = script.replace('"host": "node0"', '"host": "127.0.0.1"')
    script = script.replace('"host": "node1"', '"host": "127.0.0.2"')
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "examples/two-processes/pagerank.pb", f"{folder}/pagerank.pb")
        done = subprocess.run(["bash", "-c", script], cwd=folder, text=True, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
    print(done.stdout)
    if len(blocks) < 5 or done.returncode or EXPECTED not in done.stdout:
        sys.exit(f"error: expected {EXPECTED!r} and exit code 0 but got {done.returncode}")


main()
