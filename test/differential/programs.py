# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a file of cases, calls each of them, and compares answers bit by bit."""

import base64
import json
import math
import struct
import subprocess

from operands import DTYPES, Operand, pack

DEADLINE = 600  # seconds, on a machine that does much else
INTERNAL_ERROR = 70  # how a program ends that has touched a guard page
BY_JSON = {name: (dtype, form) for dtype, (_, name, form) in DTYPES.items()}


def tensor_json(operand):
    if operand.dtype == "string":
        return {"dtype": "string", "shape": operand.dims,
                "data": [base64.b64encode(text).decode() for text in operand.data]}
    return {"dtype": DTYPES[operand.dtype][1], "shape": operand.dims,
            "b64": base64.b64encode(operand.data).decode()}


def scalar(number):
    return tensor_json(Operand("int32", [], pack("int32", [number])))


def zeros(dtype, dims):
    return tensor_json(Operand(dtype, list(dims), pack(dtype, [0] * math.prod(dims))))


def compile_command(sluicec, folder, stem, *flags):
    return [str(sluicec), str(folder / f"{stem}.pb"), f"--signatures={folder / stem}.json",
            "--diagnostics-format=json", *flags]


def refused(sluicec, folder, stem):
    """({node: message} of what the compiler refuses, the IR): the first is empty if it accepts the
    graph."""
    ir = folder / f"{stem}.mlir"
    run = subprocess.run(compile_command(sluicec, folder, stem, "--stop-after=optimize", "-o",
                                         str(ir)),
                         capture_output=True, text=True, check=False)
    errors = [json.loads(line) for line in run.stderr.splitlines() if line.startswith("{")]
    found = {e["node"]: (e["exit_code"], e["message"]) for e in errors
             if e["severity"] == "error" and "node" in e}  # the last may say how many more
    if run.returncode and not found:
        raise SystemExit(f"sluicec ended with {run.returncode}: {run.stderr[-2000:]}")
    return found, "" if run.returncode else ir.read_text()


def answers(command, requests):
    """One answer for each request; the program may fail, but must answer them all. It may end for
    an access beyond a tensor: that is the answer, and another process goes on."""
    found = []
    while True:
        text = "\n".join(json.dumps(request) for request in requests[len(found):])
        run = subprocess.run([*command, "--calls=-"], input=text, capture_output=True, text=True,
                             check=False, timeout=DEADLINE)
        found += [json.loads(line) for line in run.stdout.splitlines()]
        if run.returncode == INTERNAL_ERROR and len(found) < len(requests):
            found.append({"error": {"code": "ended with 70", "message": run.stderr[-500:]}})
            if len(found) < len(requests):
                continue
        elif run.returncode not in (0, 1) or len(found) != len(requests):
            raise SystemExit(f"{command[0]} ended with {run.returncode} after {len(found)} of "
                             f"{len(requests)} answers: {run.stderr[-2000:]}")
        return found


def parts_of(tensor):
    """The numbers of a tensor as bytes; of a complex one, its parts."""
    dtype, form = BY_JSON[tensor["dtype"]]
    size = struct.calcsize("<" + form[-1])
    data = base64.b64decode(tensor["b64"])
    return dtype, form[-1], [data[i:i + size] for i in range(0, len(data), size)]


def is_nan(dtype, form, part):
    if dtype == "bfloat16":
        return struct.unpack("<f", b"\0\0" + part)[0] != struct.unpack("<f", b"\0\0" + part)[0]
    return form in "fde" and math.isnan(struct.unpack("<" + form, part)[0])


def bits(tensor):
    """What must be equal: all of it, but NaNs are alike, as a new one's sign is the CPU's choice."""
    dtype, form, parts = parts_of(tensor)
    return (tensor["dtype"], tuple(tensor["shape"]),
            tuple("nan" if is_nan(dtype, form, part) else part for part in parts))


def outcome(answer):
    if "error" in answer:
        return "error", answer["error"]["code"], answer["error"]["message"]
    return tuple(bits(tensor) for tensor in answer["outputs"])


def shown(answer):
    """A line for people."""
    if "error" in answer:
        return f"error {answer['error']['code']}: {answer['error']['message']}"
    texts = []
    for tensor in answer["outputs"]:
        dtype, form, parts = parts_of(tensor)
        pad = b"\0\0" if dtype == "bfloat16" else b""
        form = "f" if pad else form
        numbers = [struct.unpack("<" + form, pad + part)[0] for part in parts[:24]]
        more = " …" if len(parts) > 24 else ""
        texts.append(f"{tensor['dtype']}{tensor['shape']} {numbers}{more}")
    return "; ".join(texts)
