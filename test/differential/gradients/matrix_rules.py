# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of linear algebra and of Fourier transforms."""

import math

from move_rules import squared

CONJUGATES = ["complex<f64>"]


def matrices(d, rows, columns, batch=None):
    """Far from singular ones, whose singular values and eigenvalues are far from each other."""
    batch = d.dims(0, 1) if batch is None else batch
    values = [d.rng.uniform(-1, 1) for _ in range(math.prod(batch) * rows * columns)]
    for at in range(len(values)):
        row, column = at % (rows * columns) // columns, at % columns
        if row == column:
            values[at] += 4 + 3 * row
    return d.x([*batch, rows, columns], values=values)


def size(d):
    return d.rng.choice([1, 2, 3, 2, 3, 0] if d.chance(0.1) else [1, 2, 3])


def cholesky(d):
    """Of what is symmetric in whatever direction operands change."""
    rows = size(d)
    x = matrices(d, rows, rows)
    square, = d.op("nd.matmul", [x, x], transpose_lhs=False, transpose_rhs=True,
                   adjoint_lhs=False, adjoint_rhs=False)
    squared(d, *d.op("sci.cholesky", [square]))


def inverse(d):
    rows = size(d)
    squared(d, *d.op("sci.matrix_inverse", [matrices(d, rows, rows)], adjoint=d.chance(0.5)))


def determinant(d):
    rows = size(d)
    squared(d, *d.op("sci.determinant", [matrices(d, rows, rows)]))


def log_determinant(d):
    rows = size(d)
    _, log = d.op("sci.log_determinant", [matrices(d, rows, rows)], ["f64", "f64"])
    squared(d, log)


def solve(d):
    rows, columns, batch = size(d), size(d), d.dims(0, 1)
    squared(d, *d.op("sci.matrix_solve", [matrices(d, rows, rows, batch),
                                          d.x([*batch, rows, columns])], adjoint=d.chance(0.5)))


def triangular_solve(d):
    rows, columns, batch = size(d), size(d), d.dims(0, 2)
    others = [batch, d.compressed(batch) if d.chance(0.5) else batch]
    d.rng.shuffle(others)
    squared(d, *d.op("sci.triangular_solve", [matrices(d, rows, rows, others[0]),
                                              d.x([*others[1], rows, columns])],
                     lower=d.chance(0.5), adjoint=d.chance(0.5)))


def qr(d):
    """All of Q where A determines it."""
    rows, columns = max(size(d), 1), max(size(d), 1)
    full = rows <= columns and d.chance(0.5)
    squared(d, *d.op("sci.qr", [matrices(d, rows, columns)], ["f64", "f64"], full_matrices=full))


def svd(d):
    """Signs of vectors are not differentiable, but their squares are."""
    rows, columns, vectors = max(size(d), 1), max(size(d), 1), d.chance(0.7)
    found = d.op("sci.svd", [matrices(d, rows, columns)], ["f64"] * 3, compute_uv=vectors,
                 full_matrices=rows == columns and d.chance(0.5))
    squared(d, *(found if vectors else found[:1]))


def self_adjoint_eig(d):
    rows, vectors = max(size(d), 1), d.chance(0.7)
    found = d.op("sci.self_adjoint_eig", [matrices(d, rows, rows)], ["f64"] * 2,
                 compute_v=vectors)
    squared(d, *(found if vectors else found[:1]))


def of_matrices(d):
    """Exponentials are those of small numbers."""
    rows = size(d)
    x = matrices(d, rows, rows)
    if d.chance(0.5):
        return squared(d, *d.op("sci.matrix_function", [x], function='"sqrt"'))
    x, = d.op("nd.div", [x, d.constant("f64", [8.0], [])])
    squared(d, *d.op("sci.matrix_function", [x], function='"exp"'))


def eig(d):
    """Sums over all, whose order may be another one nearby; of vectors only lengths of elements, as vectors may be
    turned in the complex plane."""
    rows, vectors = max(size(d), 1), d.chance(0.7)
    e, v = d.op("sci.eig", [matrices(d, rows, rows)], CONJUGATES * 2, compute_v=vectors)
    for each in [e, v] if vectors else [e]:
        length, = d.op("sci.magnitude", [each])
        square, = d.op("nd.mul", [length, length])
        d.y(*d.op("nd.reduce_sum", [square, d.ints([-1])], keep_dims=False))


def tridiagonal_solve(d):
    rows, columns, batch = size(d), size(d), d.dims(0, 1)
    values = [d.rng.uniform(-1, 1) + 5 * (at // rows % 3 == 1)
              for at in range(math.prod(batch) * 3 * rows)]
    squared(d, *d.op("sci.tridiagonal_solve", [d.x([*batch, 3, rows], values=values),
                                               d.x([*batch, rows, columns])],
                     pivoting=d.chance(0.5)))


def least_squares(d):
    """Whose derivative needs to know which side is the longer one."""
    rows, columns, sides, batch = size(d), size(d), size(d), d.dims(0, 1)
    d.form = "static"
    fast = d.chance(0.5)
    squared(d, *d.op("sci.least_squares", [matrices(d, rows, columns, batch),
                                           d.x([*batch, rows, sides]),
                                           d.constant("f64", [0.5 if fast else 0.0], [])],
                     fast=fast))


# ---- Fourier transforms


def spectrum(d, dims):
    """A transform of what is real, what its lengths are, and the dims of the whole."""
    sizes = [d.rng.choice([1, 2, 3, 4, 5]) for _ in range(dims)]
    given = [each + d.rng.randint(0, 1) for each in sizes]
    length = d.ints(sizes)
    x = d.x([*d.dims(0, 1), *given])
    return d.op("sci.rfft", [x, length], CONJUGATES, dims=dims)[0], length


def there_and_back(d):
    dims = d.rng.randint(1, 3)
    y, length = spectrum(d, dims)
    y, = d.op("nd.mul", [y, y], CONJUGATES)
    squared(d, *d.op("sci.irfft", [y, length], dims=dims))


def whole(d):
    dims = d.rng.randint(1, 2)
    y, length = spectrum(d, dims)
    y, = d.op("sci.fft", [y], CONJUGATES, dims=dims, inverse=d.chance(0.5))
    y, = d.op("nd.mul", [y, y], CONJUGATES)
    squared(d, *d.op("sci.irfft", [y, length], dims=dims))


RULES = {"sci.cholesky": cholesky, "sci.matrix_inverse": inverse, "sci.determinant": determinant,
         "sci.log_determinant": log_determinant, "sci.matrix_solve": solve,
         "sci.triangular_solve": triangular_solve, "sci.qr": qr, "sci.svd": svd,
         "sci.self_adjoint_eig": self_adjoint_eig, "sci.matrix_function": of_matrices, "sci.eig": eig,
         "sci.tridiagonal_solve": tridiagonal_solve, "sci.least_squares": least_squares,
         "sci.fft": whole, "sci.rfft": there_and_back,
         "sci.irfft": there_and_back}
