// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys, types and symbols of variables, generators and tables; values of constants.
#include "compiler/import/Variables.h"

#include "compiler/import/MlirTypes.h"

#include "dialects/state/State.h"

using namespace mlir;

namespace sluice::import {

namespace {

bool isReferenceVariable(StringRef op) { return op == "VariableV2" || op == "Variable"; }

std::string text(const Graph &graph, const Node &node, StringRef attribute) {
  const graphdef::AttrValue *value = graph.attribute(node, attribute);
  return value ? value->s() : "";
}

std::string keyOf(const Graph &graph, const Node &node) {
  std::string key = text(graph, node, "shared_name");
  if (key.empty())
    key = node.name().str();
  std::string container = text(graph, node, "container");
  return container.empty() ? key : container + "/" + key;
}

std::string textOf(Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}

} // namespace

Declarations::Declarations(const Graph &graph, ModuleOp module,
                           llvm::ArrayRef<std::string> graphNames, DiagnosticList &diagnostics)
    : graph_(graph), diagnostics_(diagnostics), module_(module), builder_(module.getContext()) {
  for (const std::string &name : graphNames)
    symbols_.insert(name);
  findLooseAssignments();
}

// An assignment that does not check shapes makes the declared shape a mere hint.
void Declarations::findLooseAssignments() {
  for (const Node &node : graph_.nodes()) {
    if (node.opName() != "Assign")
      continue;
    const graphdef::AttrValue *validate = graph_.attribute(node, "validate_shape");
    if (!validate || validate->b())
      continue;
    // Forwarding ops give on their first input; the walk is bounded because loops may turn it.
    constexpr int kMaxSteps = 100;
    uint32_t at = node.inputs.empty() ? 0 : node.inputs[0].node;
    for (int i = 0; i < kMaxSteps && !isReferenceVariable(graph_.node(at).opName()) &&
                    !graph_.node(at).inputs.empty();
         ++i)
      at = graph_.node(at).inputs[0].node;
    if (isReferenceVariable(graph_.node(at).opName()))
      loose_.insert(at);
    else
      allLoose_ = true;
  }
}

TensorType Declarations::declaredType(uint32_t index) const {
  const Node &node = graph_.node(index);
  Type element = elementTypeOf(builder_.getContext(), graph_.attribute(node, "dtype")->type());
  if (!element)
    return nullptr;
  const graphdef::TensorShapeProto &shape = graph_.attribute(node, "shape")->shape();
  // The first kind of variable wrote an unknown shape as that of a scalar.
  bool unknown = node.opName() == "Variable" && shape.dim_size() == 0;
  if (unknown || allLoose_ || loose_.contains(index))
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

std::optional<VariableDeclaration> Declarations::variable(uint32_t index, Location loc) {
  TensorType type = declaredType(index);
  if (!type) {
    diagnostics_.error(ExitCode::kUnsupported, graph_.place(index),
                       "variables of this element type are not supported");
    return std::nullopt;
  }
  std::string key = keyOf(graph_, graph_.node(index));
  auto [entry, isNew] = variables_.try_emplace(key);
  VariableDeclaration &declaration = entry->second;
  if (isNew) {
    declaration = {freshSymbol(key), type, index};
    declareNext();
    lastDeclaration_ =
        state::VariableOp::create(builder_, loc, declaration.symbol.getValue(), key, type);
    return declaration;
  }
  // One node seen by several signatures is no conflict, nor is a shape that only one node knows.
  bool sameElement = declaration.type.getElementType() == type.getElementType();
  bool sameShape = declaration.type == type || !type.hasRank() || !declaration.type.hasRank();
  if (sameElement && sameShape)
    return declaration;
  diagnostics_.error(ExitCode::kBadGraph, graph_.place(index),
                     "variable " + quoted(key) + ": expected " + textOf(declaration.type) +
                         " as in node " + quoted(graph_.node(declaration.node).name().str()) +
                         " but got " + textOf(type));
  diagnostics_.note(graph_.place(declaration.node), "the other node is here");
  return std::nullopt;
}

ElementsAttr Declarations::constant(uint32_t index) {
  ElementsAttr &value = constants_[index];
  if (!value)
    value = attributeOf(builder_.getContext(),
                        decodeTensor(graph_.attribute(graph_.node(index), "value")->tensor()));
  return value;
}

FlatSymbolRefAttr Declarations::table(uint32_t index, Location loc) {
  std::string key = keyOf(graph_, graph_.node(index));
  FlatSymbolRefAttr &symbol = tables_[key];
  if (!symbol) {
    symbol = freshSymbol(key);
    declareNext();
    lastDeclaration_ = state::TableOp::create(builder_, loc, symbol.getValue(), key);
  }
  return symbol;
}

FlatSymbolRefAttr Declarations::generator(uint32_t index, Location loc) {
  std::string key = graph_.node(index).name().str();
  FlatSymbolRefAttr &symbol = generators_[key];
  if (!symbol) {
    symbol = freshSymbol(key);
    declareNext();
    lastDeclaration_ = state::GeneratorOp::create(builder_, loc, symbol.getValue(), key);
  }
  return symbol;
}

} // namespace sluice::import
