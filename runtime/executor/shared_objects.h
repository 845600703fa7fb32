// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects of a program that firings use at this moment, of calls that run at the same time. A
// firing takes all of its objects or none; who gets none is told when some have become free.
#pragma once

#include "runtime/memory/object.h"
#include "runtime/workers/completion_inbox.h"

#include <mutex>
#include <span>
#include <vector>

namespace sluice::rt {

class SharedObjects {
public:
  // False if somebody uses one of them; then a completion without work comes to the inbox once any
  // object has been released.
  bool take(std::span<const Object *const> objects, CompletionInbox &inbox);
  void release(std::span<const Object *const> objects);
  // Nothing comes to this inbox any more.
  void forget(CompletionInbox &inbox);

private:
  std::mutex mutex_;
  std::vector<const Object *> taken_; // few: by firings that are under way
  std::vector<CompletionInbox *> waiting_;
};

} // namespace sluice::rt
