// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers and types of inputs and outputs, from op signatures and attributes.
#include "compiler/import/GraphCheck.h"

namespace sluice::import {

using graphdef::AttrValue;

namespace {

class NodeTypes {
public:
  NodeTypes(const Graph &graph, uint32_t index, uint64_t &values, DiagnosticList &diagnostics)
      : graph_(graph), index_(index), node_(graph.node(index)), values_(values),
        diagnostics_(diagnostics) {}

  // False when an attribute does not fit. Reported for ops that can be built; the types of others
  // stay as far as they are known.
  template <typename Types> bool expand(const std::vector<ArgSignature> &arguments, Types &types) {
    for (const ArgSignature &argument : arguments) {
      if (argument.typeList) {
        const AttrValue *list = graph_.attribute(node_, argument.typeAttr);
        if (!list || !hasRoom(types.size(), static_cast<uint64_t>(list->list().type_size())))
          return false;
        for (int type : list->list().type())
          types.push_back({static_cast<DataType>(type), argument.isRef});
        continue;
      }
      DataType type = argument.fixedType;
      if (!argument.typeAttr.empty()) {
        const AttrValue *value = graph_.attribute(node_, argument.typeAttr);
        if (!value)
          return false;
        type = value->type();
      }
      int64_t count = 1;
      if (!argument.count.empty()) {
        const AttrValue *value = graph_.attribute(node_, argument.count);
        if (!value)
          return false;
        count = value->i();
      }
      if (!isCount(argument, count) || !hasRoom(types.size(), static_cast<uint64_t>(count)))
        return false;
      types.append(static_cast<size_t>(count), {type, argument.isRef});
    }
    return true;
  }

  void checkInputCount() {
    size_t expected = node_.inputTypes.size();
    if (node_.inputs.size() != expected)
      fail("expected " + std::to_string(expected) + " inputs but got " +
           std::to_string(node_.inputs.size()));
  }

  void checkInput(size_t i) {
    Endpoint from = node_.inputs[i];
    const Node &source = graph_.node(from.node);
    if (!source.isSupported)
      return;
    std::string which =
        "input " + std::to_string(i) + " " + quoted(node_.def->input(static_cast<int>(i)));
    if (from.slot >= source.outputTypes.size())
      return fail(which + ": expected an output of " + quoted(source.name().str()) + " below " +
                  std::to_string(source.outputTypes.size()) + " but got " + slotText(from.slot));
    EdgeType given = source.outputTypes[from.slot];
    EdgeType expected = node_.inputTypes[i];
    bool fits = given.type == expected.type && (given.isRef || !expected.isRef);
    if (!fits)
      fail(which + ": expected " + typeName(expected) + " but got " + typeName(given));
  }

private:
  static std::string slotText(uint32_t slot) {
    return slot == UINT32_MAX ? "a larger number" : std::to_string(slot);
  }

  void fail(std::string message) {
    diagnostics_.error(ExitCode::kBadGraph, graph_.place(index_), std::move(message));
  }

  // The table does not give a minimum for every count.
  bool isCount(const ArgSignature &argument, int64_t count) {
    if (count < 0 && node_.isSupported)
      fail("attribute " + quoted(argument.count.str()) + ": expected at least 0 but got " +
           std::to_string(count));
    return count >= 0;
  }

  // A count in an attribute must not fill the memory.
  bool hasRoom(uint64_t have, uint64_t more) {
    uint64_t ofNode = have + more;
    const Limits &limits = graph_.file().limits();
    bool fits = limits.allows(LimitId::kNodeValues, ofNode);
    if (fits)
      values_ += more;
    bool allFit = fits && limits.allows(LimitId::kGraphValues, values_);
    if (node_.isSupported && !allFit)
      fail(fits ? limits.excess(LimitId::kGraphValues, "inputs and outputs of all nodes", values_)
                : limits.excess(LimitId::kNodeValues, "inputs or outputs", ofNode));
    return allFit;
  }

  const Graph &graph_;
  uint32_t index_;
  const Node &node_;
  uint64_t &values_; // of all nodes so far
  DiagnosticList &diagnostics_;
};

} // namespace

void checkTypes(Graph &graph, DiagnosticList &diagnostics) {
  std::vector<Node> &nodes = graph.nodes();
  uint64_t values = 0;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].op)
      continue;
    NodeTypes types(graph, i, values, diagnostics);
    if (types.expand(nodes[i].op->inputs, nodes[i].inputTypes) && nodes[i].isSupported)
      types.checkInputCount();
    types.expand(nodes[i].op->outputs, nodes[i].outputTypes);
  }
  if (diagnostics.hasErrors())
    return;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].isSupported)
      continue;
    NodeTypes types(graph, i, values, diagnostics);
    for (size_t input = 0; input < nodes[i].inputs.size(); ++input)
      types.checkInput(input);
  }
}

} // namespace sluice::import
