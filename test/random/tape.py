# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the derivatives that a program gives with those of the interpreter's tape, which shares no rule
with them. It sees what differences are blind for: small numbers, and both sides of kinks."""

import math
import re

from ways import Way

TAPE = Way(["--interpret=raise"], [])
TOLERANCE = 1e-9  # seen from the largest number among them; both have 64 bits


def verdict(got, claimed, numbers):
    """What becomes of it, in words, and what is wrong; `claimed` are outputs, and so are the last of
    the call that `got` answers."""
    if got.trouble or not got.calls:
        return "fails", f"{got.trouble} {got.message}"
    call = got.calls[-1]
    if "error" in call:
        missing = re.search(r"no derivative of (\S+)", call["error"]["message"])
        if call["error"]["code"] == "UNIMPLEMENTED" and missing:
            return f"no rule for {missing[1]}", ""
        return "fails", str(call)
    found = call["outputs"][len(call["outputs"]) - len(claimed):]
    if [one["shape"] for one in found] != [one["shape"] for one in claimed]:
        return "wrong", f"expected shapes as of {found} but got {claimed}"
    pairs = [pair for tape, other in zip(found, claimed)
             for pair in zip(numbers(tape), numbers(other))]
    if not all(math.isfinite(number) for pair in pairs for number in pair):
        return "not finite", ""
    largest = max((abs(tape) for tape, _ in pairs), default=0)
    if any(abs(tape - other) > TOLERANCE * (1 + largest) for tape, other in pairs):
        return "wrong", f"expected {[tape for tape, _ in pairs]} but got {[other for _, other in pairs]}"
    return "right", ""
