// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists for builders of ops that take tensors and lists alike, and of those that stand in for one.
#pragma once

#include "compiler/import/GraphBuilder.h"
#include "compiler/import/tensorflow/Expansion.h"

#include "dialects/list/List.h"

namespace sluice::import {

bool isListValue(Value value);
// What a variant is before import-resolve-lists.
Type unknownList(Expansion &e);
// One without elements, of whatever type others turn out to be.
Value emptyList(Expansion &e);

// ZerosLike and AddN of lists.
void zerosLikeList(Expansion &e);
void addLists(Expansion &e);

// Pack, Unpack and StridedSlice of tensors of lists.
void packLists(Expansion &e);
void unpackLists(Expansion &e);
void sliceLists(Expansion &e);
// The lists at `indices`: one for a scalar, else a list of them. Null after a diagnostic.
Value gatherLists(Expansion &e, Value list, Value indices);
// `list` with `updates`, which is one list for a scalar, at `indices`. Null after a diagnostic.
Value scatterLists(Expansion &e, Value list, Value indices, Value updates);

// An op whose inputs are all lists, or all tensors.
template <void (*ofLists)(Expansion &), void (*ofTensors)(Expansion &)>
void listOrTensor(Expansion &e) {
  auto lists = llvm::count_if(e.inputs(), isListValue);
  if (lists == 0)
    return ofTensors(e);
  if (static_cast<size_t>(lists) == e.numInputs())
    return ofLists(e);
  e.fail(ExitCode::kBadGraph, "expected all inputs to be lists, or none of them");
}

// An op on a list, or on a tensor, with operands that are tensors.
template <void (*ofList)(Expansion &), void (*ofTensor)(Expansion &)>
void firstListOrTensor(Expansion &e) {
  if (llvm::any_of(e.inputs().drop_front(), isListValue))
    return e.fail(ExitCode::kBadGraph, "expected tensors as operands but the first");
  return isListValue(e.input(0)) ? ofList(e) : ofTensor(e);
}

} // namespace sluice::import
