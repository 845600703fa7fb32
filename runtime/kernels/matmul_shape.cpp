// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes of matrix products.
#include "runtime/kernels/matmul_shape.h"

#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/shape_rules.h"

namespace sluice::rt {

Shape batchShape(const Shape &shape) {
  return Shape(shape.dims().first(static_cast<size_t>(shape.rank() - 2)));
}

namespace {
Status checkMatrix(const Shape &shape, int operand) {
  if (shape.hasRank() && shape.rank() < 2)
    return invalidArgument(format("In[%d] is not a matrix. Instead it has shape %s", operand,
                                  shape.toString().c_str()));
  return okStatus();
}

bool transposesLhs(const attributes::nd::Matmul &op) {
  return op.transposeLhs() || op.adjointLhs();
}
bool transposesRhs(const attributes::nd::Matmul &op) {
  return op.transposeRhs() || op.adjointRhs();
}
} // namespace

Status matmulShapeRule(ShapeCall &call) {
  const Shape &a = call.input(0), &b = call.input(1);
  SLUICE_RETURN_IF_ERROR(checkMatrix(a, 0));
  SLUICE_RETURN_IF_ERROR(checkMatrix(b, 1));
  call.output(0) = Shape::unknownRank();
  if (!a.hasRank() || !b.hasRank())
    return okStatus();
  attributes::nd::Matmul attributes(call);
  MatrixDims left(a, transposesLhs(attributes)), right(b, transposesRhs(attributes));
  if (left.columns >= 0 && right.rows >= 0 && left.columns != right.rows)
    return invalidArgument("Matrix size-incompatible: In[0]: " + a.toString() +
                           ", In[1]: " + b.toString());
  call.sizes().requireEqual(left.columns, right.rows);
  Result<Shape> result = broadcastShapes(batchShape(a), batchShape(b), call.sizes());
  if (!result.ok())
    return invalidArgument("In[0] and In[1] must have compatible batch dimensions: " +
                           a.toString() + " vs. " + b.toString());
  result->append(left.rows);
  result->append(right.columns);
  call.output(0) = std::move(*result);
  return okStatus();
}

Status matmulOntoShapeRule(ShapeCall &call) {
  const Shape &sum = call.input(0), &a = call.input(1), &b = call.input(2);
  for (const Shape *shape : {&sum, &a, &b})
    if (shape->hasRank() && shape->rank() != 2)
      return invalidArgument("expected a matrix but got shape " + shape->toString());
  attributes::nd::MatmulOnto attributes(call);
  Shape product{Shape::kUnknown, Shape::kUnknown};
  if (a.hasRank())
    product.setDim(0, MatrixDims(a, attributes.transposeLhs()).rows);
  if (b.hasRank())
    product.setDim(1, MatrixDims(b, attributes.transposeRhs()).columns);
  if (a.hasRank() && b.hasRank()) {
    int64_t left = MatrixDims(a, attributes.transposeLhs()).columns;
    int64_t right = MatrixDims(b, attributes.transposeRhs()).rows;
    if (left >= 0 && right >= 0 && left != right)
      return invalidArgument("expected inner dims of one size but got shapes " + a.toString() +
                             " and " + b.toString());
    call.sizes().requireEqual(left, right);
  }
  if (!mergeShapes(sum, product, call.output(0), call.sizes()))
    return invalidArgument("expected a sum of the shape " + product.toString() + " but got " +
                           sum.toString());
  return okStatus();
}

uint64_t matmulOntoWork(const KernelCall &call) {
  const Shape &a = call.input(1).shape();
  attributes::nd::MatmulOnto attributes(call);
  return a.rank() != 2
             ? 0
             : 2 * static_cast<uint64_t>(call.input(0).elements()) *
                   static_cast<uint64_t>(MatrixDims(a, attributes.transposeLhs()).columns);
}

uint64_t matmulWork(const KernelCall &call) {
  const Shape &a = call.input(0).shape(), &b = call.input(1).shape();
  if (a.rank() < 2 || b.rank() < 2)
    return 0;
  attributes::nd::Matmul attributes(call);
  MatrixDims left(a, transposesLhs(attributes)), right(b, transposesRhs(attributes));
  Result<Shape> batch = broadcastShapes(batchShape(a), batchShape(b));
  if (!batch.ok())
    return 0;
  return 2 * static_cast<uint64_t>(batch->elements()) * static_cast<uint64_t>(left.rows) *
         static_cast<uint64_t>(left.columns) * static_cast<uint64_t>(right.columns);
}

} // namespace sluice::rt
