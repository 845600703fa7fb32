// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass codegen-form-codelets.
#include "compiler/codegen/CodeletBuilder.h"
#include "compiler/codegen/CodeletGroups.h"
#include "compiler/codegen/Passes.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/nd/Nd.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::codegen {
#define GEN_PASS_DEF_CODEGENFORMCODELETS
#include "compiler/codegen/Passes.h.inc"
} // namespace sluice::codegen

namespace {

using namespace sluice;

// The graphs of each signature, by rank: a partitioned module has a module for each rank.
llvm::MapVector<StringRef, SmallVector<flow::TokenGraph>> signaturesOf(ModuleOp module) {
  llvm::MapVector<StringRef, SmallVector<flow::TokenGraph>> signatures;
  auto add = [&](ModuleOp part) {
    for (auto graph : part.getOps<flow::TokenGraph>())
      signatures[graph.getSymName()].push_back(graph);
  };
  add(module);
  for (auto part : module.getOps<ModuleOp>())
    add(part);
  return signatures;
}

bool isGatedConstant(Value value) {
  auto gate = value.getDefiningOp<flow::GateOp>();
  return gate && flow::isConstantLike(gate.getValue());
}

// op(x, gate(constant, token)) says the same as op(gate(x, token), constant), and shows the
// constant to whoever compiles the op.
void ungateConstants(Operation *op) {
  auto operands = op->getOpOperands();
  auto other = llvm::find_if(operands, [&](OpOperand &operand) {
    return !flow::isConstantLike(operand.get()) && !isGatedConstant(operand.get());
  });
  if (other == operands.end())
    return;
  llvm::SmallSetVector<Value, 4> tokens;
  for (OpOperand &operand : operands)
    if (isGatedConstant(operand.get())) {
      auto gate = operand.get().getDefiningOp<flow::GateOp>();
      tokens.insert(gate.getTokens().begin(), gate.getTokens().end());
      operand.set(gate.getValue());
    }
  DenseSet<Value> awaited(op->operand_begin(), op->operand_end());
  tokens.remove_if([&](Value token) { // of an operand, for which it waits anyway
    auto after = token.getDefiningOp<flow::AfterOp>();
    return after && awaited.contains(after.getValue());
  });
  if (tokens.empty())
    return;
  OpBuilder builder(op);
  Value value = other->get();
  other->set(
      flow::GateOp::create(builder, op->getLoc(), value.getType(), value, tokens.getArrayRef()));
}

void ungateConstants(flow::TokenGraph graph) {
  for (Operation &op : graph.getBody().getOps())
    if (op.hasTrait<Computes>())
      ungateConstants(&op);
  for (auto gate : llvm::make_early_inc_range(graph.getBody().getOps<flow::GateOp>()))
    if (gate.use_empty())
      gate.erase();
}

struct FormCodelets : codegen::impl::CodegenFormCodeletsBase<FormCodelets> {
  using Base::Base;

  void runOnOperation() override {
    for (auto &[name, graphs] : signaturesOf(getOperation())) {
      for (flow::TokenGraph graph : graphs)
        ungateConstants(graph);
      auto whole = codegen::WholeGraph::make(graphs);
      if (!whole)
        return signalPassFailure();
      for (const auto &group : codegen::CodeletGroups(*whole, graphs, maxOps).groups())
        form(group);
    }
  }

  void form(ArrayRef<Operation *> group) {
    codegen::CodeletBuilder builder(group, maxConstantBytes, keepUnused);
    if (builder.numOps() == 0)
      return;
    if (builder.isUnused()) // a collapsed branch or loop must not be left alone
      return builder.eraseMembers();
    if (!builder.isWorthwhile())
      return;
    builder.build();
    ++numCodelets;
    numOps += builder.numOps();
  }
};

} // namespace
