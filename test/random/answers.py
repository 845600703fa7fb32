# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run has answered, and how two runs differ."""

import json
from dataclasses import dataclass


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


def difference(expected, got, stateful):
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
            if stateful:  # how much of it has happened depends on the schedule
                return ""
            continue
        for member in ("outputs", "leftover_tokens", "state"):
            if one.get(member) != other.get(member):
                return f"{member} differ"
    return "" if len(expected.calls) == len(got.calls) else "number of answers differs"


def errors(got):
    return [f"{call['error']['code']} at '{call['error'].get('node', '')}': "
            f"{call['error']['message']}" for call in got.calls if "error" in call]
