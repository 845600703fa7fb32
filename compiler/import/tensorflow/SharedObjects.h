// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For builders of ops on objects that calls share.
#pragma once

#include "compiler/import/GraphBuilder.h"
#include "compiler/import/tensorflow/Expansion.h"

namespace sluice::import {

// Whether input 0 is the handle of an object of this kind; else it fails.
bool hasObject(Expansion &e, llvm::StringRef kind);

// The attributes `object` and `name` of the handle of the node's object. With `nodeNameCounts`, a
// node that names no object means the one that is called like it.
llvm::SmallVector<mlir::NamedAttribute> declaredObject(Expansion &e, llvm::StringRef kind,
                                                       bool nodeNameCounts);

// The handle of the object that the node makes becomes its result.
template <typename OpT>
void giveHandle(Expansion &e, llvm::StringRef kind, llvm::ArrayRef<mlir::NamedAttribute> options,
                bool nodeNameCounts = false) {
  llvm::SmallVector<mlir::NamedAttribute> attributes = declaredObject(e, kind, nodeNameCounts);
  attributes.append(options.begin(), options.end());
  Type type = state::ObjectType::get(e.builder().getContext(), kind);
  e.result(0, e.effect<OpT>(type, {}, attributes).getResult());
}

// What the first version of a handle is as a tensor: the container and the name of the object, once
// it is there. The value itself if it is none.
Value nameOfObject(GraphBuilder &graph, Endpoint endpoint, Value value);

// The types of components, of the element types in the attribute `types` and the shapes in `shapes`
// if there are any. Nothing, after a diagnostic, where elements of a type are not supported.
std::optional<llvm::SmallVector<Type>> componentTypes(Expansion &e, llvm::StringRef types,
                                                      llvm::StringRef shapes);
mlir::NamedAttribute typesAttribute(Expansion &e, llvm::StringRef name, llvm::ArrayRef<Type> types);

// The types of the node's results from number `first` on, as far as its own signature tells.
llvm::SmallVector<Type> resultTypes(Expansion &e, size_t first = 0);
// All results of the op but the token become those of the node.
void giveResults(Expansion &e, mlir::Operation *op);

// Pack, Gather and RefSelect of handles.
void packHandles(Expansion &e);
void chooseHandle(Expansion &e, Value handles, Value index);

// An op whose first input is the handle of a shared object, or several, or something else.
template <void (*ofHandles)(Expansion &), void (*ofOthers)(Expansion &)>
void handlesOr(Expansion &e) {
  bool isHandle = llvm::isa<state::ObjectType, state::HandlesType>(e.input(0).getType());
  return isHandle ? ofHandles(e) : ofOthers(e);
}

} // namespace sluice::import
