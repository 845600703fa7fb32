// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles of shared objects, and what their ops have in common.
#include "compiler/import/tensorflow/SharedObjects.h"

using namespace mlir;

namespace sluice::import {

bool hasObject(Expansion &e, StringRef kind) {
  if (state::isObject(e.input(0).getType(), kind))
    return true;
  e.fail(ExitCode::kBadGraph, "input 0: expected the handle of a " + kind.str());
  return false;
}

SmallVector<NamedAttribute> declaredObject(Expansion &e, StringRef kind, bool nodeNameCounts) {
  std::string shared = e.stringAttr("shared_name");
  FlatSymbolRefAttr symbol =
      e.graph().declarations().object(e.graph().graph(), e.index(), kind, e.loc(), nodeNameCounts);
  return {e.builder().getNamedAttr("object", symbol),
          e.text("name", shared.empty() ? e.name() : shared)};
}

Value nameOfObject(GraphBuilder &graph, Endpoint endpoint, Value value) {
  std::optional<uint32_t> origin = graph.handles().originOf(endpoint);
  if (!isa<state::ObjectType>(value.getType()) || !origin)
    return value;
  const Node &node = graph.graph().node(*origin);
  auto textOf = [&](StringRef name) -> StringRef {
    const graphdef::AttrValue *text = graph.graph().attribute(node, name);
    return text ? StringRef(text->s()) : "";
  };
  StringRef container = textOf("container"), name = textOf("shared_name");
  SmallVector<StringRef> both{container.empty() ? "localhost" : container,
                              name.empty() ? node.name() : name};
  OpBuilder &builder = graph.builder();
  Location loc = graph.locationOf(endpoint.node);
  auto type = RankedTensorType::get({2}, nd::StringType::get(builder.getContext()));
  Value names =
      nd::ConstantOp::create(builder, loc, type, DenseStringElementsAttr::get(type, both));
  return flow::GateOp::create(builder, loc, type, names, graph.joined(value, loc));
}

std::optional<SmallVector<Type>> componentTypes(Expansion &e, StringRef types, StringRef shapes) {
  const auto &ofTypes = e.attribute(types)->list().type();
  const auto &ofShapes = e.attribute(shapes)->list().shape();
  if (!ofShapes.empty() && ofShapes.size() != ofTypes.size()) {
    e.fail(ExitCode::kBadGraph,
           "attribute " + quoted(shapes.str()) + ": expected " + std::to_string(ofTypes.size()) +
               " shapes, as many as types, but got " + std::to_string(ofShapes.size()));
    return std::nullopt;
  }
  SmallVector<Type> components;
  for (int i = 0; i < ofTypes.size(); ++i) {
    auto type = static_cast<DataType>(ofTypes[i]);
    Type element = elementTypeOf(e.builder().getContext(), type);
    if (!element) {
      e.unsupported("attribute " + quoted(types.str()) + ": elements of " + typeName(type) +
                    " are not supported");
      return std::nullopt;
    }
    components.push_back(ofShapes.empty() ? unrankedOf(element)
                                          : tensorTypeOf(element, ofShapes[i]));
  }
  return components;
}

NamedAttribute typesAttribute(Expansion &e, StringRef name, ArrayRef<Type> types) {
  return e.builder().getNamedAttr(name, e.builder().getTypeArrayAttr(types));
}

SmallVector<Type> resultTypes(Expansion &e, size_t first) {
  SmallVector<Type> types;
  for (size_t slot = first; slot < e.numResults(); ++slot)
    types.push_back(unrankedOf(e.resultElement(slot)));
  return types;
}

void giveResults(Expansion &e, Operation *op) {
  for (uint32_t slot = 0; slot < e.numResults(); ++slot)
    e.result(slot, op->getResult(slot));
}

void packHandles(Expansion &e) {
  auto first = dyn_cast<state::ObjectType>(e.input(0).getType());
  bool areAlike =
      first && llvm::all_of(e.inputs(), [&](Value input) { return input.getType() == first; });
  if (!areAlike)
    return e.unsupported("expected handles of shared objects of one kind");
  Type type = state::HandlesType::get(e.builder().getContext(), first.getKind());
  e.result(0, e.effect<state::PackHandlesOp>(type, e.inputs()).getResult());
}

void chooseHandle(Expansion &e, Value handles, Value index) {
  auto several = dyn_cast<state::HandlesType>(handles.getType());
  auto scalar = dyn_cast<RankedTensorType>(index.getType());
  if (!several || (scalar && scalar.getRank() != 0))
    return e.unsupported("handles are chosen one at a time, out of several that were packed");
  Type type = state::ObjectType::get(e.builder().getContext(), several.getKind());
  e.result(0, e.effect<state::ChooseHandleOp>(type, ValueRange{handles, index}).getResult());
}

} // namespace sluice::import
