#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints which experts were asked in steps of each rule, and in how many.

Usage: asked_by_rule.py RULES.npy ASKED.npy
"""

import collections
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from array_files import read_rows

(rules,), asked = (read_rows(pathlib.Path(name)) for name in sys.argv[1:])
counts = collections.Counter(
    (int(rule), tuple(expert for expert, flag in enumerate(flags) if flag))
    for rule, flags in zip(rules, asked))
for (rule, experts), steps in sorted(counts.items()):
    print(f"rule {rule}: experts {' and '.join(map(str, experts))}, {steps} steps")
