// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions of graphs: the driver makes them, kernels set them.
#include "runtime/sim/block.h"
#include "runtime/sim/entry.h"
#include "runtime/sim/graphs.h"
#include "runtime/sim/twin_calls.h"

namespace sluice::rt::sim {

using namespace cuda;

Result cuGraphConditionalHandleCreate(ConditionalHandle *handle, Graph graph, Context,
                                      unsigned initial, unsigned flags) {
  return entry("cuGraphConditionalHandleCreate", [=](Driver &driver, auto &) {
    if (!driver.isGraph(graph) || flags > kConditionalAssignDefault)
      return refuse(kInvalidValue,
                    "cuGraphConditionalHandleCreate: expected a graph and known flags");
    *handle = driver.streams.draw() | 1;
    Condition &condition = driver.conditions[*handle];
    condition.graph = graph;
    condition.initial = initial;
    condition.assigned = flags & kConditionalAssignDefault;
    // Without a default nothing is promised of its first value.
    condition.value = driver.streams.draw();
    return kSuccess;
  });
}

// Called by kernels, which run within a call of the driver.
static void set(uint64_t handle, uint32_t value) {
  Driver &one = driver();
  auto found = one.conditions.find(handle);
  if (found == one.conditions.end())
    runningBlock().fail(kIllegalAddress, "sets the condition of a handle that is none");
  if (!one.runningNode)
    runningBlock().fail(kLaunchFailed, "sets a condition outside of a graph");
  Condition &condition = found->second;
  for (OperationId other : {condition.setBy, condition.readBy})
    if (other != one.runningNode && !one.history.comesAfter(one.runningNode, other))
      runningBlock().fail(kLaunchFailed, "race: sets a condition that " + one.history.name(other) +
                                             " uses, and nothing orders the two");
  condition.value = value;
  condition.setBy = one.runningNode;
}

} // namespace sluice::rt::sim

extern "C" __attribute__((visibility("default"))) void sluice_sim_set_conditional(uint64_t handle,
                                                                                  uint32_t value) {
  sluice::rt::sim::set(handle, value);
}
