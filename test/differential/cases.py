# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a case of an op: its attributes and operands.

An op whose operands have the types of its attributes needs no line here: its operands are drawn
with one shape, or with shapes that broadcast. What else an op asks of operands is in
`operand_rules.py`.
"""

from dataclasses import dataclass, field

import operand_rules
import operands

# Ops that compute nothing from tensors: what they do is the executor's or a variable's doing.
NOT_KERNELS = {
    "tokens are steered": ["Const", "ControlTrigger", "Enter", "Exit", "LoopCond", "Merge",
                           "NextIteration", "NoOp", "Placeholder", "PlaceholderV2",
                           "PlaceholderWithDefault", "Switch"],
    "an effect": ["Assert", "Print"],
    "another value in every call": ["LogUniformCandidateSampler", "Multinomial",
                                    "NonDeterministicInts", "ParameterizedTruncatedNormal",
                                    "RandomGamma",
                                    "RandomPoissonV2", "RandomShuffle", "RandomStandardNormal",
                                    "RandomUniform", "RandomUniformInt", "TruncatedNormal",
                                    "UniformCandidateSampler"],
    "a constant": ["StatelessRandomGetAlg"],
    "features that are mostly strings": ["SparseCross", "SparseCrossHashed"],
    # Recorded graphs and random programs have them.
    "functions are called": [
        "Case", "DeviceIndex", "FakeParam", "For", "If", "PartitionedCall", "RemoteCall",
        "StatefulPartitionedCall", "StatelessCase", "StatelessIf", "StatelessWhile",
        "SymbolicGradient", "ToBool", "While", "_Arg", "_ArrayToList", "_ListToArray", "_Retval",
        "_SwitchN"],
}


UNKNOWN_RANK = "rank"


def is_about_state(signature):
    """Handles, references and variants: variables, arrays, stacks, lists and optionals; and what
    all ops of a name share, though they have no handle to it: staging areas."""
    if "shared_name" in signature.attrs:
        return True
    def is_text(dtype):
        return dtype in signature.attrs and signature.attrs[dtype].allowed == ["string"]

    return any(arg.is_ref or arg.dtype in ("resource", "string", "variant") or is_text(arg.dtype)
               for arg in signature.inputs + signature.outputs)


def reason_for_none(signature):
    """Why there are no cases of the op, or None if there should be some."""
    if any(attr.kind == "quantizedtype" for attr in signature.attrs.values()):
        return "quantized numbers"
    if is_about_state(signature):
        return "variables, arrays, stacks, lists, optionals and staging areas"
    if signature.deprecated:
        return "of old graphs only; a newer op has the same kernel"
    return next((why for why, ops in NOT_KERNELS.items() if signature.name in ops), None)


@dataclass
class Case:
    name: str
    op: str
    inputs: list
    attrs: dict  # name: (kind, value)
    outputs: list  # dtypes
    # Operand → axes whose sizes the compiler does not know, or UNKNOWN_RANK.
    unknown: dict = field(default_factory=dict)
    made_of: dict = field(default_factory=dict)  # operand → (kind of view, what is fed for it)
    same_as: dict = field(default_factory=dict)  # operand → an earlier one that is the same value
    sharing: tuple = ()  # operands that are parts of one tensor that is fed
    family: str = ""  # of the op, and what the case is drawn for, if not at random (clauses.py)
    clause: str = ""

    @property
    def is_view(self):
        return bool(self.made_of or self.sharing)

    def forget_sizes(self, chosen=None):
        """Of all operands, or of some: the compiler is not told them."""
        for i, operand in enumerate(self.inputs):
            if operand.dims and not operand.constant and (chosen is None or i in chosen):
                self.unknown[i] = tuple(range(len(operand.dims)))


class Draw:
    """One case in the making; attributes in `wanted` are not drawn, and with `numbers`, which draws
    an operand, all data is fed."""

    def __init__(self, signature, rng, wanted=None, numbers=None):
        self.signature, self.rng, self.attrs, self.wanted = signature, rng, {}, wanted or {}
        self.wild, self.numbers = not numbers and rng.random() < 0.5, numbers
        # The probability that an operand that is data is a constant.
        self.constant = 0 if numbers else 1 if rng.random() < 0.08 else 0.05
        for name, attr in signature.attrs.items():
            if attr.kind not in ("int", "float") or attr.default:  # else the rule sets it
                self.draw_attr(name, attr)

    def draw_attr(self, name, attr):
        if name in self.wanted:
            self.attrs[name] = self.wanted[name]
        elif attr.kind == "type":
            often = [dtype for dtype in attr.allowed if dtype in operands.COMPILED]
            self.attrs[name] = ("type", self.rng.choice(
                often if often and self.chance(0.5) else attr.allowed))
        elif attr.kind == "bool":
            self.attrs[name] = ("bool", self.rng.random() < 0.5)
        elif attr.kind == "float":
            self.attrs[name] = ("float", float(attr.default))
        elif attr.kind == "string" and attr.allowed:
            self.attrs[name] = ("string", self.rng.choice(attr.allowed))
        elif attr.kind == "string":
            self.attrs[name] = ("string", "")
        elif attr.kind == "shape" and not attr.default:
            self.attrs[name] = ("shape", None)

    def chance(self, probability):
        return self.rng.random() < probability

    def set(self, name, kind, value):
        self.attrs[name] = (kind, value)

    def dtype(self, name):
        return self.attrs[name][1] if name in self.attrs else name

    def dims(self, least=0, most=4):
        return operands.draw_dims(self.rng, least, most)

    def sizes(self, count):
        """Of single axes, with more small ones than dims have."""
        return [self.rng.choice([1, 2, 3, 8, 17, 0] if self.chance(0.1) else [1, 2, 3, 8, 17])
                for _ in range(count)]

    def tensor(self, dtype, dims, wild=None):
        if self.numbers:
            return self.numbers(self.rng, self.dtype(dtype), dims)
        return operands.draw_tensor(self.rng, self.dtype(dtype), dims,
                                    self.wild if wild is None else wild,
                                    constant=self.chance(self.constant))

    def ints(self, dtype, values, dims=None):
        """Numbers such as axes; mostly constants, since the compiler looks at those."""
        return operands.integers(self.dtype(dtype), values, dims, constant=self.chance(0.75))

    def axis(self, rank):
        """An axis; negative ones count from the end, and a few are out of range."""
        if not rank or self.chance(0.02):
            return self.rng.choice([rank, -rank - 1])
        return self.rng.randint(-rank, rank - 1)

    def valid_axis(self, rank):
        return self.rng.randint(-rank, rank - 1)

    def axes(self, rank):
        """Some of the axes, in any order."""
        axes = self.rng.sample(range(rank), self.rng.randint(0, rank))
        return [axis - rank if self.chance(0.3) else axis for axis in axes]

    def order(self, rank):
        """A permutation of the axes."""
        return self.rng.sample(range(rank), rank)

    def same_or_broadcast(self):
        """Operands as most ops take them."""
        dims = self.dims()
        broadcasts = self.chance(0.4)
        found = []
        for arg in self.signature.inputs:
            if arg.count:
                self.set(arg.count, "int", self.rng.randint(1, 4))
            times = self.attrs[arg.count][1] if arg.count else 1
            for _ in range(times):
                other = operands.compressed(self.rng, dims) if broadcasts and found else dims
                found.append(self.tensor(arg.dtype, other))
        return found


def output_dtypes(signature, attrs):
    dtypes = []
    for arg in signature.outputs:
        times = attrs[arg.count][1] if arg.count else 1
        dtype = attrs[arg.dtype][1] if arg.dtype in attrs else arg.dtype
        dtypes += dtype if isinstance(dtype, list) else [dtype] * times
    return dtypes


def is_data(signature, dtype):
    """Numbers to compute with: indices, axes and the like have integer types only."""
    return dtype == "bool" or dtype in signature.attrs and "float" in signature.attrs[dtype].allowed


def has_rule(signature):
    """Whether operands can be drawn: by a rule of the op, or since all of them are data."""
    return signature.name in operand_rules.RULES or all(
        is_data(signature, arg.dtype) for arg in signature.inputs)


def draw(signature, name, rng, wanted=None, numbers=None):
    case = made_by(Draw(signature, rng, wanted, numbers), name)
    if not numbers and rng.random() < 0.3:
        case.forget_sizes()
    return case


def made_by(maker, name):
    signature = maker.signature
    rule = operand_rules.RULES.get(signature.name)
    inputs = rule(maker) if rule else maker.same_or_broadcast()
    return Case(name, signature.name, inputs, maker.attrs,
                output_dtypes(signature, maker.attrs))
