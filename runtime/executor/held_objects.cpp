// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HeldObjects.
#include "runtime/executor/held_objects.h"

#include <algorithm>

namespace sluice::rt {

template <typename Visit>
static void forEachObject(const Node &node, const Iteration &iteration, const Visit &visit) {
  for (const Input &input : node.inputs) {
    const Tensor &value = input.constant ? *input.constant : iteration.slots[input.slot];
    if (value.dtype() == DType::kHandle)
      visit(value.object());
  }
}

void HeldObjects::hold(const Node &node, const Iteration &iteration) {
  forEachObject(node, iteration, [&](const Object *object) { held_.push_back(object); });
}

void HeldObjects::release(const Node &node, const Iteration &iteration) {
  forEachObject(node, iteration, [&](const Object *object) {
    auto at = std::find(held_.begin(), held_.end(), object);
    if (at != held_.end())
      held_.erase(at);
  });
}

bool HeldObjects::parksAtHeld(const Node &node, Iteration &iteration) {
  bool waits = false;
  forEachObject(node, iteration, [&](const Object *object) {
    waits |= std::find(held_.begin(), held_.end(), object) != held_.end();
  });
  if (waits)
    waiting_.emplace_back(&node, &iteration);
  return waits;
}

} // namespace sluice::rt
