// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts by the values that they lead to.
#include "compiler/codegen/EarlyValues.h"

#include "dialects/interfaces/OpWork.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Wire.h"

using namespace mlir;

namespace sluice::codegen {

// Operations that take some hundred microseconds: waiting for less is not worth another codelet.
static constexpr uint64_t kLong = 500'000;
// Of a product, whose operations are faster.
static constexpr uint64_t kLongProduct = 8'000'000;
// What is not known.
static constexpr int64_t kUnknownSize = 64;

bool isLongProduct(Operation *op) {
  return isa<nd::MatmulOp, nd::MatmulOntoOp>(op) &&
         workOfUnknown(op, kUnknownSize).value_or(0) >= kLongProduct;
}

// Nobody knows how long a loop runs.
static uint64_t workIn(Operation *op) {
  if (op->getNumRegions() > 0)
    return kLong;
  return workOfUnknown(op, kUnknownSize).value_or(kUnknownSize);
}

EarlyValues::EarlyValues(ArrayRef<Operation *> ops) {
  for (Operation *op : llvm::reverse(ops))
    if (isa<wire::SendOp>(op) || isLongProduct(op) ||
        llvm::any_of(op->getUsers(), [&](Operation *user) { return leading_.contains(user); }))
      leading_.insert(op);
}

bool EarlyValues::isAwaited(Operation *op, const llvm::DenseSet<Operation *> &group) const {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    return !group.contains(user) && leading_.contains(user);
  });
}

SmallVector<uint64_t> EarlyValues::partsOf(ArrayRef<Operation *> group) const {
  SmallVector<uint64_t> parts(group.size(), 0);
  uint64_t whole = 0;
  for (Operation *op : group)
    whole += workIn(op);
  if (whole < kLong)
    return parts;
  // A bit for each value that somebody waits for, of all that it is made of.
  llvm::DenseSet<Operation *> members(group.begin(), group.end());
  llvm::DenseMap<Operation *, uint64_t> leadsTo;
  std::array<uint64_t, 64> work{};
  unsigned count = 0;
  for (Operation *op : llvm::reverse(group)) {
    uint64_t bits = 0;
    for (Operation *user : op->getUsers())
      bits |= leadsTo.lookup(user);
    if (count < work.size() && isAwaited(op, members))
      bits |= uint64_t{1} << count++;
    leadsTo[op] = bits;
    for (unsigned i = 0; i < count; ++i)
      if (bits >> i & 1)
        work[i] += workIn(op);
  }
  uint64_t early = 0; // what the rest would hold back for long
  for (unsigned i = 0; i < count; ++i)
    if (whole - work[i] >= kLong)
      early |= uint64_t{1} << i;
  for (auto [part, op] : llvm::zip_equal(parts, group))
    part = leadsTo.lookup(op) & early;
  return parts;
}

} // namespace sluice::codegen
