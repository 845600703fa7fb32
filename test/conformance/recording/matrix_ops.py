# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of linear algebra, Fourier transforms and random numbers that follow from seeds."""

from scenario import of, operands, scalar, vector

import graphs  # isort: skip


def encoded(attrs):
    return {name: graphs.attr_value(*value) for name, value in attrs.items()}


def outputs(s, count):
    s.step([f"{s.name}:{i}" for i in range(count)])


# ---- Matrices

# Far from singular, and not symmetric; with the transposed added, positive definite.
ENTRIES = [4, 1, -1, 0.5, 5, 2, -2, 1, 6, 7, -1, 2, 1, 4, 0.5, 3, -2, 5]
IMAGINARY = [0, 1, 0.5, -1, 0, 0.25, 2, -0.5, 0, 0, -1, 1, 0.75, 0, -2, 0.5, 1, 0]


def numbers(dtype, values, imaginary):
    if dtype in operands.COMPLEX:
        return [complex(*parts) for parts in zip(values, imaginary)]
    return values


def matrices(dtype, dims=(2, 3, 3)):
    count = dims[0] * dims[1] * dims[2]
    return of(dtype, dims, numbers(dtype, ENTRIES[:count], IMAGINARY[:count]))


def self_adjoint(dtype):
    """With other elements above the diagonal, which do not count."""
    found = list(numbers(dtype, ENTRIES, IMAGINARY))
    for at in (0, 9):
        for row in range(3):
            found[at + 4 * row] = found[at + 4 * row] + 6
            for column in range(row + 1, 3):
                found[at + 3 * row + column] = 99
    return of(dtype, [2, 3, 3], found)


def right_sides(dtype, dims=(2, 3, 2)):
    count = dims[0] * dims[1] * dims[2]
    return of(dtype, dims, numbers(dtype, ENTRIES[3:3 + count], IMAGINARY[2:2 + count]))


def of_matrices(make, results=1):
    def build(s, attrs):
        s.node("", s.op, s.feed("x", make(attrs["T"][1])), **encoded(attrs))
        outputs(s, results)
    return build


def of_shape(*dims):
    return lambda dtype: matrices(dtype, dims)


def equations(s, attrs):
    a, b = s.feed("a", matrices(attrs["T"][1])), s.feed("b", right_sides(attrs["T"][1]))
    s.step([s.node("", s.op, a, b, **encoded(attrs))])


def broadcast_equations(s, attrs):
    """One matrix for all right sides."""
    a = s.feed("a", of(attrs["T"][1], [3, 3], numbers(attrs["T"][1], ENTRIES[:9], IMAGINARY[:9])))
    b = s.feed("b", right_sides(attrs["T"][1]))
    s.step([s.node("", s.op, a, b, **encoded(attrs))])


def singular_values(s, attrs):
    """Of more columns than rows. Without vectors there are only values."""
    s.node("", s.op, s.feed("x", matrices(attrs["T"][1], (2, 2, 3))), **encoded(attrs))
    outputs(s, 3 if attrs["compute_uv"][1] else 1)


def eigenvalues(s, attrs):
    s.node("", s.op, s.feed("x", self_adjoint(attrs["T"][1])), **encoded(attrs))
    outputs(s, 2 if attrs["compute_v"][1] else 1)


def values_of_any(s, attrs):
    """Of what is not symmetric, as complex numbers of the same width."""
    wide = {"double": "complex128", "complex128": "complex128"}
    attrs = {**attrs, "Tout": ("type", wide.get(attrs["T"][1], "complex64"))}
    s.node("", s.op, s.feed("x", matrices(attrs["T"][1])), **encoded(attrs))
    outputs(s, 2 if attrs["compute_v"][1] else 1)


def diagonals(s, attrs):
    """The rows that are solved for, or multiplied, are those of right sides."""
    dtype = attrs["T"][1]
    if s.op == "TridiagonalSolve":
        inputs = [s.feed("diagonals", matrices(dtype))]
    else:
        inputs = [s.feed(name, matrices(dtype, (2, 1, 3))) for name in ("above", "main", "below")]
    s.step([s.node("", s.op, *inputs, s.feed("rhs", right_sides(dtype)), **encoded(attrs))])


def banded(s, attrs):
    bands = s.feed("bands", matrices(attrs["T"][1], (2, 2, 3)))
    s.step([s.node("", s.op, bands, s.feed("rhs", right_sides(attrs["T"][1])), **encoded(attrs))])


def through_decomposition(s, attrs):
    """Above the diagonal there are other elements, which do not count."""
    l, grad = (s.feed(name, matrices(attrs["T"][1])) for name in ("l", "grad"))
    s.step([s.node("", s.op, l, grad, **encoded(attrs))])


def least_squares(s, attrs):
    """Of more rows than columns, and with a weight that shows."""
    inputs = [s.feed("a", matrices(attrs["T"][1], (2, 3, 2))),
              s.feed("b", right_sides(attrs["T"][1])), s.feed("weight", scalar("double", 0.75))]
    s.step([s.node("", s.op, *inputs, **encoded(attrs))])


# ---- Fourier transforms

