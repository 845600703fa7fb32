// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows with the same key on a card, combined in their order.
#include "compiler/codegen/gpu/SortedRuns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

SortedRuns::SortedRuns(Emitter &emitter, AffineExpr length, ArrayRef<Value> used, KeyOf keyOf)
    : b_(emitter.builder()), keyOf_(std::move(keyOf)), used_(used) {
  sorted_ = sortedOnCard(emitter, getAffineConstantExpr(1, b_.getContext()), length, used,
                         [&](Value, Value x, Value y, IRMapping &inside) -> Value {
                           return arith::CmpIOp::create(b_, arith::CmpIPredicate::slt,
                                                        keyOf_(x, inside), keyOf_(y, inside));
                         });
  length_ = emitter.dim(length);
  used_.append({sorted_, length_});
}

Value SortedRuns::rowAt(Value place, IRMapping &inside) {
  Value first = arith::ConstantIndexOp::create(b_, 0);
  Value row = memref::LoadOp::create(b_, inside.lookup(sorted_), ValueRange{first, place});
  return arith::IndexCastOp::create(b_, b_.getIndexType(), row);
}

Value SortedRuns::keyAt(Value place, IRMapping &inside) {
  return keyOf_(rowAt(place, inside), inside);
}

Value SortedRuns::begins(Value place, Value key, IRMapping &inside) {
  Value isFirst = arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, place,
                                        arith::ConstantIndexOp::create(b_, 0).getResult());
  Value last = arith::SubIOp::create(b_, place, arith::ConstantIndexOp::create(b_, 1).getResult());
  Value before = arith::SelectOp::create(b_, isFirst, place, last);
  Value differs = arith::CmpIOp::create(b_, arith::CmpIPredicate::ne, keyAt(before, inside), key);
  return arith::OrIOp::create(b_, isFirst, differs);
}

Value SortedRuns::folded(Value place, Value key, Value start, Combine combine, IRMapping &inside) {
  Type types[] = {b_.getIndexType(), start.getType()};
  Location locations[] = {b_.getLoc(), b_.getLoc()};
  auto loop = scf::WhileOp::create(b_, types, ValueRange{place, start});
  OpBuilder::InsertionGuard guard(b_);
  Block *step = b_.createBlock(&loop.getBefore(), {}, types, locations);
  Value sum = combine(step->getArgument(1), rowAt(step->getArgument(0), inside));
  Value next = arith::AddIOp::create(b_, step->getArgument(0),
                                     arith::ConstantIndexOp::create(b_, 1).getResult());
  Value isInside =
      arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, next, inside.lookup(length_));
  Value safe = arith::SelectOp::create(b_, isInside, next, step->getArgument(0));
  Value isSame = arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, keyAt(safe, inside), key);
  scf::ConditionOp::create(b_, arith::AndIOp::create(b_, isInside, isSame), ValueRange{next, sum});
  Block *again = b_.createBlock(&loop.getAfter(), {}, types, locations);
  scf::YieldOp::create(b_, again->getArguments());
  return loop.getResult(1);
}

} // namespace sluice::codegen
