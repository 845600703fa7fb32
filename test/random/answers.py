# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run has answered, and how two runs differ. A NaN is a NaN, whatever its sign and payload."""

import base64
import json
import math
import struct
from dataclasses import dataclass

FLOATS = {"float32": "f", "float64": "d"}


@dataclass
class Answers:
    calls: list  # an object a call, as --calls has printed it
    trouble: str = ""  # other than failed calls: "hang", "signal 11", "exit code 1", …
    message: str = ""


def abnormal(code, err, who):
    if code is None:
        return Answers([], f"{who}: hang")
    return Answers([], f"{who}: signal {-code}" if code < 0 else f"{who}: exit code {code}", err)


def read(code, out, err):
    if code not in (0, 1) or not out.strip():
        return abnormal(code, err, "run")
    try:
        return Answers([json.loads(line) for line in out.splitlines()
                        if not line.startswith("trace digest:")])
    except ValueError:
        return Answers([], "run: malformed answer", out[-2000:])


def difference(expected, got):
    """How two runs differ, or ""."""
    if got.trouble:
        return got.trouble
    for number, (one, other) in enumerate(zip(expected.calls, got.calls), 1):
        if ("error" in one) != ("error" in other):
            return (f"call fails with {other['error']['code']}" if "error" in other
                    else "call does not fail")
        if "error" in one:
            if one["error"]["code"] != other["error"]["code"]:
                return f"error code {other['error']['code']} for {one['error']['code']}"
            continue  # its state is not compared: what has happened depends on the schedule
        for member in ("outputs", "leftover_tokens", "state"):
            if comparable(one.get(member)) != comparable(other.get(member)):
                return f"{member} differ"
    return "" if len(expected.calls) == len(got.calls) else "number of answers differs"


def comparable(member):
    """With the bits of each element, but all NaN alike."""
    if isinstance(member, list):
        return [comparable(each) for each in member]
    if not isinstance(member, dict):
        return member
    if member.get("dtype") not in FLOATS:
        return {key: comparable(value) for key, value in member.items()}
    form = "<" + FLOATS[member["dtype"]]
    raw, size = base64.b64decode(member["b64"]), struct.calcsize(form)
    elements = [raw[start:start + size] for start in range(0, len(raw), size)]
    return member["dtype"], member["shape"], [
        "nan" if math.isnan(struct.unpack(form, element)[0]) else element for element in elements]
