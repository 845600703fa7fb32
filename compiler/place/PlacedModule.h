// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What place-on-devices decides, and all that it decides by.
#pragma once

#include "compiler/place/DeclaredDevices.h"
#include "compiler/place/NearestPlacement.h"

#include <memory>

namespace sluice::place {

class PlacedModule {
public:
  // Null for a module that declares no devices. Fails, after errors, when there is no placement.
  // `localDevices` as for readProblem. Changes nothing else in the module.
  static mlir::FailureOr<std::unique_ptr<PlacedModule>> of(mlir::ModuleOp module,
                                                           unsigned localDevices = 0);

  llvm::ArrayRef<import::DeviceName> devices() const { return problem_.devices; }
  const Groups &groups() const { return problem_.groups; }
  const Requests &requests() const { return requests_; }
  const FollowerSets &sets() const { return *sets_; }
  const SetPlace &placeOf(unsigned member) const { return places_[sets_->setOfMember(member)]; }

private:
  explicit PlacedModule(Problem problem);

  Problem problem_;
  Requests requests_;
  std::vector<unsigned> leaders_;
  std::optional<FollowerSets> sets_;
  std::vector<SetPlace> places_; // by set
};

} // namespace sluice::place
