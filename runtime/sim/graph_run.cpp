// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs graphs: nodes in an order that the seed draws, of those that their dependencies allow.
#include "runtime/sim/graphs.h"
#include "runtime/sim/report.h"

#include <algorithm>

namespace sluice::rt::sim {

using namespace cuda;

// A loop whose condition nobody clears would never end on a card either.
constexpr uint64_t kMostIterations = uint64_t(1) << 24;

GraphPlan planOf(const GraphObject &graph, uint32_t &nextIndex) {
  GraphPlan plan;
  std::map<GraphNode, size_t> places;
  for (const auto &node : graph.nodes) {
    PlanNode planned;
    planned.type = node->type;
    planned.index = nextIndex++;
    for (GraphNode dependency : node->dependencies)
      planned.dependencies.push_back(places.at(dependency));
    planned.work = node->work;
    planned.handle = node->handle;
    planned.conditional = node->conditional;
    if (node->child)
      planned.bodies.push_back(planOf(*node->child, nextIndex));
    for (const auto &body : node->bodies)
      planned.bodies.push_back(planOf(*body, nextIndex));
    places[node.get()] = plan.nodes.size();
    plan.nodes.push_back(std::move(planned));
  }
  return plan;
}

namespace {

class Run {
public:
  Run(Driver &driver, OperationId launch) : driver_(driver), launch_(launch) {}

  // Returns the clock of its end.
  Clock graph(const GraphPlan &plan, const Clock &start) {
    std::vector<Clock> ends(plan.nodes.size());
    std::vector<size_t> left(plan.nodes.size());
    for (size_t i = 0; i < left.size(); ++i)
      left[i] = i;
    std::vector<bool> done(plan.nodes.size());
    Clock end = start;
    while (!left.empty() && !driver_.sticky) {
      size_t which = driver_.streams.draw() % left.size();
      while (!isReady(plan.nodes[left[which]], done))
        which = (which + 1) % left.size();
      size_t number = left[which];
      left.erase(left.begin() + which);
      Clock before = start;
      for (size_t dependency : plan.nodes[number].dependencies)
        before.join(ends[dependency]);
      ends[number] = node(plan.nodes[number], before);
      end.join(ends[number]);
      done[number] = true;
    }
    return end;
  }

private:
  static bool isReady(const PlanNode &node, const std::vector<bool> &done) {
    return std::all_of(node.dependencies.begin(), node.dependencies.end(),
                       [&](size_t dependency) { return done[dependency]; });
  }

  Clock node(const PlanNode &node, Clock clock) {
    if (node.type == kNodeGraph)
      return graph(node.bodies[0], clock);
    if (node.type == kNodeConditional)
      return conditional(node, clock);
    clock.tick(node.index);
    if (node.work.run) {
      OperationId id = driver_.history.addNode(launch_, node.index, clock, node.work.name);
      driver_.runningNode = id;
      node.work.run(id);
      driver_.runningNode = 0;
    }
    return clock;
  }

  Clock conditional(const PlanNode &node, Clock clock) {
    uint64_t iterations = 0;
    for (;;) {
      clock.tick(node.index);
      uint32_t value = condition(node, clock);
      size_t body = node.conditional == kConditionalSwitch ? value : value == 0;
      if (driver_.sticky || body >= node.bodies.size())
        return clock;
      clock = graph(node.bodies[body], clock);
      if (node.conditional != kConditionalWhile)
        return clock;
      if (++iterations == kMostIterations)
        driver_.fail(kLaunchTimeout, text("a loop of a graph has run %llu times and goes on",
                                          static_cast<unsigned long long>(iterations)));
    }
  }

  // What was set must have been set before, and not merely earlier.
  uint32_t condition(const PlanNode &node, const Clock &clock) {
    Condition &condition = driver_.conditions.at(node.handle);
    OperationId id = driver_.history.addNode(launch_, node.index, clock, "a conditional node");
    if (condition.setBy && !driver_.history.comesAfter(id, condition.setBy))
      driver_.failIf(text("race: %s sets the condition of a node that does not come after it",
                          driver_.history.name(condition.setBy).c_str()));
    condition.readBy = id;
    return condition.value;
  }

  Driver &driver_;
  OperationId launch_;
};

} // namespace

void runPlan(Driver &driver, const GraphPlan &plan, OperationId launch) {
  Run(driver, launch).graph(plan, Clock());
}

} // namespace sluice::rt::sim
