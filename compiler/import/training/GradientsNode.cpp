// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The node of a training step that stands for all derivatives: its op, and what is built for it.
#include "compiler/import/training/GradientsNode.h"

#include "compiler/import/GraphBuilder.h"

using namespace mlir;

namespace sluice::import {

// The loss comes first, then the variables.
static void gradients(Expansion &e) {
  Value loss = e.graph().readReference(e.input(0), e.loc(), {});
  auto type = dyn_cast<TensorType>(loss.getType());
  if (!type || !isa<FloatType>(type.getElementType()))
    return e.fail(ExitCode::kUsage,
                  "expected a loss of floats to train for but got " + textOf(loss.getType()));
  ValueRange variables = ValueRange(e.inputs()).drop_front();
  if (!e.tokens().empty())
    loss = e.gated(loss, e.tokens());
  SmallVector<Type> types;
  for (Value variable : variables) {
    if (!isa<state::RefType, state::ResourceType>(variable.getType()))
      return e.fail(ExitCode::kBadGraph, "expected a variable");
    types.push_back(Expansion::heldType(variable));
  }
  auto request =
      flow::GradientOp::create(e.builder(), e.loc(), types, loss, ValueRange(), variables,
                               ValueRange(), e.builder().getStringAttr("train"));
  for (auto [i, result] : llvm::enumerate(request.getResults()))
    e.result(static_cast<uint32_t>(i), result);
}

const OpExpansion &gradientsExpansion() {
  static constexpr OpExpansion line{kGradientsOp, gradients, Style::kOwn};
  return line;
}

std::unique_ptr<OpSignature> gradientsOp() {
  auto op = std::make_unique<OpSignature>();
  op->name = kGradientsOp;
  op->isOurs = true;
  auto argument = [](llvm::StringRef name, llvm::StringRef type, bool isList) {
    ArgSignature made;
    made.name = name;
    made.typeAttr = type;
    made.typeList = isList;
    return made;
  };
  op->inputs = {argument("y", "Ty", false), argument("xs", "Txs", true)};
  op->outputs = {argument("results", "Tresults", true)};
  for (llvm::StringRef name : {"Ty", "Txs", "Tresults"}) {
    AttrSignature attribute;
    attribute.name = name;
    attribute.kind = AttrKind::kType;
    attribute.isList = name != "Ty";
    op->attributes.push_back(attribute);
  }
  return op;
}

} // namespace sluice::import
