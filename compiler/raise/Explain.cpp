// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes down obstacles.
#include "compiler/raise/Explain.h"

#include "compiler/raise/Containers.h"
#include "compiler/raise/GraphFacts.h"
#include "compiler/raise/RaiseGraph.h"

using namespace mlir;

namespace sluice::raise {

std::vector<RaiseOutcome> raiseOutcomes(ModuleOp module) {
  std::vector<RaiseOutcome> outcomes;
  for (auto graph : module.getOps<flow::TokenGraph>()) {
    RaiseOutcome outcome;
    outcome.signature = graph.getSymName().str();
    graph.walk([&](Operation *op) {
      outcome.branches += isa<flow::CondOp>(op);
      outcome.loops += isa<flow::WhileOp>(op);
    });
    for (const Obstacle &obstacle : findObstacles(graph))
      outcome.primitives.push_back({obstacle.what, describe(obstacle.where), obstacle.why});
    Containers containers(graph);
    for (const auto &container : containers.all())
      if (!container->isGradient() && !container->obstacle.empty())
        outcome.primitives.push_back({isa<array::CreateOp>(container->create) ? "array" : "stack",
                                      describe(container->create), container->obstacle});
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

std::string explainRaise(ArrayRef<RaiseOutcome> outcomes) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const RaiseOutcome &outcome : outcomes) {
    out << (text.empty() ? "" : "\n") << "signature '" << outcome.signature << "'\n  "
        << outcome.branches << " branches and " << outcome.loops << " loops have regions, "
        << outcome.primitives.size() << " stay primitive\n";
    for (const Primitive &primitive : outcome.primitives)
      out << "  " << primitive.what << " at " << primitive.where << ": " << primitive.why << "\n";
  }
  return text;
}

} // namespace sluice::raise
