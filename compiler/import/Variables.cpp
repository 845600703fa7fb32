// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys, types and symbols of variables, generators and shared objects; values of constants.
#include "compiler/import/Variables.h"

#include "compiler/import/MlirTypes.h"
#include "compiler/import/savedmodel/RestoreMap.h"

#include "dialects/list/List.h"
#include "dialects/state/State.h"

using namespace mlir;

namespace sluice::import {

namespace {

bool isReferenceVariable(StringRef op) { return op == "VariableV2" || op == "Variable"; }

bool mayDifferInShape(Type a, Type b) {
  auto one = dyn_cast<TensorType>(a), other = dyn_cast<TensorType>(b);
  return one && other && one.getElementType() == other.getElementType() &&
         (!one.hasRank() || !other.hasRank());
}

} // namespace

Declarations::Declarations(ModuleOp module, llvm::ArrayRef<std::string> graphNames,
                           InitialValues *values, DiagnosticList &diagnostics)
    : values_(values), diagnostics_(diagnostics), module_(module), builder_(module.getContext()) {
  for (const std::string &name : graphNames)
    symbols_.insert(name);
}

// An assignment that does not check shapes makes the declared shape a mere hint.
void Declarations::addGraph(const Graph &graph) {
  for (const Node &node : graph.nodes()) {
    if (node.opName() != "Assign")
      continue;
    const graphdef::AttrValue *validate = graph.attribute(node, "validate_shape");
    if (!validate || validate->b())
      continue;
    // Forwarding ops give on their first input; the walk is bounded because loops may turn it.
    constexpr int kMaxSteps = 100;
    uint32_t at = node.inputs.empty() ? 0 : node.inputs[0].node;
    for (int i = 0; i < kMaxSteps && !isReferenceVariable(graph.node(at).opName()) &&
                    !graph.node(at).inputs.empty();
         ++i)
      at = graph.node(at).inputs[0].node;
    if (isReferenceVariable(graph.node(at).opName()))
      loose_.insert(graph.node(at).def);
    else
      allLoose_ = true;
  }
}

Type Declarations::declaredType(const Graph &graph, uint32_t index) const {
  const Node &node = graph.node(index);
  const graphdef::TensorShapeProto &shape = graph.attribute(node, "shape")->shape();
  DataType dtype = graph.attribute(node, "dtype")->type();
  if (dtype == graphdef::DT_VARIANT && node.opName() == "VarHandleOp")
    return heldTypeOf(builder_.getContext(), dtype, shape);
  Type element = elementTypeOf(builder_.getContext(), dtype);
  if (!element)
    return nullptr;
  // The first kind of variable wrote an unknown shape as that of a scalar.
  bool unknown = node.opName() == "Variable" && shape.dim_size() == 0;
  if (unknown || allLoose_ || loose_.contains(node.def))
    return unrankedOf(element);
  return tensorTypeOf(element, shape);
}

FlatSymbolRefAttr Declarations::freshSymbol(const std::string &wanted) {
  std::string name = wanted;
  for (unsigned i = 1; !symbols_.insert(name).second; ++i)
    name = wanted + "_" + std::to_string(i);
  return FlatSymbolRefAttr::get(builder_.getContext(), name);
}

// Declarations stand before the graphs, in the order of their first use.
void Declarations::declareNext() {
  if (lastDeclaration_)
    builder_.setInsertionPointAfter(lastDeclaration_);
  else
    builder_.setInsertionPointToStart(module_.getBody());
}

std::optional<VariableDeclaration> Declarations::variable(const Graph &graph, uint32_t index,
                                                          Location loc) {
  Type type = declaredType(graph, index);
  if (!type) {
    diagnostics_.error(ExitCode::kUnsupported, graph.place(index),
                       "variables of this element type are not supported");
    return std::nullopt;
  }
  std::string key = variableKey(*graph.node(index).def);
  auto [entry, isNew] = variables_.try_emplace(key);
  VariableDeclaration &declaration = entry->second;
  if (isNew) {
    declaration = {freshSymbol(key), type, graph.place(index)};
    declareNext();
    ElementsAttr initial;
    if (auto tensor = dyn_cast<TensorType>(type); tensor && values_)
      initial = values_->valueOf(key, tensor, graph.place(index), diagnostics_);
    lastDeclaration_ =
        state::VariableOp::create(builder_, loc, declaration.symbol.getValue(), key, type, initial);
    return declaration;
  }
  // One node seen by several signatures is no conflict, nor is a shape that only one node knows.
  if (declaration.type == type || mayDifferInShape(declaration.type, type))
    return declaration;
  diagnostics_.error(ExitCode::kBadGraph, graph.place(index),
                     "variable " + quoted(key) + ": expected " + textOf(declaration.type) +
                         " as in node " + quoted(declaration.place.node) + " but got " +
                         textOf(type));
  diagnostics_.note(declaration.place, "the other node is here");
  return std::nullopt;
}

ElementsAttr Declarations::constant(const Graph &graph, uint32_t index) {
  ElementsAttr &value = constants_[graph.node(index).def];
  if (!value)
    value = attributeOf(builder_.getContext(),
                        decodeTensor(graph.attribute(graph.node(index), "value")->tensor()));
  return value;
}

FlatSymbolRefAttr Declarations::object(const Graph &graph, uint32_t index, StringRef kind,
                                       Location loc, bool nodeNameCounts) {
  const graphdef::AttrValue *shared = graph.attribute(graph.node(index), "shared_name");
  bool isNamed = nodeNameCounts || (shared && !shared->s().empty());
  std::string key = variableKey(*graph.node(index).def), prefix = kind.str() + ' ';
  FlatSymbolRefAttr &symbol = objects_[prefix + (isNamed ? "named " : "own ") + key];
  if (!symbol) {
    symbol = freshSymbol(key);
    declareNext();
    if (!objectKeys_.insert(prefix + key).second)
      objectKeys_.insert(prefix + (key = symbol.getValue().str()));
    lastDeclaration_ = state::ObjectOp::create(builder_, loc, symbol.getValue(), key, kind);
  }
  return symbol;
}

FlatSymbolRefAttr Declarations::generator(const Graph &graph, uint32_t index, Location loc) {
  std::string key = graph.node(index).name().str();
  FlatSymbolRefAttr &symbol = generators_[key];
  if (!symbol) {
    symbol = freshSymbol(key);
    declareNext();
    lastDeclaration_ = state::GeneratorOp::create(builder_, loc, symbol.getValue(), key);
  }
  return symbol;
}

} // namespace sluice::import
