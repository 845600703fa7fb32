// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "control flow": constants, placeholders, identities, the
// primitives, and nodes that only order others.
#include "compiler/import/GraphBuilder.h"
#include "compiler/import/tensorflow/Expansion.h"
#include "compiler/import/tensorflow/Lists.h"

using namespace mlir;

namespace sluice::import {

namespace {

void buildConst(Expansion &e) {
  if (!isTensorType(e.dataTypeAttr("dtype")))
    return e.unsupported("constants of " + typeName(e.dataTypeAttr("dtype")) +
                         " are not supported");
  ElementsAttr value = e.graph().declarations().constant(e.graph().graph(), e.index());
  Value constant = nd::ConstantOp::create(e.builder(), e.loc(), value.getType(), value);
  e.result(0, e.gated(constant, e.tokens()));
}

void buildPlaceholder(Expansion &e) {
  e.fail(ExitCode::kUsage, "expected this placeholder to be fed; use --feed " + e.name());
}

void buildForward(Expansion &e) { e.result(0, e.input(0)); }

void buildIdentityN(Expansion &e) {
  for (auto [i, value] : llvm::enumerate(e.afterAllInputs(e.inputs())))
    e.result(static_cast<uint32_t>(i), e.gated(value, e.tokens()));
}

void buildNoOp(Expansion &e) {
  if (e.tokens().empty())
    e.done(e.graph().startToken());
  else
    e.done(e.make<flow::JoinOp>(e.tokenType(), e.tokens()));
}

void buildControlTrigger(Expansion &e) {
  if (e.tokens().empty())
    e.done(e.graph().startToken());
  else
    e.done(e.make<flow::TriggerOp>(e.tokenType(), e.tokens()));
}

void buildSwitch(Expansion &e) {
  Type type = e.input(0).getType();
  auto predicate = dyn_cast<RankedTensorType>(e.input(1).getType());
  if (predicate && predicate.getRank() != 0) // what is not known now shows when the program runs
    return e.fail(ExitCode::kBadGraph, "input 1: expected a scalar as predicate but got rank " +
                                           std::to_string(predicate.getRank()));
  auto op = e.make<flow::SwitchOp>({type, type, e.tokenType()}, {e.input(0), e.input(1)});
  e.result(0, op.getOnFalse());
  e.result(1, op.getOnTrue());
  e.done(op.getToken());
}

// The type of a merge's value: that of its operands, without their shapes.
Type mergedType(Expansion &e, ArrayRef<Value> values) {
  Type type = values.front().getType();
  if (auto tensor = dyn_cast<TensorType>(type))
    return unrankedOf(tensor.getElementType());
  for (Value value : values)
    if (isListValue(value) && isListValue(values.front())) {
      if (isa<list::UnknownType>(type)) // what elements they have is found out later
        type = value.getType();
    } else if (value.getType() != type)
      e.unsupported("inputs refer to variables, arrays or stacks of different types");
  return type;
}

void buildMerge(Expansion &e) {
  GraphBuilder &graph = e.graph();
  SmallVector<Value> forward, operands;
  for (Value value : e.inputs()) {
    if (value && !graph.carriesReference(e.index()))
      value = graph.readReference(value, e.loc(), {});
    if (value)
      forward.push_back(value);
    operands.push_back(value);
  }
  Type type = mergedType(e, forward);
  for (Value &operand : operands) // a back edge comes later; until then some value stands for it
    operand = operand ? operand : forward.front();
  operands.append(e.tokens().begin(), e.tokens().end());
  Type index = RankedTensorType::get({}, e.builder().getI32Type());
  auto op = e.make<flow::MergeOp>({type, index, e.tokenType()}, operands);
  for (unsigned i = 0; i < e.numInputs(); ++i)
    if (!e.input(i))
      graph.addBackEdge(op, i, e.node().inputs[i]);
  e.result(0, op.getValue());
  e.result(1, op.getIndex());
  e.done(op.getToken());
}

void buildEnter(Expansion &e) {
  auto op = e.make<flow::EnterOp>(
      e.input(0).getType(), e.input(0),
      {e.text("frame", e.stringAttr("frame_name")), e.flag("constant", e.boolAttr("is_constant")),
       e.number("parallel_iterations", e.intAttr("parallel_iterations"))});
  e.result(0, op.getResult());
}

template <typename OpT> void buildSameType(Expansion &e) {
  e.result(0, e.make<OpT>(e.input(0).getType(), e.input(0))->getResult(0));
}

// One that decides nothing just forwards.
void buildLoopCond(Expansion &e) {
  if (e.graph().isPivot(e.index()))
    buildSameType<flow::LoopCondOp>(e);
  else
    buildForward(e);
}

constexpr llvm::StringLiteral kFrame = "frame_name is_constant parallel_iterations";

constexpr OpExpansion kOps[] = {
    moving({"Const", buildConst, Style::kOwn, "value"}),
    moving({"Placeholder", buildPlaceholder, Style::kOwn, "shape"}),
    {"PlaceholderV2", buildPlaceholder, Style::kOwn, "shape"},
    moving({"PlaceholderWithDefault", buildForward, Style::kForward, "shape"}),
    moving({"Identity", buildForward, Style::kForward}),
    {"RefIdentity", buildForward, Style::kForward},
    moving({"GuaranteeConst", buildForward, Style::kForward}),
    moving({"Snapshot", buildForward, Style::kForward}),
    moving({"IdentityN", buildIdentityN, Style::kEffect}),
    {"NoOp", buildNoOp, Style::kOwn},
    {"ControlTrigger", buildControlTrigger, Style::kOwn},
    moving({"Switch", buildSwitch, Style::kForward}),
    {"RefSwitch", buildSwitch, Style::kForward},
    moving({"Merge", buildMerge, Style::kOwn}),
    {"RefMerge", buildMerge, Style::kOwn},
    moving({"Enter", buildEnter, Style::kForward, kFrame}),
    {"RefEnter", buildEnter, Style::kForward, kFrame},
    moving({"Exit", buildSameType<flow::ExitOp>, Style::kForward}),
    {"RefExit", buildSameType<flow::ExitOp>, Style::kForward},
    moving({"NextIteration", buildSameType<flow::NextIterationOp>, Style::kForward}),
    {"RefNextIteration", buildSameType<flow::NextIterationOp>, Style::kForward},
    {"LoopCond", buildLoopCond, Style::kPure},
};

} // namespace

ArrayRef<OpExpansion> controlFlowOps() { return kOps; }

} // namespace sluice::import