SIGNAL = [0.5, -1.25, 2, 3.5, -0.75, 1, 4, -2.5, 0.25, 1.75, -3, 2.25]


def signal(dtype, dims):
    count = 1
    for dim in dims:
        count *= dim
    real = [SIGNAL[(5 * i + i // 12) % 12] for i in range(count)]
    return of(dtype, dims, numbers(dtype, real, real[1:] + real[:1]))


SIZES = (3, 4, 5)


def transform(dims):
    def build(s, attrs):
        x = s.feed("x", signal(attrs["Tcomplex"][1], [2, *SIZES[:dims]]))
        s.step([s.node("", s.op, x, **encoded(attrs))])
    return build


REAL_OF = {"complex64": "float", "complex128": "double"}


def real_transform(dims, inverse):
    """Both types are those that are asked for. The first dim is cut."""
    def build(s, attrs):
        types = {"Treal": attrs["Treal"][1], "Tcomplex": attrs["Tcomplex"][1]}
        if "double" in types.values() or "complex128" in types.values():
            types = {"Treal": "double", "Tcomplex": "complex128"}
        sizes = list(SIZES[:dims])
        x = s.feed("x", signal(types["Tcomplex" if inverse else "Treal"],
                               [2, sizes[0] + 1, *sizes[1:]]))
        length = s.feed("length", vector("int32", sizes))
        types = {name: ("type", dtype) for name, dtype in types.items()}
        s.step([s.node("", s.op, x, length, **encoded({**attrs, **types}))])
    return build


# ---- Random numbers


def seeded(s, attrs):
    """By two seeds, of which the second counts as well."""
    shape = s.feed("shape", vector(attrs["T"][1], [3, 7]))
    inputs = [shape, s.feed("seed", vector(attrs["Tseed"][1], [5, 9]))]
    drawn(s, attrs, inputs)


def keyed(s, attrs):
    inputs = [s.feed("shape", vector(attrs["Tshape"][1], [3, 7])),
              s.feed("key", vector("uint64", [2**63 + 12345])),
              s.feed("counter", vector("uint64", [2**64 - 2, 7])),
              s.feed("alg", scalar("int32", 1))]
    drawn(s, attrs, inputs)


def drawn(s, attrs, inputs):
    if "UniformInt" in s.op:
        inputs += [s.feed(f"bound{i}", scalar(attrs["dtype"][1], bound))
                   for i, bound in enumerate((3, 1000))]
    s.step([s.node("", s.op, *inputs, **encoded(attrs))])


def key(s, attrs):
    s.node("", s.op, s.feed("seed", vector(attrs["Tseed"][1], [5, 9])), **encoded(attrs))
    outputs(s, 3 if s.op.endswith("Alg") else 2)


def algorithm(s, attrs):
    s.step([s.node("", s.op, **encoded(attrs))])


def going_on(s, attrs):
    """Streams of their own: what is recorded is that there are such numbers."""
    s.is_random = True
    inputs = [s.feed("shape", vector(attrs["T"][1], [2, 3]))]
    if s.op == "RandomUniformInt":
        inputs += [s.feed(f"bound{i}", scalar(attrs["Tout"][1], bound))
                   for i, bound in enumerate((3, 1000))]
    s.step([s.node("", s.op, *inputs, **encoded(attrs))])


DRAWN = ["RandomUniform", "RandomNormal", "TruncatedNormal", "RandomUniformInt",
         "RandomUniformFullInt"]

BUILDERS = {
    "Cholesky": of_matrices(self_adjoint),
    **dict.fromkeys(["MatrixInverse", "MatrixDeterminant"], of_matrices(matrices)),
    "LogMatrixDeterminant": of_matrices(matrices, 2),
    "MatrixSolve": equations, "MatrixTriangularSolve": broadcast_equations,
    "Qr": of_matrices(of_shape(2, 3, 2), 2), "Svd": singular_values,
    "SelfAdjointEigV2": eigenvalues, "Eig": values_of_any, "Lu": of_matrices(matrices, 2),
    **dict.fromkeys(["MatrixSquareRoot", "MatrixExponential", "MatrixLogarithm"],
                    of_matrices(matrices)),
    **dict.fromkeys(["TridiagonalSolve", "TridiagonalMatMul"], diagonals),
    "MatrixSolveLs": least_squares, "BandedTriangularSolve": banded,
    "CholeskyGrad": through_decomposition,
    **{f"{kind}FFT{dims}D" if dims > 1 else f"{kind}FFT": transform(dims)
       for kind in ("", "I") for dims in (1, 2, 3)},
    **{f"{kind}FFT{dims}D" if dims > 1 else f"{kind}FFT": real_transform(dims, kind == "IR")
       for kind in ("R", "IR") for dims in (1, 2, 3)},
    **{f"Stateless{name}": seeded for name in DRAWN},
    **{f"Stateless{name}V2": keyed for name in DRAWN},
    "StatelessRandomGetKeyCounter": key, "StatelessRandomGetKeyCounterAlg": key,
    "StatelessRandomGetAlg": algorithm,
    **dict.fromkeys(["RandomStandardNormal", "TruncatedNormal", "RandomUniformInt"], going_on),
}
