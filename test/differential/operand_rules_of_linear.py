# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What linear algebra, Fourier transforms, quantization and random numbers ask of their operands.

The rules are those of `operand_rules.py`, which has the others.
"""

import operands


def sizes(d, count, least=1):
    return [0 if d.chance(0.04) else d.rng.randint(least, 4) for _ in range(count)]


def leading(d):
    return sizes(d, d.rng.randint(0, 2))


# ---- Matrices


def square(d):
    rows, = sizes(d, 1)
    columns = rows + 1 if d.chance(0.03) else rows
    return [d.tensor("T", [*leading(d), rows, columns])]


def oblong(d):
    return [d.tensor("T", [*leading(d), *sizes(d, 2)] if d.chance(0.97) else d.dims(0, 1))]


def equations(d):
    """Of triangular ones the dims before the matrices broadcast."""
    rows, columns = sizes(d, 2)
    batch = leading(d)
    other = batch
    if d.signature.name == "MatrixTriangularSolve" and d.chance(0.5):
        other = operands.compressed(d.rng, batch)
    return [d.tensor("T", [*batch, rows, rows]),
            d.tensor("T", [*other, rows + 1 if d.chance(0.03) else rows, columns])]


# ---- Fourier transforms


def dims_of(d):
    """How many dims an op transforms: the digit in its name."""
    return next((int(each) for each in d.signature.name if each.isdigit()), 1)


def lines(d, count):
    """Sizes of several kinds: with small factors, and prime ones."""
    found = [d.rng.choice([1, 2, 3, 4, 5, 6, 8, 17]) for _ in range(count)]
    return [0] + found[1:] if d.chance(0.03) else found


def transform(d):
    return [d.tensor("Tcomplex", [*leading(d), *lines(d, dims_of(d))])]


def real_transform(d):
    precision = d.rng.choice([("float", "complex64"), ("double", "complex128")])
    d.set("Treal", "type", precision[0])
    d.set("Tcomplex", "type", precision[1])
    inverse, length = d.signature.name.startswith("I"), lines(d, dims_of(d))
    given = [size + d.rng.randint(0, 1) for size in length]
    if inverse:
        given[-1] = length[-1] // 2 + 1 + d.rng.randint(0, 1)
    if d.chance(0.03):
        length[0] = given[0] + 9
    return [d.tensor("Tcomplex" if inverse else "Treal", [*leading(d), *given]),
            d.ints("int32", length)]


# ---- Random numbers


def limits(d, name):
    low = d.rng.randint(0, 100)
    return [d.ints(name, [low], []), d.ints(name, [low - 1 if d.chance(0.05) else low + 77], [])]


def seeds(d):
    return d.ints("Tseed", [d.rng.randint(0, 100) for _ in range(3 if d.chance(0.03) else 2)])


def seeded(d):
    found = [d.ints("T", d.dims()), seeds(d)]
    return found + (limits(d, "dtype") if len(d.signature.inputs) > 2 else [])


def keyed(d):
    found = [d.ints("Tshape", d.dims()), d.ints("uint64", [d.rng.getrandbits(64)]),
             d.ints("uint64", [d.rng.getrandbits(64), d.rng.getrandbits(64)]),
             d.ints("int32", [d.rng.choice([1, 1, 1, 3])], [])]
    return found + (limits(d, "dtype") if len(d.signature.inputs) > 4 else [])


def keys(d):
    return [d.ints("uint64", [d.rng.getrandbits(64)]),
            d.ints("uint64", [d.rng.getrandbits(64), d.rng.getrandbits(64)]),
            d.ints("int32", [d.rng.choice([1, 1, 1, 3])], [])]


def chosen(d):
    """Numbers of classes for each row of logits."""
    rows = d.dims(2, 2)
    return [d.tensor("T", [rows[0], max(1, rows[1])]), d.ints("int32", [d.rng.randint(0, 5)], []),
            seeds(d)]


def shuffled(d):
    """An index and a limit, of one number or of many."""
    size, limit = d.rng.randint(1, 4), d.rng.choice([0, 1, 5, 1000, 65536, 10**9])
    many = [d.chance(0.5) for _ in range(3)]

    def numbers(is_many, high):
        return d.ints("dtype", [d.rng.randint(0, high) for _ in range(size if is_many else 1)],
                      [size] if is_many else [])

    seed = d.ints("Tseed", [d.rng.getrandbits(31) for _ in range(3 * (size if many[1] else 1))],
                  [size, 3] if many[1] else [3])
    index, highest = numbers(many[0], limit), [limit] * (size if many[2] else 1)
    return [index, seed, d.ints("dtype", highest, [size] if many[2] else [])]


def bounded(d):
    """Means, deviations and bounds, of which one may be wrong."""
    columns = d.rng.randint(1, 4)

    def numbers(low, high):
        dims = [columns] if d.chance(0.7) else []
        return d.ints("dtype", [d.rng.uniform(low, high) for _ in range(columns if dims else 1)],
                      dims)

    bounds = [numbers(-3, 1), numbers(2, 4)]
    shape = d.ints("S", [d.rng.randint(0, 4), columns])
    return [shape, seeds(d), numbers(-1, 1), numbers(1, 2),
            *(bounds[::-1] if d.chance(0.05) else bounds)]


def distributed(*names):
    """Distributions, and a shape that ends with their dims."""
    def rule(d):
        dims = d.dims(0, 2)
        whole = [d.rng.randint(0, 4) for _ in range(d.rng.randint(0, 2))] + dims
        if d.chance(0.05):
            whole.append(3)
        keyed = d.signature.name.endswith("V3")
        shape = d.ints("shape_dtype" if keyed else "S" if "S" in d.signature.attrs else "T", whole)
        return [shape, *(keys(d) if keyed else [seeds(d)]), *(d.tensor(name, dims)
                                                              for name in names)]
    return rule


# ---- Quantization


def scaled(d):
    """A range of all elements, or one for each place of an axis."""
    x = d.dims(1, 3)
    axis = d.rng.randint(-1, len(x) - 1)
    d.set("axis", "int", axis)
    d.set("num_bits", "int", d.rng.randint(2, 12))
    bounds = [x[axis]] if axis >= 0 else []
    count = 2 if d.signature.name.endswith("Grad") else 1
    found = [d.tensor("T", x) for _ in range(count)]
    found += [d.tensor("T", bounds) for _ in range(2)]
    if d.signature.name.endswith("V3"):
        d.attrs.pop("num_bits", None)
        found.append(d.ints("int32", [d.rng.randint(2, 12)], []))
    elif count == 2:
        d.attrs.pop("num_bits", None)
    return found


def fake(d):
    """Gradients have an operand before the others."""
    name = d.signature.name
    d.set("num_bits", "int", d.rng.randint(2, 16))
    x = d.dims(1, 3)
    found = [d.tensor("float", x) for _ in range(2 if name.endswith("Gradient") else 1)]
    if "Vars" in name:
        bounds = [x[-1]] if "PerChannel" in name else []
        found += [d.tensor("float", bounds) for _ in range(2)]
    return found


KINDS = ["RandomUniform", "RandomNormal", "TruncatedNormal", "RandomUniformInt",
         "RandomUniformFullInt"]

RULES = {
    **dict.fromkeys(["Cholesky", "MatrixInverse", "MatrixDeterminant", "LogMatrixDeterminant",
                     "SelfAdjointEigV2"], square),
    "Qr": oblong, "Svd": oblong, "MatrixSolve": equations, "MatrixTriangularSolve": equations,
    **dict.fromkeys([f"{kind}FFT{dims}" for kind in ("", "I") for dims in ("", "2D", "3D")],
                    transform),
    **dict.fromkeys([f"{kind}FFT{dims}" for kind in ("R", "IR") for dims in ("", "2D", "3D")],
                    real_transform),
    **{f"QuantizeAndDequantize{kind}": scaled for kind in ("V2", "V3", "V4", "V4Grad")},
    **{f"FakeQuantWithMinMax{kind}": fake for kind in (
        "Args", "ArgsGradient", "Vars", "VarsGradient", "VarsPerChannel",
        "VarsPerChannelGradient")},
    **{f"Stateless{kind}": seeded for kind in KINDS},
    **{f"Stateless{kind}V2": keyed for kind in KINDS},
    "StatelessShuffle": lambda d: [d.tensor("T", d.dims()), *keys(d)],
    "StatelessMultinomial": chosen, "StatelessParameterizedTruncatedNormal": bounded,
    "RandomIndexShuffle": shuffled,
    **dict.fromkeys(["StatelessRandomGammaV2", "StatelessRandomGammaV3"], distributed("dtype")),
    "StatelessRandomPoisson": distributed("Rtype"),
    "StatelessRandomBinomial": distributed("T", "T"),
    "StatelessRandomGetKeyCounter": lambda d: [seeds(d)],
    "StatelessRandomGetKeyCounterAlg": lambda d: [seeds(d)],
}
