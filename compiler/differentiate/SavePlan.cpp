// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph of values, and its minimum cut.
#include "compiler/differentiate/SavePlan.h"

#include "compiler/differentiate/MinimumCut.h"
#include "compiler/differentiate/Segments.h"

#include "dialects/interfaces/Faces.h"
#include "dialects/interfaces/KernelOps.h"

using namespace mlir;

namespace sluice::differentiate {

int64_t estimatedBytes(Type type) {
  constexpr int64_t kUnknownDim = 64, kUnknownRank = kUnknownDim * kUnknownDim;
  constexpr int64_t kMost = int64_t{1} << 40;
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return kMost;
  auto dtype = dtypeOf(type);
  int64_t bytes = dtype ? static_cast<int64_t>(rt::sizeOf(*dtype)) : 8;
  if (!tensor.hasRank())
    return bytes * kUnknownRank;
  for (int64_t dim : tensor.getShape())
    bytes = std::min(kMost, bytes * (ShapedType::isDynamic(dim) ? kUnknownDim : dim));
  return bytes;
}

static bool isWhole(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && isa<IntegerType>(tensor.getElementType());
}

// In front of a segment stand its empty tapes.
static bool isTapeOfSegment(Operation *op) {
  return isa<list::MakeOp>(op) && !op->use_empty() && llvm::all_of(op->getUsers(), isSegment);
}

static bool mayRunAgain(Operation *op, Memory memory) {
  if (isSegment(op) || isTapeOfSegment(op))
    return true;
  if (!op->hasTrait<Computes>() || op->getNumRegions() > 0 ||
      !llvm::all_of(op->getResultTypes(), [](Type type) { return isa<TensorType>(type); }))
    return false;
  if (memory == Memory::kMin || op->hasTrait<AsksShape>() || op->hasTrait<ViewsOperand>() ||
      op->hasTrait<RepeatsElements>() || op->hasTrait<MovesElements>())
    return true;
  if (!op->hasTrait<OfElements>())
    return false;
  return memory == Memory::kBalanced || llvm::all_of(op->getResultTypes(), isWhole);
}

SavePlan::SavePlan(Block &block, ArrayRef<Value> needed, Memory memory, IsFree isFree)
    : block_(block) {
  addCandidates(needed, memory, isFree);
  cut(needed);
  collectAgain(needed, isFree);
}

void SavePlan::addCandidates(ArrayRef<Value> needed, Memory memory, IsFree isFree) {
  values_.insert(needed.begin(), needed.end());
  for (size_t i = 0; i < values_.size(); ++i) {
    Value value = values_[i];
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &block_ || !mayRunAgain(op, memory)) {
      fixed_.insert(value);
      continue;
    }
    for (Value operand : op->getOperands())
      if (!isFree(operand)) {
        madeOf_[value].push_back(operand);
        values_.insert(operand);
      }
  }
}

void SavePlan::cut(ArrayRef<Value> needed) {
  llvm::DenseMap<Value, unsigned> numbers;
  for (Value value : values_)
    numbers[value] = static_cast<unsigned>(numbers.size());
  auto count = static_cast<unsigned>(values_.size());
  // Each value comes in at one node and goes out at another; to cut between them is to save it.
  MinimumCut graph(2 * count + 2);
  unsigned source = 2 * count, sink = source + 1;
  for (Value value : values_) {
    unsigned number = numbers[value];
    // Of equally many bytes, fewer values.
    graph.add(2 * number, 2 * number + 1, estimatedBytes(value.getType()) * 16 + 1);
    if (fixed_.contains(value))
      graph.add(source, 2 * number, MinimumCut::kWhole);
    for (Value from : madeOf_.lookup(value))
      graph.add(2 * numbers[from] + 1, 2 * number, MinimumCut::kWhole);
  }
  for (Value value : needed)
    graph.add(2 * numbers[value] + 1, sink, MinimumCut::kWhole);
  llvm::BitVector behind = graph.behindCut(source, sink);
  for (Value value : values_)
    if (unsigned number = numbers[value]; behind[2 * number + 1] && !behind[2 * number])
      saved_.push_back(value);
}

void SavePlan::collectAgain(ArrayRef<Value> needed, IsFree isFree) {
  llvm::DenseSet<Value> known(saved_.begin(), saved_.end());
  llvm::SetVector<Operation *> ops;
  SmallVector<Value> open(needed);
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (isFree(value) || !known.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (ops.insert(op))
      open.append(op->operand_begin(), op->operand_end());
  }
  again_ = ops.takeVector();
  llvm::sort(again_, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
}

} // namespace sluice::differentiate
