// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "state": variables by reference and by handle, assertions and
// printing.
#include "compiler/import/GraphBuilder.h"
#include "compiler/import/tensorflow/Lists.h"
#include "compiler/import/tensorflow/PointUpdates.h"

using namespace mlir;

namespace sluice::import {

namespace {

// ---- Variables

template <typename OpT, typename HandleT> void variable(Expansion &e) {
  auto declaration = e.graph().declarations().variable(e.graph().graph(), e.index(), e.loc());
  if (!declaration)
    return e.graph().setFailed(e.index());
  auto op = e.effect<OpT>(HandleT::get(e.builder().getContext(), declaration->type), {},
                          e.builder().getNamedAttr("variable", declaration->symbol));
  e.result(0, op.getResult());
}

Value readHandle(Expansion &e, ArrayRef<Value> triggers) {
  SmallVector<Value> operands{e.input(0)};
  operands.append(triggers.begin(), triggers.end());
  auto read = e.effect<state::ReadOp>(e.heldType(e.input(0)), operands);
  e.done({}); // the control output follows the node's result, not the read alone
  return read.getValue();
}

bool holdsLists(Value variable) { return !isa<TensorType>(Expansion::heldType(variable)); }

void readVariable(Expansion &e) {
  if (!e.hasVariables(1, Expansion::Holding::kAnything))
    return;
  DataType dtype = e.dataTypeAttr("dtype");
  bool fits = holdsLists(e.input(0)) ? dtype == graphdef::DT_VARIANT
                                     : e.valueType(e.input(0)).getElementType() ==
                                           elementTypeOf(e.builder().getContext(), dtype);
  if (!fits)
    return e.fail(ExitCode::kBadGraph,
                  "expected to read " + typeName(dtype) + " but the variable holds another type");
  e.result(0, readHandle(e, {}));
}

// Reads when the indices are there, then gathers.
void resourceGather(Expansion &e) {
  if (!e.hasVariables(1, Expansion::Holding::kAnything))
    return;
  Value params = readHandle(e, e.input(1));
  if (holdsLists(e.input(0))) {
    if (Value gathered = gatherLists(e, params, e.input(1)))
      e.result(0, gathered);
    return;
  }
  int64_t batchDims = e.intAttr("batch_dims"); // also the axis: the first one that is not a batch's
  e.result(0, e.like<nd::GatherOp>({params, e.input(1), e.int32(batchDims)},
                                   e.number("batch_dims", batchDims)));
}

void resourceGatherNd(Expansion &e) {
  if (e.hasVariables(1))
    e.result(0, e.like<nd::GatherNdOp>({readHandle(e, e.input(1)), e.input(1)}));
}

// An effect on the variable that comes first. A reference goes on to the node's output.
template <typename OpT> void update(Expansion &e, ArrayRef<NamedAttribute> attributes = {}) {
  if (e.hasVariables(1))
    e.forwardVariable(e.effect<OpT>({}, e.inputs(), attributes).getDone());
}

template <typename OpT> void plainUpdate(Expansion &e) { update<OpT>(e); }

void assign(Expansion &e) {
  if (!e.hasVariables(1, Expansion::Holding::kAnything))
    return;
  if (holdsLists(e.input(0)) != isListValue(e.input(1)))
    return e.fail(ExitCode::kBadGraph, "expected a value of the type that the variable holds");
  e.forwardVariable(e.effect<state::AssignOp>(
                         {}, e.inputs(), e.flag("validate_shape", e.boolAttr("validate_shape")))
                        .getDone());
}

void scatterUpdate(Expansion &e) {
  if (!e.hasVariables(1, Expansion::Holding::kAnything))
    return;
  if (!holdsLists(e.input(0)))
    return update<state::ScatterUpdateOp>(e);
  if (!isListValue(e.input(2)))
    return e.fail(ExitCode::kBadGraph, "expected lists, as the variable holds");
  Value held = readHandle(e, e.inputs().drop_front());
  if (Value updated = scatterLists(e, held, e.input(1), e.input(2)))
    e.effect<state::AssignOp>({}, {e.input(0), updated}, e.flag("validate_shape", false));
}

template <PointUpdate kHow> void updatePoints(Expansion &e) {
  update<state::UpdatePointsOp>(e, attributesOfPointUpdate(e, kHow));
}

void countUpTo(Expansion &e) {
  if (!e.hasVariables(1))
    return;
  Type element = e.resultElement(0);
  if (e.valueType(e.input(0)).getElementType() != element)
    return e.fail(ExitCode::kBadGraph, "expected a variable of " + typeName(e.dataTypeAttr("T")) +
                                           " but it holds another type");
  e.result(0, e.effect<state::CountUpToOp>(unrankedOf(element), e.input(0),
                                           e.number("limit", e.intAttr("limit")))
                  .getResult());
}

void isInitialized(Expansion &e) {
  if (!e.hasVariables(1, Expansion::Holding::kAnything))
    return;
  Type type = unrankedOf(e.builder().getI1Type());
  e.result(0, e.effect<state::IsInitializedOp>(type, e.input(0)).getResult());
}

void variableShape(Expansion &e) {
  if (!e.hasVariables(1))
    return;
  Type type = unrankedOf(e.resultElement(0));
  e.result(0, e.effect<state::VariableShapeOp>(type, e.input(0)).getResult());
}

// What is read of a variable does not change with it, whatever the graph says of copies: all that
// is left is when the node is done.
void disableCopyOnRead(Expansion &e) {
  if (!e.hasVariables(1, Expansion::Holding::kAnything))
    return;
  SmallVector<Value> tokens(e.tokens());
  tokens.push_back(e.make<flow::AfterOp>(e.tokenType(), e.input(0)));
  e.done(tokens.size() == 1 ? tokens.front() : e.make<flow::JoinOp>(e.tokenType(), tokens));
}

// ---- Assertions and printing

void assertion(Expansion &e) {
  e.effect<state::AssertOp>({}, e.inputs(), e.number("summarize", e.intAttr("summarize")));
}

// The value goes on only when it has been printed.
void print(Expansion &e) {
  auto op = e.effect<state::PrintOp>({}, e.inputs().drop_front(),
                                     {e.text("message", e.stringAttr("message")),
                                      e.number("first_n", e.intAttr("first_n")),
                                      e.number("summarize", e.intAttr("summarize"))});
  e.result(0, e.gated(e.input(0), op.getDone()));
}

constexpr llvm::StringLiteral kVariable = "shape container shared_name";

constexpr OpExpansion kOps[] = {
    {"Variable", variable<state::ReferenceOp, state::RefType>, Style::kEffect, kVariable},
    {"VariableV2", variable<state::ReferenceOp, state::RefType>, Style::kEffect, kVariable},
    {"VarHandleOp", variable<state::HandleOp, state::ResourceType>, Style::kEffect, kVariable},
    moving({"ReadVariableOp", readVariable, Style::kEffect}),
    {"ResourceGather", resourceGather, Style::kEffect, "batch_dims"},
    {"ResourceGatherNd", resourceGatherNd, Style::kEffect},
    {"Assign", assign, Style::kEffect, "validate_shape"},
    {"AssignAdd", plainUpdate<state::AssignAddOp>, Style::kEffect},
    {"AssignSub", plainUpdate<state::AssignSubOp>, Style::kEffect},
    moving({"AssignVariableOp", assign, Style::kEffect, "validate_shape"}),
    {"AssignAddVariableOp", plainUpdate<state::AssignAddOp>, Style::kEffect},
    {"AssignSubVariableOp", plainUpdate<state::AssignSubOp>, Style::kEffect},
    {"ScatterUpdate", plainUpdate<state::ScatterUpdateOp>, Style::kEffect},
    {"ScatterAdd", plainUpdate<state::ScatterAddOp>, Style::kEffect},
    {"ScatterSub", plainUpdate<state::ScatterSubOp>, Style::kEffect},
    {"ScatterMul", plainUpdate<state::ScatterMulOp>, Style::kEffect},
    {"ScatterDiv", plainUpdate<state::ScatterDivOp>, Style::kEffect},
    {"ScatterMax", plainUpdate<state::ScatterMaxOp>, Style::kEffect},
    {"ScatterMin", plainUpdate<state::ScatterMinOp>, Style::kEffect},
    {"ResourceScatterUpdate", scatterUpdate, Style::kEffect},
    {"ResourceScatterAdd", plainUpdate<state::ScatterAddOp>, Style::kEffect},
    {"ResourceScatterSub", plainUpdate<state::ScatterSubOp>, Style::kEffect},
    {"ResourceScatterMul", plainUpdate<state::ScatterMulOp>, Style::kEffect},
    {"ResourceScatterDiv", plainUpdate<state::ScatterDivOp>, Style::kEffect},
    {"ResourceScatterMax", plainUpdate<state::ScatterMaxOp>, Style::kEffect},
    {"ResourceScatterMin", plainUpdate<state::ScatterMinOp>, Style::kEffect},
    {"ScatterNdUpdate", updatePoints<PointUpdate::kUpdate>, Style::kEffect, "bad_indices_policy"},
    {"ScatterNdAdd", updatePoints<PointUpdate::kAdd>, Style::kEffect, "bad_indices_policy"},
    {"ScatterNdSub", updatePoints<PointUpdate::kSub>, Style::kEffect, "bad_indices_policy"},
    {"ScatterNdMax", updatePoints<PointUpdate::kMax>, Style::kEffect, "bad_indices_policy"},
    {"ScatterNdMin", updatePoints<PointUpdate::kMin>, Style::kEffect, "bad_indices_policy"},
    {"ResourceScatterNdUpdate", updatePoints<PointUpdate::kUpdate>, Style::kEffect,
     "bad_indices_policy"},
    {"ResourceScatterNdAdd", updatePoints<PointUpdate::kAdd>, Style::kEffect, "bad_indices_policy"},
    {"ResourceScatterNdSub", updatePoints<PointUpdate::kSub>, Style::kEffect, "bad_indices_policy"},
    {"ResourceScatterNdMax", updatePoints<PointUpdate::kMax>, Style::kEffect, "bad_indices_policy"},
    {"ResourceScatterNdMin", updatePoints<PointUpdate::kMin>, Style::kEffect, "bad_indices_policy"},
    {"CountUpTo", countUpTo, Style::kEffect, "limit"},
    {"ResourceCountUpTo", countUpTo, Style::kEffect, "limit"},
    {"IsVariableInitialized", isInitialized, Style::kEffect},
    {"VarIsInitializedOp", isInitialized, Style::kEffect},
    {"VariableShape", variableShape, Style::kEffect},
    {"DisableCopyOnRead", disableCopyOnRead, Style::kEffect},
    {"Assert", assertion, Style::kEffect, "summarize"},
    {"Print", print, Style::kEffect, "message first_n summarize"},
};

} // namespace

ArrayRef<OpExpansion> stateOps() { return kOps; }

} // namespace sluice::import
