// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, arrays and tables that somebody uses, and the firings of this call that wait for
// these. The scheduler asks before it fires a stateful kernel. Objects of a call that is alone are
// used by its own work on workers only; while there is none, that is one comparison. Where several
// calls share objects, each firing takes its own.
#pragma once

#include "runtime/executor/frame.h"
#include "runtime/executor/shared_objects.h"

#include <utility>
#include <vector>

namespace sluice::rt {

class HeldObjects {
public:
  // `shared` is null if no other call can be under way. The inbox is told when it makes sense to
  // try what waits again.
  HeldObjects(SharedObjects *shared, CompletionInbox &inbox)
      : shared_(shared), inbox_(inbox), mayPark_(shared) {}

  // Whether the firing has to wait, which has been noted then. Else it may use its objects, and
  // says so when it has, or goes elsewhere with them.
  bool parks(const Node &node, Iteration &iteration) {
    return mayPark_ && node.stateful && parksAtHeld(node, iteration);
  }
  // The firing has used its objects here; its operands are still there.
  void endHere(const Node &node, const Iteration &iteration) {
    if (shared_)
      releaseShared(node, iteration);
  }
  // It goes elsewhere, with all objects among its operands.
  void hold(const Node &node, const Iteration &iteration);
  // It has ended there; its operands are still there.
  void release(const Node &node, const Iteration &iteration);
  bool anyWaits() const { return !waiting_.empty(); }
  // All that wait, the first first, to be tried again.
  std::vector<std::pair<const Node *, Iteration *>> takeWaiting() {
    return std::exchange(waiting_, {});
  }
  void clear();

private:
  bool parksAtHeld(const Node &node, Iteration &iteration);
  void releaseShared(const Node &node, const Iteration &iteration);

  SharedObjects *const shared_;
  CompletionInbox &inbox_;
  bool mayPark_;                     // some object may be used by somebody else
  std::vector<const Object *> held_; // few: by firings of this call that are under way elsewhere
  std::vector<const Object *> kept_; // of `shared_`, by this call
  std::vector<std::pair<const Node *, Iteration *>> waiting_;
};

} // namespace sluice::rt
