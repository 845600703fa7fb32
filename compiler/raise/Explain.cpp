// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes down obstacles.
#include "compiler/raise/Explain.h"

#include "compiler/raise/RaiseGraph.h"

using namespace mlir;

namespace sluice::raise {

std::string explainRaise(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (auto graph : module.getOps<flow::GraphOp>()) {
    unsigned branches = 0, loops = 0;
    graph.walk([&](Operation *op) {
      branches += isa<flow::CondOp>(op);
      loops += isa<flow::WhileOp>(op);
    });
    std::vector<Obstacle> obstacles = findObstacles(graph);
    out << (text.empty() ? "" : "\n") << "signature '" << graph.getSymName() << "'\n  " << branches
        << " branches and " << loops << " loops have regions, " << obstacles.size()
        << " stay primitive\n";
    for (const Obstacle &obstacle : obstacles)
      out << "  " << obstacle.what << " at " << describe(obstacle.where) << ": " << obstacle.why
          << "\n";
  }
  return text;
}

} // namespace sluice::raise
