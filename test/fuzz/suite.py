#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the fuzz targets, runs all corpora, and then fuzzes the named targets for half a minute.

usage: suite.py BUILD TARGET…
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import suite_parts  # noqa: E402

SECONDS = 30  # for all targets together


def main():
    build, targets = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    suite_parts.build(build, "fuzzers")
    common = [sys.executable, str(HERE / "run.py"), "--bin", str(build / "fuzz-targets"),
              "--findings", str(build / "test" / "fuzz" / "findings")]
    each = max(1, round(SECONDS / len(targets)))
    results = [suite_parts.run([*common, "--replay"]),
               suite_parts.run([*common, "--jobs", "1", "--seconds", str(each), "--targets",
                               *targets])]
    return suite_parts.finish(results)


if __name__ == "__main__":
    sys.exit(main())
