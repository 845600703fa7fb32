// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which phase IR is of, by the first op that only this phase makes.
#include "compiler/pipeline/ResumeFromIr.h"

#include "compiler/pipeline/PhaseTable.h"

#include "dialects/exe/Exe.h"
#include "dialects/flow/CodeletSymbol.h"
#include "dialects/flow/Flow.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/interfaces/Faces.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace sluice {

static std::optional<PhaseId> laterPhaseOf(Operation *op) {
  if (isa<exe::ExeDialect>(op->getDialect()))
    return PhaseId::kEmit;
  if (op->hasAttr(flow::kSymbolAttr) || flow::isCollapsed(op))
    return PhaseId::kCodegen;
  bool isRank = isa<ModuleOp>(op) && op->getParentOp();
  return isRank || op->hasTrait<CrossesDevices>() ? std::optional(PhaseId::kPartition)
                                                  : std::nullopt;
}

LogicalResult checkCanResume(ModuleOp module) {
  // Tables and codelets lie within ranks, and say more than these: they come first.
  Operation *found = nullptr;
  std::optional<PhaseId> latest;
  module.walk([&](Operation *op) {
    std::optional<PhaseId> phase = laterPhaseOf(op);
    if (phase && (!latest || *phase > *latest)) {
      latest = phase;
      found = op;
    }
  });
  if (latest)
    return emitError(found->getLoc(), "expected IR of a phase up to '")
           << phase(PhaseId::kPlace).name << "' but got IR of '" << phase(*latest).name
           << "', which cannot be compiled on; compile the graph, or its IR after an earlier phase "
              "(--stop-after)";
  if (module.getOps<flow::GraphOp>().empty())
    return emitError(module.getLoc(),
                     "expected a flow.graph for each signature but got a module without any");
  return success();
}

static void dissolve(flow::CodeletOp codelet) {
  OpBuilder builder(codelet);
  Location location = codelet.getLoc();
  Block &body = codelet.getBody().front();
  IRMapping here;
  here.map(body.getArguments(), codelet.getInputs());
  for (Operation &op : body.without_terminator())
    builder.clone(op, here);
  SmallVector<Value> tokens;
  for (Value input : codelet.getInputs())
    if (!flow::isConstantLike(input))
      tokens.push_back(
          flow::AfterOp::create(builder, location, builder.getType<flow::TokenType>(), input));
  for (auto [result, value] :
       llvm::zip_equal(codelet.getResults(), body.getTerminator()->getOperands())) {
    Value given = here.lookup(value);
    if (!tokens.empty())
      given = flow::GateOp::create(builder, location, given.getType(), given, tokens);
    result.replaceAllUsesWith(given);
  }
  codelet.erase();
}

void dissolveCodelets(ModuleOp module) {
  module.walk([](flow::CodeletOp codelet) { dissolve(codelet); });
}

} // namespace sluice
