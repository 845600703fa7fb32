# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What recordings of an op must show: every element type, and every attribute at work."""

from dataclasses import dataclass

import op_signatures

# Where no other type is asked for: the first of these that an attribute allows.
PLAIN = ("float", "int32", "int64", "bool", "complex64", "string")

OTHER = "another than the default"


@dataclass(frozen=True)
class Goal:
    """A value of an attribute; with no attribute, the op itself."""
    attr: str
    value: object

    def __str__(self):
        return f"{self.attr}={self.value}" if self.attr else "any"


def element_types(attr):
    """The types of `type` and `list(type)` attributes that Sluice has at all."""
    allowed = attr.allowed or sorted(op_signatures.COMPUTED)
    return [*allowed, *(["string"] if attr.takes_strings else [])]


def goals(signature, reads):
    """`reads`: the attributes that the importer reads."""
    found = []
    for name, attr in signature.attrs.items():
        if attr.kind in ("type", "list(type)"):
            found += [Goal(name, dtype) for dtype in element_types(attr)]
        elif name not in reads:
            continue
        elif attr.kind == "bool":
            found += [Goal(name, value) for value in (False, True)]
        elif attr.kind == "string" and attr.allowed:
            found += [Goal(name, value) for value in attr.allowed]
        elif attr.kind in ("int", "float") and attr.default:
            found.append(Goal(name, OTHER))
    return found or [Goal("", None)]


def plain_type(attr):
    allowed = element_types(attr)
    return next(dtype for dtype in PLAIN if dtype in allowed)


def is_met(goal, signature, attrs):
    """Whether a node with these attributes, {name: (kind, value)}, shows it."""
    if not goal.attr:
        return True
    if goal.attr not in attrs:
        return False
    value = attrs[goal.attr][1]
    if goal.value == OTHER:
        return value != float(signature.attrs[goal.attr].default)
    return goal.value in value if isinstance(value, list) else value == goal.value
