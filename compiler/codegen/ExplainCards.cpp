// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs on the card of a rank, in words.
#include "compiler/codegen/ExplainCards.h"

#include "compiler/codegen/CardWork.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/interfaces/NodeName.h"
#include "dialects/state/State.h"
#include "dialects/wire/Memory.h"
#include "dialects/wire/Wire.h"

using namespace mlir;

namespace sluice::codegen {

// Of an op that the card has something to do with; empty for others.
static std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream out(text);
  StringRef node = nodeNameOf(op->getLoc());
  if (auto copy = dyn_cast<wire::CopyOp>(op)) {
    auto type = cast<RankedTensorType>(copy.getResult().getType());
    out << "copy '" << node << "' to the " << (wire::cardOf(type) ? "card" : "host") << ": "
        << wire::onHost(type);
  } else if (op->hasTrait<Computes>() && !op->hasTrait<IsConstant>() && op->getNumResults() > 0 &&
             wire::cardOf(op->getResult(0))) {
    out << op->getName() << " '" << node << "' on the card";
  }
  return text;
}

std::string explainCards(ModuleOp program) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (!program->hasAttr(kHasCardAttr))
    return text;
  for (auto variable : program.getOps<state::VariableOp>())
    if (wire::cardOf(variable.getType()))
      out << "variable '" << variable.getKey()
          << "' lives on the card: " << wire::onHost(cast<RankedTensorType>(variable.getType()))
          << "\n";
  for (auto graph : program.getOps<flow::GraphOp>()) {
    out << "signature '" << graph.getSymName() << "', with a card\n";
    auto frames = flow::FrameAnalysis::run(graph);
    std::vector<std::vector<std::string>> lines(frames->frames().size());
    for (Operation &op : graph.getBody().front())
      if (std::string line = describe(&op); !line.empty())
        lines[frames->frameOf(&op)].push_back(std::move(line));
    for (auto [number, frame] : llvm::enumerate(frames->frames())) {
      if (lines[number].empty())
        continue;
      out << "  in each "
          << (number ? "iteration of '" + std::string(frame.name) + "'" : std::string("call"))
          << "\n";
      for (const std::string &line : lines[number])
        out << "    " << line << "\n";
    }
  }
  return text;
}

} // namespace sluice::codegen
