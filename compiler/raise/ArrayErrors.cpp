// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of an array's accesses that ops on a tensor would not report. An access that may fail so
// keeps the array an array, unless it is known not to fail.
#include "compiler/raise/ArrayUses.h"

#include "compiler/raise/Counters.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace sluice::raise {

static bool isScalar(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 0;
}

// Whether a shape that somebody declared, perhaps in part, allows the elements that there are.
static bool allows(Type declared, RankedTensorType row) {
  return succeeded(verifyCompatibleShape(cast<TensorType>(declared), row));
}

static bool isSureOfItsShape(array::GatherOp gather, array::CreateOp create) {
  if (cast<TensorType>(gather.getElementShape()).hasStaticShape())
    return true;
  auto indices = dyn_cast<RankedTensorType>(gather.getIndices().getType());
  bool hasSome = indices && indices.getRank() == 1 && indices.getDimSize(0) > 0;
  return hasSome || (isFullRange(gather.getIndices(), create) &&
                     constantInt(create.getSize()).value_or(0) > 0);
}

void ArrayUses::checkGather(array::GatherOp gather) {
  RankedTensorType row = RankedTensorType::get(type_.getShape().drop_front(), create_.getDtype());
  auto indices = dyn_cast<RankedTensorType>(gather.getIndices().getType());
  if (!indices || indices.getRank() != 1)
    return refuse(gather, "its indices are not known to be a vector");
  if (!allows(gather.getElementShape(), row))
    return refuse(gather, "it expects elements of another shape");
  if (!isSureOfItsShape(gather, create_))
    refuse(gather, "it may read no elements, whose shape nothing declares");
}

// What happens after the array has been closed fails, in whatever way it waits for that.
void ArrayUses::checkClose(array::CloseOp close) {
  SetVector<Operation *> later;
  later.insert(close);
  for (size_t i = 0; i < later.size(); ++i)
    for (Operation *user : later[i]->getUsers())
      later.insert(user);
  for (Operation *access : accesses_) {
    if (access == close)
      continue;
    if (isa<array::CloseOp>(access))
      return refuse(access, "it is closed twice");
    for (Operation *op = access; op && op->getBlock() != close->getBlock(); op = op->getParentOp())
      if (later.contains(op->getParentOp()))
        return refuse(access, "it comes after the array has been closed");
    if (later.contains(access))
      return refuse(access, "it comes after the array has been closed");
  }
}

void ArrayUses::checkErrors() {
  if (!isScalar(create_.getSize()))
    return refuse(create_, "its size is not known to be a scalar");
  RankedTensorType row = RankedTensorType::get(type_.getShape().drop_front(), create_.getDtype());
  if (!allows(create_.getElementShape(), row))
    return refuse(create_, "its elements have another shape than declared");
  for (Operation *access : accesses_) {
    Value read = isa<array::ReadOp, array::GatherOp>(access) ? access->getResult(0) : Value();
    if (read && getElementTypeOrSelf(read.getType()) != create_.getDtype())
      return refuse(access, "it expects elements of another type");
    if (auto gather = dyn_cast<array::GatherOp>(access))
      checkGather(gather);
    else if (auto close = dyn_cast<array::CloseOp>(access))
      checkClose(close);
  }
}

} // namespace sluice::raise
