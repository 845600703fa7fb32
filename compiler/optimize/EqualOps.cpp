// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes and comparisons of ops by what they mean.
#include "compiler/optimize/EqualOps.h"

#include "dialects/flow/Flow.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace sluice::optimize {

// Lists are equal only as long as nobody changes one, which then is copied.
static bool makesList(Operation *op) {
  return isa_and_nonnull<list::ListDialect>(op->getDialect()) && !list::onlyLooks(op);
}

bool isMergeable(Operation *op) {
  if (makesList(op))
    return false;
  return op->hasTrait<Computes>() || isa<flow::StartOp, flow::JoinOp, flow::TriggerOp, flow::GateOp,
                                         flow::AfterOp, flow::SwitchOp, flow::EnterOp>(op);
}

// The elements of a constant that lives in a resource blob. Blobs of equal constants have
// different names, so their attributes differ.
static std::optional<ArrayRef<char>> blobOf(Operation *op) {
  auto constant = dyn_cast<nd::ConstantOp>(op);
  if (!constant)
    return std::nullopt;
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  AsmResourceBlob *blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob)
    return std::nullopt;
  return blob->getData();
}

unsigned ByMeaning::getHashValue(Operation *op) {
  if (auto blob = blobOf(op)) {
    ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(blob->data()), blob->size());
    return llvm::hash_combine(op->getResult(0).getType(), llvm::xxh3_64bits(bytes));
  }
  return OperationEquivalence::computeHash(op, OperationEquivalence::directHashValue,
                                           OperationEquivalence::ignoreHashValue,
                                           OperationEquivalence::IgnoreLocations);
}

bool ByMeaning::isEqual(Operation *a, Operation *b) {
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

} // namespace sluice::optimize
