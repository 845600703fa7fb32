# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes 64 bits of floats of 32, in IR and in calls, so that differences can be taken."""

import base64
import re
import struct

BITS = re.compile(r"(?<![\w\"])0x([0-9A-Fa-f]{8})(?![0-9A-Fa-f])")  # of one float, as infinities have
BLOB = re.compile(r'dense<"0x([0-9A-Fa-f]*)"> : (tensor<[0-9x]*f32>)')


def wide_bits(digits):
    """Of a float as hexadecimal digits, highest first."""
    value, = struct.unpack(">f", bytes.fromhex(digits))
    return struct.pack(">d", value).hex().upper()


def wide_bytes(raw):
    values = struct.unpack(f"<{len(raw) // 4}f", raw)
    return struct.pack(f"<{len(values)}d", *values)


def wide_text(text):
    """IR without locations. Values in resources are not looked for: there may be none."""
    if "dense_resource" in text:
        raise ValueError("values lie in resources")
    text = BLOB.sub(lambda match: f'dense<"0x{wide_bytes(bytes.fromhex(match[1])).hex()}"> : {match[2]}',
                    text)
    lines = [BITS.sub(lambda match: "0x" + wide_bits(match[1]), line)
             if "f32" in line and "nd.constant" in line else line for line in text.splitlines()]
    return re.sub(r"(?<![A-Za-z_])f32\b|(?<=x)f32\b", "f64", "\n".join(lines))


def wide_tensor(member):
    if member["dtype"] != "float32":
        return member
    return {**member, "dtype": "float64",
            "b64": base64.b64encode(wide_bytes(base64.b64decode(member["b64"]))).decode()}


def wide_call(call):
    return {key: {name: wide_tensor(member) for name, member in value.items()}
            if isinstance(value, dict) else value for key, value in call.items()}
