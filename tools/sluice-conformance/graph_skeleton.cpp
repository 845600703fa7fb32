// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the node list of a GraphDef from its wire format, and walks it backwards.
#include "tools/sluice-conformance/graph_skeleton.h"

#include "tools/sluice-conformance/field_reader.h"

#include <cstdint>
#include <cstring>

namespace sluice::conformance {

using llvm::StringRef;

namespace {

// The text value of an attribute, from the message of one entry of a node's map of attributes.
StringRef textOf(StringRef entry, StringRef wanted) {
  constexpr uint64_t kKey = 1, kValue = 2, kText = 2;
  StringRef key, text;
  for (FieldReader parts(entry); parts.next();) {
    if (parts.number == kKey)
      key = parts.text;
    if (parts.number == kValue)
      for (FieldReader value(parts.text); value.next();)
        if (value.number == kText)
          text = value.text;
  }
  return key == wanted ? text : "";
}

// Names of the functions in the value of an attribute.
void addFunctionsOf(StringRef entry, std::vector<std::string> &names) {
  constexpr uint64_t kValue = 2, kList = 1, kFunction = 10, kFunctionInList = 9, kName = 1;
  auto add = [&](StringRef function) {
    for (FieldReader parts(function); parts.next();)
      if (parts.number == kName)
        names.push_back(parts.text.str());
  };
  for (FieldReader parts(entry); parts.next();) {
    if (parts.number != kValue)
      continue;
    for (FieldReader value(parts.text); value.next();) {
      if (value.number == kFunction)
        add(value.text);
      if (value.number == kList)
        for (FieldReader element(value.text); element.next();)
          if (element.number == kFunctionInList)
            add(element.text);
    }
  }
}

// The name of the attribute, if it is true.
StringRef nameOfFlag(StringRef entry) {
  constexpr uint64_t kKey = 1, kValue = 2, kBool = 5;
  StringRef key;
  bool isTrue = false;
  for (FieldReader parts(entry); parts.next();) {
    if (parts.number == kKey)
      key = parts.text;
    if (parts.number == kValue)
      for (FieldReader value(parts.text); value.next();)
        isTrue |= value.number == kBool && value.varint;
  }
  return isTrue ? key : "";
}

// What is left out is zero.
template <typename Float> std::optional<double> firstOf(StringRef bytes) {
  Float value = 0;
  if (!bytes.empty() && bytes.size() < sizeof(value))
    return std::nullopt;
  if (!bytes.empty())
    std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

// The first number of a tensor of floats, from its message.
std::optional<double> firstNumber(StringRef tensor) {
  constexpr uint64_t kType = 1, kContent = 4, kFloats = 5, kDoubles = 6, kIsFloat = 1,
                     kIsDouble = 2;
  uint64_t type = 0;
  StringRef bytes;
  for (FieldReader parts(tensor); parts.next();) {
    if (parts.number == kType)
      type = parts.varint;
    if (parts.number == kContent || parts.number == kFloats || parts.number == kDoubles)
      bytes = parts.text;
  }
  return type == kIsFloat    ? firstOf<float>(bytes)
         : type == kIsDouble ? firstOf<double>(bytes)
                             : std::nullopt;
}

// The same of an attribute, if it is a tensor.
std::optional<double> numberOf(StringRef entry) {
  constexpr uint64_t kValue = 2, kTensor = 8;
  for (FieldReader parts(entry); parts.next();)
    if (parts.number == kValue)
      for (FieldReader value(parts.text); value.next();)
        if (value.number == kTensor)
          return firstNumber(value.text);
  return std::nullopt;
}

bool isVariable(StringRef op) {
  return op == "Variable" || op == "VariableV2" || op == "VarHandleOp";
}

} // namespace

StringRef nodeOf(StringRef reference) {
  reference.consume_front("^");
  return reference.split(':').first;
}

std::string endpoint(StringRef reference) {
  return reference.contains(':') ? reference.str() : reference.str() + ":0";
}

GraphSkeleton::NamedNode GraphSkeleton::parseNode(StringRef bytes) {
  constexpr uint64_t kName = 1, kOp = 2, kInput = 3, kAttribute = 5;
  std::string sharedName, container;
  NamedNode result;
  Node &node = result.node;
  for (FieldReader parts(bytes); parts.next();) {
    if (parts.number == kName)
      result.name = parts.text.str();
    else if (parts.number == kOp)
      node.op = parts.text.str();
    else if (parts.number == kInput)
      node.inputs.push_back(parts.text.str());
    else if (parts.number == kAttribute) {
      sharedName += textOf(parts.text, "shared_name");
      container += textOf(parts.text, "container");
      node.frame += textOf(parts.text, "frame_name");
      addFunctionsOf(parts.text, node.functions);
      if (StringRef flag = nameOfFlag(parts.text); !flag.empty())
        node.flags.insert(flag.str());
      if (std::optional<double> number = numberOf(parts.text))
        node.number = number;
    }
  }
  if (isVariable(node.op))
    node.variable = (container.empty() ? "" : container + "/") +
                    (sharedName.empty() ? result.name : sharedName);
  return result;
}

void GraphSkeleton::parseFunction(StringRef bytes) {
  constexpr uint64_t kSignature = 1, kNode = 3, kName = 1;
  std::string name;
  std::vector<NamedNode> nodes;
  for (FieldReader fields(bytes); fields.next();) {
    if (fields.number == kNode)
      nodes.push_back(parseNode(fields.text));
    if (fields.number == kSignature)
      for (FieldReader parts(fields.text); parts.next();)
        if (parts.number == kName)
          name = parts.text.str();
  }
  functions_[name] = std::move(nodes);
}

GraphSkeleton GraphSkeleton::parse(StringRef bytes) {
  GraphSkeleton graph;
  graph.addGraph(bytes);
  return graph;
}

GraphSkeleton GraphSkeleton::parseModel(StringRef bytes) {
  constexpr uint64_t kMetaGraph = 2, kGraph = 2;
  GraphSkeleton graph;
  for (FieldReader model(bytes); model.next();)
    if (model.number == kMetaGraph)
      for (FieldReader meta(model.text); meta.next();)
        if (meta.number == kGraph)
          graph.addGraph(meta.text);
  return graph;
}

void GraphSkeleton::addGraph(StringRef bytes) {
  constexpr uint64_t kNode = 1, kLibrary = 2, kFunction = 1;
  for (FieldReader fields(bytes); fields.next();) {
    if (fields.number == kLibrary)
      for (FieldReader parts(fields.text); parts.next();)
        if (parts.number == kFunction)
          parseFunction(parts.text);
    if (fields.number != kNode)
      continue;
    NamedNode parsed = parseNode(fields.text);
    nodes_[parsed.name] = std::move(parsed.node);
  }
}

const GraphSkeleton::Node *GraphSkeleton::find(StringRef reference) const {
  auto found = nodes_.find(nodeOf(reference));
  return found == nodes_.end() ? nullptr : &found->getValue();
}

std::set<std::string> GraphSkeleton::ops() const {
  std::set<std::string> all;
  for (const auto &entry : nodes_)
    all.insert(entry.getValue().op);
  for (const auto &entry : functions_)
    for (const NamedNode &inner : entry.getValue())
      all.insert(inner.node.op);
  for (const auto &entry : functions_) // calls by name
    all.erase(entry.getKey().str());
  return all;
}

bool GraphSkeleton::extends(const GraphSkeleton &earlier) const {
  for (const auto &entry : earlier.nodes_) {
    auto here = nodes_.find(entry.getKey());
    if (here == nodes_.end() || !(here->getValue() == entry.getValue()))
      return false;
  }
  return true;
}

// A fed tensor stops the walk, and a control edge out of a fed node is satisfied.
void GraphSkeleton::addNeeds(Needs &needs, llvm::ArrayRef<std::string> feeds,
                             llvm::ArrayRef<std::string> fetches,
                             llvm::ArrayRef<std::string> targets) const {
  std::set<std::string> fed, fedNodes, seen;
  for (const std::string &feed : feeds) {
    fed.insert(endpoint(feed));
    fedNodes.insert(nodeOf(feed).str());
  }
  std::vector<std::string> pending, called;
  auto need = [&](StringRef node) {
    if (seen.insert(node.str()).second)
      pending.push_back(node.str());
  };
  for (const std::string &fetch : fetches)
    need(nodeOf(fetch));
  for (const std::string &target : targets)
    if (!fedNodes.count(target))
      need(target);
  while (!pending.empty()) {
    std::string name = std::move(pending.back());
    pending.pop_back();
    auto found = nodes_.find(name);
    if (found == nodes_.end())
      continue;
    const Node &node = found->getValue();
    needs.nodes.insert(name);
    called.insert(called.end(), node.functions.begin(), node.functions.end());
    if (functions_.contains(node.op))
      called.push_back(node.op);
    else
      needs.ops.insert(node.op);
    if (!node.variable.empty())
      needs.variables.insert(node.variable);
    for (StringRef input : node.inputs) {
      bool isControl = input.consume_front("^");
      if (isControl ? !fedNodes.count(input.str()) : !fed.count(endpoint(input)))
        need(nodeOf(input));
    }
  }
  addFunctions(needs, std::move(called));
}

// All nodes of functions count, whether or not what they return needs them.
void GraphSkeleton::addFunctions(Needs &needs, std::vector<std::string> names) const {
  std::set<std::string> seen;
  while (!names.empty()) {
    std::string name = std::move(names.back());
    names.pop_back();
    auto function = functions_.find(name);
    if (function == functions_.end() || !seen.insert(name).second)
      continue;
    for (const NamedNode &inner : function->getValue()) {
      needs.nodes.insert(inner.name);
      names.insert(names.end(), inner.node.functions.begin(), inner.node.functions.end());
      if (functions_.contains(inner.node.op))
        names.push_back(inner.node.op);
      else
        needs.ops.insert(inner.node.op);
      if (!inner.node.variable.empty())
        needs.variables.insert(inner.node.variable);
    }
  }
}

} // namespace sluice::conformance
