# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ops on matrices and labelled axes ask of their operands, and those that turn a part around.

The rules are those of `operand_rules.py`, which has the others.
"""

import math

import operands


def constants(d, dtype, values, dims=None):
    """Numbers that the compiler has to know."""
    return operands.integers(d.dtype(dtype), values, dims, constant=True)


def sizes(d, count, least=1):
    return [d.rng.randint(least, 4) for _ in range(count)]


def leading(d):
    return sizes(d, d.rng.randint(0, 2))


# ---- Diagonals


def diagonal(d, size):
    """Which one, of matrices of this size, and how long it is."""
    if not d.signature.name.endswith(("V2", "V3")):
        return 0, min(size)
    k = d.rng.randint(min(1 - size[0], 0), max(size[1] - 1, 0))
    return k, min(size[0] + min(k, 0), size[1] - max(k, 0))


def several(d, size):
    """Which ones, how many, and how long the longest is."""
    low, high = sorted(d.rng.randint(min(1 - size[0], 0), max(size[1] - 1, 0)) for _ in range(2))
    if d.chance(0.03):
        high = size[1]
    longest = min(size[0] + min(high, 0), size[1] - max(low, 0))
    return [low, high], [high - low + 1] * (low != high) + [max(longest, 0)]


def matrices_of_several(d):
    size = sizes(d, 2, least=1)
    k, dims = several(d, size)
    given = [number if d.chance(0.5) else -1 for number in size]
    return [d.tensor("T", [*leading(d), *dims]), d.ints("int32", k),
            *(d.ints("int32", [number], []) for number in given), d.tensor("T", [])]


def make_matrices(d):
    if d.signature.name.endswith(("V2", "V3")) and d.chance(0.6):
        return matrices_of_several(d)
    x = d.tensor("T", [*leading(d), *sizes(d, 1, least=0)])
    if not d.signature.name.endswith(("V2", "V3")):
        return [x]
    k, no_sizes = d.rng.randint(-2, 2), [constants(d, "int32", [-1], []) for _ in range(2)]
    return [x, constants(d, "int32", [k], [] if d.chance(0.7) else [1]), *no_sizes,
            d.tensor("T", [])]


def take_diagonal(d):
    size = sizes(d, 2, least=0)
    found = [d.tensor("T", [*leading(d), *size])]
    if d.signature.name.endswith(("V2", "V3")) and d.chance(0.6):
        return [*found, d.ints("int32", several(d, size)[0]), d.tensor("T", [])]
    if d.signature.name.endswith(("V2", "V3")):
        found += [constants(d, "int32", [diagonal(d, size)[0]], []), d.tensor("T", [])]
    return found


def place_diagonal(d):
    dims, size = leading(d), sizes(d, 2, least=0)
    if len(d.signature.inputs) > 2 and d.chance(0.6):
        k, longest = several(d, size)
        return [d.tensor("T", [*dims, *size]), d.tensor("T", [*dims, *longest]),
                d.ints("int32", k)]
    k, length = diagonal(d, size)
    found = [d.tensor("T", [*dims, *size]), d.tensor("T", [*dims, length])]
    return found + ([constants(d, "int32", [k], [])] if len(d.signature.inputs) > 2 else [])


def band(d):
    size = sizes(d, 2, least=0)
    widths = [d.rng.randint(-1, each + (1 if d.chance(0.05) else 0)) for each in size]
    return [d.tensor("T", [*leading(d), *size]),
            *(d.ints("Tindex", [w], [1] if d.chance(0.03) else []) for w in widths)]


# ---- Labels

# Of one operand, and of two.
EQUATIONS = (("ab->ba", "abc->b", "ab->", "...a->a...", "ab->ab", "a...b->...b",
              "aba->b", "ab->aba", "a...a->...a", "->..."),
             ("ab,bc->ac", "ab,cb->ca", "abc,acd->abd", "ab,ab->ab", "ab,ab->", "a,b->ab",
              "abc,cde->abde", "aecd,abcd->acbe", "acbe,aecd->abcd", "abcd,cde->abe",
              "abx,bc->ac", "...ab,bc->...ac", "...ab,...bc->...ac", "ab,...b->...a",
              "aab,bc->ac", "a,ab->aab", "aa,aab->baa", ",a->a"))


def labelled(d):
    count = d.rng.randint(1, 2)
    d.set("N", "int", count)
    equation = d.rng.choice(EQUATIONS[count - 1])
    d.set("equation", "string", equation)
    more, known, found = leading(d), {}, []
    for labels in equation.split("->")[0].split(","):
        if known and d.chance(0.1):  # another size for one of them, which is an error
            known[d.rng.choice(list(known))] = 1
        dims, rest = [], labels.replace("...", ".")
        for label in rest:
            dims += more if label == "." else [known.setdefault(label, d.rng.randint(1, 4))]
        found.append(d.tensor("T", dims))
    return found


# ---- Parts that are turned around


def reversed_parts(d):
    dims = sizes(d, d.rng.randint(2, 4))
    batch, along = d.rng.sample(range(len(dims)), 2)
    d.set("batch_dim", "int", batch)
    d.set("seq_dim", "int", along)
    lengths = [d.rng.randint(-1 if d.chance(0.02) else 0, dims[along] + (1 if d.chance(0.02) else 0))
               for _ in range(dims[batch])]
    return [d.tensor("T", dims), d.ints("Tlen", lengths)]


def rolled(d):
    dims = d.dims(1)
    count = d.rng.randint(1, 2)
    axes = [d.valid_axis(len(dims)) for _ in range(count)]
    shifts = [-2**31 if d.chance(0.05) else d.rng.randint(-5, 5) for _ in range(count)]
    scalar = [] if count == 1 and d.chance(0.5) else None
    return [d.tensor("T", dims), d.ints("Tshift", shifts, scalar),
            constants(d, "Taxis", axes, scalar)]


def ensured(d):
    """A shape that fits, but for a few."""
    dims = d.dims(0, 3)
    wanted = [-1 if d.chance(0.4) else size for size in dims]
    if dims and d.chance(0.1):
        wanted[0] = dims[0] + 1
    d.set("shape", "shape", wanted)
    return [d.tensor("T", dims)]


def sizeable(d, rows):
    """Matrices that are mostly their diagonal: what is solved or taken roots of is far from zero."""
    batch, dtype = leading(d), d.dtype("T")
    count, size = 1, rows * rows
    for each in batch:
        count *= each
    values = [d.rng.uniform(-1, 1) + (4 + 3 * (at % size // rows) if at % size % (rows + 1) == 0
                                      else 0) for at in range(count * size)]
    return operands.Operand(dtype, [*batch, rows, rows], operands.pack(dtype, values))


def of_square(d):
    if d.chance(0.05):
        return [d.tensor("T", [*leading(d), 2, 3])]
    return [sizeable(d, d.rng.randint(0, 4))]


def eigenvalues(d):
    d.set("Tout", "type", "complex128" if d.dtype("T") in ("double", "complex128") else "complex64")
    return of_square(d)


def rows_and_right_side(d, size):
    batch = leading(d)
    return [d.tensor("T", [*batch, 3, size]),
            d.tensor("T", [*batch, size + d.chance(0.03), *sizes(d, 1)])]


def tridiagonal(d):
    return rows_and_right_side(d, sizes(d, 1)[0])


def tridiagonal_product(d):
    batch, size = leading(d), d.rng.randint(1, 4)
    return [*(d.tensor("T", [*batch, 1, size]) for _ in range(3)),
            d.tensor("T", [*batch, size, *sizes(d, 1)])]


def least_squares(d):
    batch = leading(d)
    rows, columns, sides = sizes(d, 3)
    weight = operands.Operand("double", [], operands.pack("double", [d.rng.choice([0.5, 2])]))
    return [d.tensor("T", [*batch, rows, columns]), d.tensor("T", [*batch, rows, sides]), weight]


def banded(d):
    """The main diagonals are far from zero."""
    batch, (bands, sides) = leading(d), sizes(d, 2)
    columns = max(1, bands + d.rng.randint(-1, 2))
    return [operands.Operand(d.dtype("T"), [*batch, bands, columns], operands.pack(
                d.dtype("T"), [d.rng.uniform(2, 4) for _ in range(math.prod(batch) * bands * columns)])),
            d.tensor("T", [*batch, columns, sides])]


def through_decomposition(d):
    l = sizeable(d, d.rng.randint(0, 4))
    return [l, d.tensor("T", l.dims)]


RULES = {
    **dict.fromkeys(["MatrixDiag", "MatrixDiagV2", "MatrixDiagV3"], make_matrices),
    **dict.fromkeys(["MatrixDiagPart", "MatrixDiagPartV2", "MatrixDiagPartV3"], take_diagonal),
    **dict.fromkeys(["MatrixSetDiag", "MatrixSetDiagV2", "MatrixSetDiagV3"], place_diagonal),
    "MatrixBandPart": band,
    "Einsum": labelled,
    "ReverseSequence": reversed_parts,
    "Roll": rolled,
    "EnsureShape": ensured,
    **dict.fromkeys(["Lu", "MatrixSquareRoot", "MatrixExponential", "MatrixLogarithm"], of_square),
    "Eig": eigenvalues, "TridiagonalSolve": tridiagonal, "TridiagonalMatMul": tridiagonal_product,
    "MatrixSolveLs": least_squares, "BandedTriangularSolve": banded,
    "CholeskyGrad": through_decomposition,
}
