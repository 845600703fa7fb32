// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much the loops of a linalg.generic compute. Functions such as exp and tanh are polynomials
// when they come here, so that their operations can be counted like others.
#include "compiler/codegen/cpu/LoopWork.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// An access whose neighbours lie together is part of a vector; others are made one by one, and
// usually in another line of the cache each.
constexpr int64_t kVectorAccess = 8, kSingleAccess = 32;
constexpr int64_t kDivision = 12;
// Of a function of the C library.
constexpr int64_t kCall = 1000;

unsigned bitsOf(Type type) { return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64; }

int64_t operationsOf(Operation &op) {
  if (isa<arith::ConstantOp, linalg::IndexOp>(op))
    return 0;
  if (isa<memref::LoadOp>(op))
    return kSingleAccess;
  if (!OpTrait::hasElementwiseMappableTraits(&op))
    return kCall;
  bool divides = isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, arith::RemSIOp,
                     arith::RemUIOp, math::SqrtOp>(op);
  unsigned bits = op.getNumResults() ? bitsOf(op.getResult(0).getType()) : 32;
  return (divides ? kDivision : 1) * std::max<int64_t>(1, bits / 32);
}

} // namespace

int64_t operationsOfIteration(linalg::GenericOp op, const IterationSpace &space) {
  int64_t sum = 0;
  for (Operation &inner : op.getBody()->without_terminator())
    sum += operationsOf(inner);
  int64_t innermost = space.rank() - 1;
  auto addAccess = [&](const Access &access) {
    if (access.isBuffer() && access.uses(innermost))
      sum += access.isContiguousAlong(innermost) ? kVectorAccess : kSingleAccess;
  };
  llvm::for_each(space.inputs(), addAccess);
  llvm::for_each(space.outputs(), addAccess);
  return sum;
}

} // namespace sluice::codegen
