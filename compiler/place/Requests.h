// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nodes ask for, and the devices that are left for each group.
#pragma once

#include "compiler/place/Groups.h"

#include "compiler/import/DeviceName.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"

namespace sluice::place {

class Requests {
public:
  // `cards` says how many cards each device has beside its CPU; none where it ends early. Who asks
  // for one gets its device.
  Requests(const Groups &groups, llvm::ArrayRef<import::DeviceName> devices,
           llvm::ArrayRef<unsigned> cards = {});

  // Reports every request that no device fits, and every group whose members disagree. Ops that
  // only order, or only forward what cannot leave its device, have no choice, so they do not
  // disagree with anybody.
  mlir::LogicalResult check();

  // Whether the group may be on the device; all may when nobody asked.
  bool allows(unsigned group, unsigned rank) const;
  // Whether any member of the group asked for anything.
  bool isAsked(unsigned group) const { return candidates_[group].has_value(); }
  // The first device that the group may be on.
  unsigned firstOf(unsigned group) const;
  // Whether there is no other.
  bool isFixed(unsigned group) const;

private:
  const llvm::BitVector &devicesFor(llvm::StringRef request);
  void checkRequest(unsigned member, llvm::StringRef request);
  void restrict(unsigned member, llvm::StringRef request);

  const Groups &groups_;
  llvm::ArrayRef<import::DeviceName> devices_;
  std::vector<import::DeviceName> cards_;
  std::vector<unsigned> rankOfCard_;
  llvm::StringMap<llvm::BitVector> fitting_; // by request
  llvm::StringMap<bool> isRefused_;          // requests that no device fits, or no names
  std::vector<std::optional<llvm::BitVector>> candidates_; // by group
  // By group: the first member with each different set of devices.
  std::vector<llvm::SmallVector<unsigned, 1>> askers_;
  unsigned errors_ = 0;
};

// The request of an op that has a choice; null when there is none.
mlir::StringAttr requestOf(mlir::Operation *op);

} // namespace sluice::place
