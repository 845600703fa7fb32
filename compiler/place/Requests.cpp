// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The intersection of what the members of each group ask for.
#include "compiler/place/Requests.h"

#include "compiler/place/Contradiction.h"
#include "dialects/wire/Wire.h"

using namespace mlir;

namespace sluice::place {

// A graph can be wrong in every node.
constexpr unsigned kMaxErrors = 20;

// What forwards a reference or handle has to be where the variable or array is, whatever was asked.
static bool forwardsHandle(Operation *op) {
  return op->hasTrait<Steers>() && !llvm::all_of(op->getResultTypes(), wire::isSendable);
}

StringAttr requestOf(Operation *op) {
  bool hasNoChoice = onlyOrders(op) || forwardsHandle(op) || isa<flow::FeedOp, flow::FetchOp>(op);
  return hasNoChoice ? StringAttr() : op->getAttrOfType<StringAttr>(wire::kRequested);
}

Requests::Requests(const Groups &groups, ArrayRef<import::DeviceName> devices,
                   ArrayRef<unsigned> cards)
    : groups_(groups), devices_(devices), candidates_(groups.count()), askers_(groups.count()) {
  for (auto [rank, count] : llvm::enumerate(cards))
    for (unsigned card = 0; card < count; ++card) {
      cards_.push_back(devices[rank]);
      cards_.back().type = "GPU";
      cards_.back().index = card;
      rankOfCard_.push_back(static_cast<unsigned>(rank));
    }
}

LogicalResult Requests::check() {
  for (unsigned member = 0; member < groups_.members().size(); ++member) {
    Operation *op = groups_.members()[member];
    if (auto request = op->getAttrOfType<StringAttr>(wire::kRequested))
      checkRequest(member, request);
    if (StringAttr request = requestOf(op))
      restrict(member, request);
  }
  return success(errors_ == 0);
}

const llvm::BitVector &Requests::devicesFor(StringRef request) {
  auto [entry, isNew] = fitting_.try_emplace(request);
  llvm::BitVector &devices = entry->second;
  if (!isNew)
    return devices;
  auto name = import::DeviceName::parse(request);
  devices.resize(static_cast<unsigned>(devices_.size()));
  for (unsigned rank = 0; rank < devices_.size(); ++rank)
    devices[rank] = name && name->allows(devices_[rank]);
  for (auto [card, rank] : llvm::zip_equal(cards_, rankOfCard_))
    if (name && name->allows(card))
      devices.set(rank);
  return devices;
}

void Requests::checkRequest(unsigned member, StringRef request) {
  if (devicesFor(request).any() || !isRefused_.try_emplace(request, true).second)
    return;
  if (++errors_ <= kMaxErrors)
    reportNoDevice(groups_.members()[member], request, devices_, cards_);
}

void Requests::restrict(unsigned member, StringRef request) {
  const llvm::BitVector &devices = devicesFor(request);
  unsigned group = groups_.groupOf(member);
  std::optional<llvm::BitVector> &left = candidates_[group];
  if (devices.none() || (left && left->none()))
    return; // reported
  llvm::BitVector before = left.value_or(llvm::BitVector(devices.size(), true));
  left = before;
  *left &= devices;
  if (askers_[group].empty() || *left != before)
    askers_[group].push_back(member);
  if (left->none() && ++errors_ <= kMaxErrors)
    reportContradiction(groups_, askers_[group], devices_);
}

bool Requests::allows(unsigned group, unsigned rank) const {
  return !candidates_[group] || candidates_[group]->test(rank);
}

unsigned Requests::firstOf(unsigned group) const {
  return candidates_[group] ? static_cast<unsigned>(candidates_[group]->find_first()) : 0;
}

bool Requests::isFixed(unsigned group) const {
  return devices_.size() == 1 || (candidates_[group] && candidates_[group]->count() == 1);
}

} // namespace sluice::place
