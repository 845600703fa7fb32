// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who waits for what in a step that cannot go on.
#include "runtime/executor/token_machine.h"

namespace sluice::rt {

namespace {
// The nodes whose token for `node` has not come. Values that are missing can be seen in the cells;
// control tokens cannot be told apart, so all of them are named.
std::string missingProducers(const Signature &signature, const Node &node, Iteration &iteration) {
  std::string names;
  int count = 0;
  for (const auto &producer : signature.nodes)
    for (const auto &port : producer->ports)
      for (const Edge &edge : port) {
        if (edge.node != &node || (edge.carriesValue() && iteration.slots[edge.slot].valid()))
          continue;
        if (++count <= 3)
          names += (names.empty() ? "'" : ", '") + std::string(producer->name) + "'";
      }
  return count > 3 ? names + format(" and %d more", count - 3) : names;
}

std::string place(const Iteration &iteration) {
  if (iteration.frame->info.name.empty())
    return "";
  return format(" in iteration %llu of frame '%s'",
                static_cast<unsigned long long>(iteration.number),
                std::string(iteration.frame->info.name).c_str());
}
} // namespace

std::string describeStall(const Signature &signature, const FramePool &pool) {
  constexpr int kShown = 4;
  std::string text;
  int waiting = 0;
  for (const auto &instance : pool.all()) {
    if (!instance->live)
      continue;
    for (Iteration *next = instance->oldestIteration(); next; next = next->following) {
      Iteration &iteration = *next;
      for (const Node *node : instance->info.nodes) {
        const NodeState &state = iteration.states[node->index];
        bool touched = state.pending != node->pending || state.live || state.deadInputs;
        if (state.fired || !touched || ++waiting > kShown)
          continue;
        text += (text.empty() ? "node '" : "; node '") + std::string(node->name) + "'" +
                place(iteration) + " waits for " + missingProducers(signature, *node, iteration);
      }
    }
  }
  if (waiting > kShown)
    text += format("; and %d more nodes", waiting - kShown);
  return text.empty() ? "a fetch or target is never reached" : text;
}

} // namespace sluice::rt
