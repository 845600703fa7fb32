// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that go on with a sum: chains that begin with its elements.
#include "runtime/base/pieces.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/matmul_kept.h"
#include "runtime/kernels/matmul_shape.h"

namespace sluice::rt {
namespace {

template <typename T> HeldMatrix<T> viewOf(const Tensor &matrix, bool transposed) {
  const HeldMatrix<T> held{{matrix.data<T>(), matrix.dim(1), 1}, matrix.buffer()};
  return transposed ? held.transposed() : held;
}

// The result may be the memory of any operand of its shape.
template <typename T> Status run(KernelCall &call) {
  attributes::nd::MatmulOnto attributes(call);
  const Tensor &sum = call.input(0), &a = call.input(1), &b = call.input(2);
  Tensor &out = call.output(0);
  MatrixDims left(a.shape(), attributes.transposeLhs()),
      right(b.shape(), attributes.transposeRhs());
  if (left.columns != right.rows || !(out.shape() == Shape{left.rows, right.columns}))
    return invalidArgument("expected matrices that fit but got shapes " + a.shape().toString() +
                           " and " + b.shape().toString() + ", and a sum of the shape " +
                           sum.shape().toString());
  if (out.elements() == 0)
    return okStatus();
  Tensor apart;
  if (out.raw() == a.raw() || out.raw() == b.raw()) {
    SLUICE_ASSIGN_OR_RETURN(apart, Tensor::allocate(out.dtype(), out.shape()));
  }
  Tensor &to = apart.valid() ? apart : out;
  if (to.raw() != sum.raw())
    copyInPieces(to.raw(), sum.raw(), sum.bytes());
  multiplyKeeping<T>({left.rows, right.columns, left.columns},
                     viewOf<T>(a, attributes.transposeLhs()),
                     viewOf<T>(b, attributes.transposeRhs()), to.data<T>(), right.columns,
                     /*accumulate=*/true);
  if (apart.valid())
    copyInPieces(out.raw(), apart.raw(), out.bytes());
  return okStatus();
}

template <typename T> constexpr Kernel nd_matmul_onto_kernel() {
  return {matmulOntoShapeRule, run<T>, Kernel::kInPlace, nullptr, matmulOntoWork};
}

} // namespace

SLUICE_DEFINE_KERNELS(nd_matmul_onto, LONG_FLOAT)

} // namespace sluice::rt
