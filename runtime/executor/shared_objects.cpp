// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SharedObjects.
#include "runtime/executor/shared_objects.h"

#include <algorithm>

namespace sluice::rt {

bool SharedObjects::take(std::span<const Object *const> objects, CompletionInbox &inbox) {
  std::lock_guard lock(mutex_);
  for (const Object *object : objects)
    if (std::find(taken_.begin(), taken_.end(), object) != taken_.end()) {
      if (std::find(waiting_.begin(), waiting_.end(), &inbox) == waiting_.end())
        waiting_.push_back(&inbox);
      return false;
    }
  taken_.insert(taken_.end(), objects.begin(), objects.end());
  return true;
}

// Told with the lock, so that whoever forgets its inbox is sure of it.
void SharedObjects::release(std::span<const Object *const> objects) {
  std::lock_guard lock(mutex_);
  for (const Object *object : objects)
    taken_.erase(std::find(taken_.begin(), taken_.end(), object));
  for (CompletionInbox *inbox : waiting_)
    inbox->put({});
  waiting_.clear();
}

void SharedObjects::forget(CompletionInbox &inbox) {
  std::lock_guard lock(mutex_);
  waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), &inbox), waiting_.end());
}

} // namespace sluice::rt
