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

static bool contains(const std::vector<const Object *> &objects, const Object *object) {
  return std::find(objects.begin(), objects.end(), object) != objects.end();
}

// Each once.
static std::vector<const Object *> objectsOf(const Node &node, const Iteration &iteration) {
  std::vector<const Object *> objects;
  forEachObject(node, iteration, [&](const Object *object) {
    if (!contains(objects, object))
      objects.push_back(object);
  });
  return objects;
}

void HeldObjects::hold(const Node &node, const Iteration &iteration) {
  if (shared_) // it has them already
    return;
  forEachObject(node, iteration, [&](const Object *object) { held_.push_back(object); });
  mayPark_ = !held_.empty();
}

void HeldObjects::release(const Node &node, const Iteration &iteration) {
  if (shared_)
    return releaseShared(node, iteration);
  forEachObject(node, iteration, [&](const Object *object) {
    auto at = std::find(held_.begin(), held_.end(), object);
    if (at != held_.end())
      held_.erase(at);
  });
  mayPark_ = !held_.empty();
}

void HeldObjects::releaseShared(const Node &node, const Iteration &iteration) {
  std::vector<const Object *> objects = objectsOf(node, iteration);
  if (objects.empty())
    return;
  if (node.kernel->flags & Kernel::kKeeps) {
    kept_.insert(kept_.end(), objects.begin(), objects.end());
    return;
  }
  shared_->release(objects);
  if (node.kernel->flags & Kernel::kGives)
    std::erase_if(kept_, [&](const Object *object) { return contains(objects, object); });
}

// In shared mode what comes later waits for what waits already: nobody may be overtaken for ever.
bool HeldObjects::parksAtHeld(const Node &node, Iteration &iteration) {
  bool waits = false;
  if (!shared_) {
    forEachObject(node, iteration, [&](const Object *object) { waits |= contains(held_, object); });
  } else if (!iteration.states[node.index].dead) {
    std::vector<const Object *> objects = objectsOf(node, iteration);
    if (node.kernel->flags & Kernel::kGives) // who waits for these waits for this one
      std::erase_if(objects, [&](const Object *object) { return contains(kept_, object); });
    waits = !objects.empty() && (anyWaits() || !shared_->take(objects, inbox_));
  }
  if (waits)
    waiting_.emplace_back(&node, &iteration);
  return waits;
}

void HeldObjects::clear() {
  held_.clear();
  waiting_.clear();
  mayPark_ = shared_;
  if (shared_)
    shared_->forget(inbox_);
  if (!kept_.empty())
    shared_->release(std::exchange(kept_, {}));
}

} // namespace sluice::rt
