// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of a placement: groups, requests, followers, what is near, what sends less.
#include "compiler/place/PlacedModule.h"

#include "compiler/place/FewerMessages.h"

using namespace mlir;

namespace sluice::place {

PlacedModule::PlacedModule(Problem problem)
    : problem_(std::move(problem)), requests_(problem_.groups, problem_.devices, problem_.cards) {}

FailureOr<std::unique_ptr<PlacedModule>> PlacedModule::of(ModuleOp module, unsigned localDevices) {
  auto problem = readProblem(module, localDevices);
  if (failed(problem))
    return failure();
  if (!*problem)
    return std::unique_ptr<PlacedModule>();
  std::unique_ptr<PlacedModule> placed(new PlacedModule(std::move(**problem)));
  if (failed(placed->requests_.check()))
    return failure();
  placed->leaders_ = findLeaders(module, placed->groups());
  placed->sets_.emplace(placed->groups(), placed->requests_, placed->leaders_);
  placed->places_ = placeNear(placed->groups(), placed->requests_, *placed->sets_);
  sendLess(placed->groups(), placed->requests_, *placed->sets_, placed->places_);
  return placed;
}

} // namespace sluice::place
