// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of an array's accesses that ops on a tensor would not report. An access that may fail so
// keeps the array an array, unless it is known not to fail.
#include "compiler/raise/ArrayUses.h"

#include "compiler/raise/Carried.h"
#include "compiler/raise/Counters.h"
#include "compiler/raise/GraphFacts.h"
#include "compiler/raise/WaitQuestions.h"

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
                     flow::constantInt(create.getSize()).value_or(0) > 0);
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

void ArrayUses::checkErrors() {
  if (!isScalar(create_.getSize()))
    return refuse(create_, "its size is not known to be a scalar");
  if (accesses_.empty() && flow::constantInt(create_.getSize()).value_or(-1) < 0)
    return refuse(create_, "it is only made, which fails for a size below 0");
  RankedTensorType row = RankedTensorType::get(type_.getShape().drop_front(), create_.getDtype());
  if (!allows(create_.getElementShape(), row))
    return refuse(create_, "its elements have another shape than declared");
  for (Operation *access : accesses_) {
    Value read = isa<array::ReadOp, array::GatherOp>(access) ? access->getResult(0) : Value();
    if (read && getElementTypeOrSelf(read.getType()) != create_.getDtype())
      return refuse(access, "it expects elements of another type");
    if (auto gather = dyn_cast<array::GatherOp>(access))
      checkGather(gather);
  }
}

static SmallVector<Operation *> accessesTo(array::CreateOp create) {
  SmallVector<Operation *> accesses;
  SmallVector<Value> handles{create.getHandle()};
  while (!handles.empty())
    for (OpOperand &use : handles.pop_back_val().getUses())
      if (isCapture(use))
        handles.append(carriedTo(use));
      else
        accesses.push_back(use.getOwner());
  return accesses;
}

// What happens after the array has been closed fails, in whatever way it waits for that.
ClosedArrays::ClosedArrays(ArrayRef<array::CreateOp> creates) {
  WaitQuestions questions;
  std::vector<std::pair<array::CreateOp, SmallVector<Operation *>>> asked;
  for (array::CreateOp create : creates) {
    SmallVector<Operation *> accesses = accessesTo(create);
    auto closes = llvm::make_filter_range(accesses, llvm::IsaPred<array::CloseOp>);
    if (closes.empty())
      continue;
    Operation *close = *closes.begin();
    llvm::erase(accesses, close);
    auto again = llvm::find_if(accesses, llvm::IsaPred<array::CloseOp>);
    if (again != accesses.end()) {
      obstacles_[create] = describe(*again) + ": it is closed twice";
      continue;
    }
    SmallVector<Operation *> here = llvm::map_to_vector(
        accesses, [&](Operation *op) { return close->getBlock()->findAncestorOpInBlock(*op); });
    if (llvm::is_contained(here, nullptr)) // closed in a region, which is an obstacle of its own
      continue;
    questions.ask(close->getBlock(), close, here);
    asked.push_back({create, std::move(accesses)});
  }
  for (auto [about, late] : llvm::zip_equal(asked, questions.answer()))
    if (late)
      obstacles_[about.first] =
          describe(about.second[*late]) + ": it comes after the array has been closed";
}

} // namespace sluice::raise
