#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how many steps vectors took, by how many numbers they begin with before the zeros.

Usage: steps_by_length.py X.npy STEPS.npy
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from array_files import read_rows

vectors, steps = (read_rows(pathlib.Path(name)) for name in sys.argv[1:])
by_length = {}
for vector, (taken,) in zip(vectors, steps):
    by_length.setdefault(sum(number != 0 for number in vector), []).append(taken)
for length, taken in sorted(by_length.items()):
    print(f"length {length}: {sum(taken) / len(taken):.2f} steps")
