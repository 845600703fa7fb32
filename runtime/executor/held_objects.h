// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, arrays and tables that work elsewhere uses, and the firings that wait for these. The
// scheduler asks before it fires a stateful kernel; while nothing is held, that is one comparison.
#pragma once

#include "runtime/executor/frame.h"

#include <utility>
#include <vector>

namespace sluice::rt {

class HeldObjects {
public:
  // By the firing that is about to go elsewhere: all objects among its operands.
  void hold(const Node &node, const Iteration &iteration);
  // The firing has ended; its operands are still there.
  void release(const Node &node, const Iteration &iteration);
  // Whether an operand is held. Then the firing has been noted as waiting.
  bool parks(const Node &node, Iteration &iteration) {
    return !held_.empty() && node.stateful && parksAtHeld(node, iteration);
  }
  // All that wait, the first first, to be tried again.
  std::vector<std::pair<const Node *, Iteration *>> takeWaiting() {
    return std::exchange(waiting_, {});
  }
  void clear() {
    held_.clear();
    waiting_.clear();
  }

private:
  bool parksAtHeld(const Node &node, Iteration &iteration);

  std::vector<const Object *> held_; // few: by firings that are under way
  std::vector<std::pair<const Node *, Iteration *>> waiting_;
};

} // namespace sluice::rt
