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

// "the card", or which of several.
static std::string nameOf(std::optional<unsigned> card, unsigned count) {
  return count > 1 ? "card " + std::to_string(*card) : std::string("the card");
}

// Of an op that a card has something to do with; empty for others.
static std::string describe(Operation *op, unsigned count, const CardWishes &wishes) {
  std::string text;
  llvm::raw_string_ostream out(text);
  StringRef node = nodeNameOf(op->getLoc());
  if (auto copy = dyn_cast<wire::CopyOp>(op)) {
    auto type = cast<RankedTensorType>(copy.getResult().getType());
    std::optional<unsigned> to = wire::cardOf(type), from = wire::cardOf(copy.getValue());
    out << "copy '" << node << "' ";
    if (to && from)
      out << "from " << nameOf(from, count) << " ";
    out << "to " << (to ? nameOf(to, count) : "the host") << ": " << wire::onHost(type);
  } else if (op->hasTrait<Computes>() && !op->hasTrait<IsConstant>() && op->getNumResults() > 0 &&
             wire::cardOf(op->getResult(0))) {
    out << op->getName() << " '" << node << "' on "
        << nameOf(wire::cardOf(op->getResult(0)), count);
  } else if (op->hasTrait<Computes>() && !op->hasTrait<IsConstant>() &&
             wishes.of(op).value_or(CardWishes::kHost) != CardWishes::kHost) {
    out << op->getName() << " '" << node << "' on the host, though its node asks for a card: "
        << (canRunOnCard(op) ? "it is for single numbers" : "a card has no code for it");
  }
  return text;
}

std::string explainCards(ModuleOp program) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (!program->hasAttr(kHasCardAttr))
    return text;
  unsigned count = cardsOf(program);
  CardWishes wishes(program);
  for (auto variable : program.getOps<state::VariableOp>())
    if (wire::cardOf(variable.getType()))
      out << "variable '" << variable.getKey() << "' lives on "
          << nameOf(wire::cardOf(variable.getType()), count) << ": "
          << wire::onHost(cast<RankedTensorType>(variable.getType())) << "\n";
  for (auto graph : program.getOps<flow::GraphOp>()) {
    out << "signature '" << graph.getSymName() << "', with "
        << (count > 1 ? std::to_string(count) + " cards" : "a card") << "\n";
    auto frames = flow::FrameAnalysis::run(graph);
    std::vector<std::vector<std::string>> lines(frames->frames().size());
    for (Operation &op : graph.getBody().front())
      if (std::string line = describe(&op, count, wishes); !line.empty())
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
