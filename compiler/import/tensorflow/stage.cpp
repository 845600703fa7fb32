// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "stage": staging areas. Their ops have no handles: each names its
// area.
#include "compiler/import/tensorflow/SharedObjects.h"

using namespace mlir;

namespace sluice::import {

namespace {

// The handle of the area that the node names, made when and where the node's inputs are there.
Value area(Expansion &e, bool keyed) {
  SmallVector<NamedAttribute> attributes = declaredObject(e, "stage", /*nodeNameCounts=*/true);
  attributes.append({e.flag("keyed", keyed), e.number("capacity", e.intAttr("capacity")),
                     e.number("memory_limit", e.intAttr("memory_limit"))});
  SmallVector<Value> after(e.tokens());
  if (llvm::any_of(e.inputs(), [](Value input) { return !input.getDefiningOp<nd::ConstantOp>(); }))
    after.push_back(e.graph().joined(e.inputs(), e.loc()));
  Type type = state::ObjectType::get(e.builder().getContext(), "stage");
  return e.make<state::StageHandleOp>({type, e.tokenType()}, after, attributes).getResult();
}

// An op on the area, with the node's inputs behind its handle.
template <typename OpT>
OpT onArea(Expansion &e, bool keyed, ArrayRef<NamedAttribute> attributes = {}) {
  SmallVector<Value> operands{area(e, keyed)};
  llvm::append_range(operands, e.inputs());
  return e.effect<OpT>(resultTypes(e), operands, attributes);
}

void put(Expansion &e) { onArea<state::StagePutOp>(e, false); }
void take(Expansion &e) { giveResults(e, onArea<state::StageTakeOp>(e, false)); }
void peek(Expansion &e) { giveResults(e, onArea<state::StagePeekOp>(e, false)); }

void putAt(Expansion &e) {
  int64_t size = e.attribute("dtypes")->list().type_size();
  onArea<state::StagePutAtOp>(e, true, e.number("size", size));
}
template <bool kKeeps> void takeAt(Expansion &e) {
  giveResults(e, onArea<state::StageTakeAtOp>(e, true, e.flag("keeps", kKeeps)));
}
void takeLeast(Expansion &e) { giveResults(e, onArea<state::StageTakeLeastOp>(e, true)); }

template <bool kKeyed, bool kIncomplete> void size(Expansion &e) {
  giveResults(e, onArea<state::StageSizeOp>(e, kKeyed, e.flag("incomplete", kIncomplete)));
}
template <bool kKeyed> void clear(Expansion &e) { onArea<state::StageClearOp>(e, kKeyed); }

constexpr llvm::StringLiteral kArea = "capacity memory_limit dtypes container shared_name";

constexpr OpExpansion kOps[] = {
    {"Stage", put, Style::kEffect, kArea},
    {"Unstage", take, Style::kEffect, kArea},
    {"StagePeek", peek, Style::kEffect, kArea},
    {"StageSize", size<false, false>, Style::kEffect, kArea},
    {"StageClear", clear<false>, Style::kEffect, kArea},
    {"MapStage", putAt, Style::kEffect, kArea},
    {"MapUnstage", takeAt<false>, Style::kEffect, kArea},
    {"MapUnstageNoKey", takeLeast, Style::kEffect, kArea},
    {"MapPeek", takeAt<true>, Style::kEffect, kArea},
    {"MapSize", size<true, false>, Style::kEffect, kArea},
    {"MapIncompleteSize", size<true, true>, Style::kEffect, kArea},
    {"MapClear", clear<true>, Style::kEffect, kArea},
    {"OrderedMapStage", putAt, Style::kEffect, kArea},
    {"OrderedMapUnstage", takeAt<false>, Style::kEffect, kArea},
    {"OrderedMapUnstageNoKey", takeLeast, Style::kEffect, kArea},
    {"OrderedMapPeek", takeAt<true>, Style::kEffect, kArea},
    {"OrderedMapSize", size<true, false>, Style::kEffect, kArea},
    {"OrderedMapIncompleteSize", size<true, true>, Style::kEffect, kArea},
    {"OrderedMapClear", clear<true>, Style::kEffect, kArea},
};

} // namespace

ArrayRef<OpExpansion> stageOps() { return kOps; }

} // namespace sluice::import
