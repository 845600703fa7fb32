// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-merge-duplicates: hash each op after its operands have been replaced.
//
// One walk reaches the fixpoint: what an op is compared by is final when it is hashed, since the
// only operands that come later are those of merges, which are never compared.
#include "compiler/optimize/Passes.h"
#include "dialects/flow/GraphOrder.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEMERGEDUPLICATES
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

bool isMergeable(Operation *op) {
  return op->hasTrait<Computes>() ||
         isa<flow::StartOp, flow::JoinOp, flow::TriggerOp, flow::GateOp, flow::AfterOp,
             flow::SwitchOp, flow::EnterOp>(op);
}

// The elements of a constant that lives in a resource blob. Blobs of equal constants have
// different names, so their attributes differ.
std::optional<ArrayRef<char>> blobOf(Operation *op) {
  auto constant = dyn_cast<nd::ConstantOp>(op);
  if (!constant)
    return std::nullopt;
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  AsmResourceBlob *blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob)
    return std::nullopt;
  return blob->getData();
}

struct ByMeaning : llvm::DenseMapInfo<Operation *> {
  static unsigned getHashValue(Operation *op) {
    if (auto blob = blobOf(op)) {
      ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(blob->data()), blob->size());
      return llvm::hash_combine(op->getResult(0).getType(), llvm::xxh3_64bits(bytes));
    }
    return OperationEquivalence::computeHash(op, OperationEquivalence::directHashValue,
                                             OperationEquivalence::ignoreHashValue,
                                             OperationEquivalence::IgnoreLocations);
  }
  static bool isEqual(Operation *a, Operation *b) {
    if (a == b)
      return true;
    Operation *empty = getEmptyKey(), *tombstone = getTombstoneKey();
    if (a == empty || a == tombstone || b == empty || b == tombstone)
      return false;
    auto x = blobOf(a), y = blobOf(b);
    if (x && y)
      return a->getResult(0).getType() == b->getResult(0).getType() && *x == *y;
    return OperationEquivalence::isEquivalentTo(a, b, OperationEquivalence::exactValueMatch,
                                                /*markEquivalent=*/nullptr,
                                                OperationEquivalence::IgnoreLocations);
  }
};

struct MergeDuplicates : optimize::impl::OptimizeMergeDuplicatesBase<MergeDuplicates> {
  void runOnOperation() override {
    DenseSet<Operation *, ByMeaning> firsts;
    size_t before = numMerged;
    for (Operation *op : flow::operandsFirst(getOperation())) {
      if (!isMergeable(op))
        continue;
      auto [it, isNew] = firsts.insert(op);
      if (isNew)
        continue;
      // The walk may come to the one that stands later in the text first.
      if (op->isBeforeInBlock(*it))
        (*it)->setLoc(op->getLoc());
      op->replaceAllUsesWith(*it);
      op->erase();
      ++numMerged;
    }
    if (before == numMerged)
      markAllAnalysesPreserved();
  }
};

} // namespace
