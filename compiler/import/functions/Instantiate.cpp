// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Substitution of attributes, and of names of arguments and outputs.
#include "compiler/import/functions/Instantiate.h"

#include "compiler/import/Graph.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

namespace sluice::import {

using graphdef::AttrValue;
using llvm::StringRef;

namespace {

const AttrValue *findValue(const google::protobuf::RepeatedPtrField<graphdef::AttrEntry> &entries,
                           StringRef name) {
  for (const graphdef::AttrEntry &entry : entries)
    if (entry.key() == name)
      return &entry.value();
  return nullptr;
}

// As given, or the default; null if there is neither.
const AttrValue *valueOf(const google::protobuf::RepeatedPtrField<graphdef::AttrEntry> &entries,
                         const AttrSignature &attribute) {
  if (const AttrValue *given = findValue(entries, attribute.name))
    return given;
  return attribute.defaultValue ? &*attribute.defaultValue : nullptr;
}

// A range of values: outputs of a node, or arguments, under one declared name.
struct Range {
  uint32_t first = 0;
  uint32_t count = 1;
};

class Body {
public:
  Body(const graphdef::FunctionDef &function, const FunctionUse &use, OpTable &table,
       const std::string &location, DiagnosticList &diagnostics)
      : function_(function), use_(use), table_(table), location_(location),
        diagnostics_(diagnostics), signature_(*table.find(function.signature().name())) {}

  bool build(graphdef::GraphDef &graph) {
    for (const AttrSignature &attribute : signature_.attributes)
      if (!valueOf(use_.attr(), attribute))
        fail("",
             "attribute " + quoted(attribute.name.str()) + ": expected a value but it is missing");
    if (failed_)
      return false;
    addArguments(graph);
    for (const graphdef::NodeDef &node : function_.node_def())
      if (!nodes_.try_emplace(node.name(), &node).second)
        fail(node.name(), "two nodes of the function have this name");
    for (const graphdef::NodeDef &node : function_.node_def())
      addNode(node, *graph.add_node());
    addReturns(graph);
    return !failed_;
  }

private:
  void fail(const std::string &node, std::string message) {
    failed_ = true;
    diagnostics_.error(ExitCode::kBadGraph, {location_, node, ""}, std::move(message));
  }

  // The types that a declared argument stands for.
  std::vector<DataType> typesOf(const ArgSignature &argument) const {
    const AttrValue *type = argument.typeAttr.empty() ? nullptr : own(argument.typeAttr);
    if (argument.typeList) {
      std::vector<DataType> types;
      for (int element : type->list().type())
        types.push_back(static_cast<DataType>(element));
      return types;
    }
    int64_t count = argument.count.empty() ? 1 : own(argument.count)->i();
    constexpr int64_t kMostOfOne = 65536; // whoever means it has more than one such argument
    return std::vector<DataType>(static_cast<size_t>(std::clamp<int64_t>(count, 0, kMostOfOne)),
                                 type ? type->type() : argument.fixedType);
  }

  // The value of one of the function's own attributes.
  const AttrValue *own(StringRef name) const {
    return valueOf(use_.attr(), *signature_.attribute(name));
  }

  graphdef::NodeDef &addPort(graphdef::GraphDef &graph, const char *op, std::string name,
                             DataType type, uint32_t index) {
    graphdef::NodeDef &node = *graph.add_node();
    node.set_name(std::move(name));
    node.set_op(op);
    graphdef::AttrEntry &entry = *node.add_attr();
    entry.set_key("T");
    entry.mutable_value()->set_type(type);
    graphdef::AttrEntry &position = *node.add_attr();
    position.set_key("index");
    position.mutable_value()->set_i(index);
    return node;
  }

  void addArguments(graphdef::GraphDef &graph) {
    uint32_t index = 0;
    for (const ArgSignature &argument : signature_.inputs) {
      std::vector<DataType> types = typesOf(argument);
      arguments_[argument.name.str()] = {index, static_cast<uint32_t>(types.size())};
      for (size_t i = 0; i < types.size(); ++i) {
        std::string name = argument.name.str() + (types.size() > 1 ? "/" + std::to_string(i) : "");
        argumentNames_.push_back(name);
        addPort(graph, "_Arg", name, types[i], index++);
      }
    }
  }

  // No node of a graph has a name that begins with a point and a slash.
  void addReturns(graphdef::GraphDef &graph) {
    uint32_t index = 0;
    for (const ArgSignature &output : signature_.outputs) {
      StringRef source;
      for (const auto &entry : function_.ret())
        if (entry.key() == output.name)
          source = entry.value();
      std::string which = "output " + quoted(output.name.str());
      if (source.empty()) {
        fail("", which + ": expected the name of a value but it is missing");
        continue;
      }
      std::vector<std::string> inputs = resolve(source, which, "");
      std::vector<DataType> types = typesOf(output);
      if (inputs.size() != types.size() && !failed_)
        fail("", which + ": expected " + std::to_string(types.size()) + " values but got " +
                     std::to_string(inputs.size()));
      for (size_t i = 0; i < std::min(inputs.size(), types.size()); ++i, ++index)
        addPort(graph, "_Retval", "./" + std::to_string(index), types[i], index)
            .add_input(inputs[i]);
    }
  }

  void addNode(const graphdef::NodeDef &from, graphdef::NodeDef &to) {
    if (from.op() == "_Arg" || from.op() == "_Retval")
      fail(from.name(),
           "expected arguments and results by the function's signature but got a node of op " +
               from.op());
    to.set_name(from.name());
    to.set_op(from.op());
    to.set_device(from.device());
    for (const graphdef::AttrEntry &entry : from.attr()) {
      graphdef::AttrEntry &copy = *to.add_attr();
      copy = entry;
      substitute(from.name(), *copy.mutable_value());
    }
    for (const std::string &input : from.input())
      for (std::string &text : resolve(input, "input " + quoted(input), from.name()))
        to.add_input(std::move(text));
  }

  // Fills in what stands for an attribute of the function, also in functions that are attributes.
  void substitute(const std::string &node, AttrValue &value) {
    std::vector<AttrValue *> open{&value};
    auto addFunction = [&](graphdef::NameAttrList &function) {
      for (graphdef::AttrEntry &entry : *function.mutable_attr())
        open.push_back(entry.mutable_value());
    };
    while (!open.empty()) {
      AttrValue &next = *open.back();
      open.pop_back();
      if (next.has_func())
        addFunction(*next.mutable_func());
      else if (next.has_list())
        for (graphdef::NameAttrList &function : *next.mutable_list()->mutable_func())
          addFunction(function);
      if (next.value_case() != AttrValue::kPlaceholder)
        continue;
      if (!signature_.attribute(next.placeholder()))
        return fail(node,
                    "expected an attribute of the function but got " + quoted(next.placeholder()));
      next = AttrValue(*own(next.placeholder()));
    }
  }

  // The outputs of a node under a declared name; the attributes are those of the instance.
  std::optional<Range> outputsOf(const graphdef::NodeDef &node, StringRef output) {
    const OpSignature *op = table_.find(node.op());
    if (!op)
      return Range{0, 1}; // nobody will run it
    Range range{0, 0};
    for (const ArgSignature &declared : op->outputs) {
      range.first += range.count;
      range.count = countOf(node, *op, declared);
      if (declared.name == output)
        return range;
    }
    return std::nullopt;
  }

  uint32_t countOf(const graphdef::NodeDef &node, const OpSignature &op,
                   const ArgSignature &declared) {
    auto value = [&](StringRef name) -> AttrValue {
      const AttrSignature *attribute = op.attribute(name);
      const AttrValue *found = attribute ? valueOf(node.attr(), *attribute) : nullptr;
      AttrValue copy = found ? *found : AttrValue();
      substitute(node.name(), copy);
      return copy;
    };
    if (declared.typeList)
      return static_cast<uint32_t>(value(declared.typeAttr).list().type_size());
    if (declared.count.empty())
      return 1;
    return static_cast<uint32_t>(std::clamp<int64_t>(value(declared.count).i(), 0, INT32_MAX));
  }

  // The inputs, as graph files write them, that one input of a body stands for.
  std::vector<std::string> resolve(StringRef text, const std::string &which,
                                   const std::string &user) {
    auto wrong = [&](const std::string &message) {
      fail(user, which + ": " + message);
      return std::vector<std::string>();
    };
    StringRef name = text;
    if (name.consume_front("^")) {
      if (auto argument = arguments_.find(name.str()); argument != arguments_.end())
        return {}; // what is given is there from the start
      if (!nodes_.contains(name))
        return wrong("the function has no such node");
      return {"^" + name.str()};
    }
    SmallParts parts(name);
    Range range;
    auto argument = arguments_.find(parts.node.str());
    auto node = nodes_.find(parts.node);
    if (argument != arguments_.end()) {
      range = argument->second;
      if (!parts.index.empty())
        return wrong("expected 'argument' or 'argument:number'");
      parts.index = parts.output;
    } else if (node != nodes_.end()) {
      if (parts.output.empty())
        return wrong("expected 'node:output' or 'node:output:number'");
      auto outputs = outputsOf(*node->second, parts.output);
      if (!outputs)
        return wrong("op " + node->second->op() + " has no output of this name");
      range = *outputs;
    } else {
      return wrong("the function has no such argument or node");
    }
    if (!parts.index.empty()) {
      uint32_t index = 0;
      bool isNumber = !parts.index.getAsInteger(10, index);
      bool isUnknownOp =
          node != nodes_.end() && argument == arguments_.end() && !table_.find(node->second->op());
      if (!isNumber || (index >= range.count && !isUnknownOp))
        return wrong("expected a number below " + std::to_string(range.count));
      range = {range.first + index, 1};
    }
    constexpr uint32_t kMostOfOne = 65536;
    if (range.count > kMostOfOne)
      return wrong("stands for " + std::to_string(range.count) + " values");
    std::vector<std::string> inputs;
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
      inputs.push_back(argument != arguments_.end()
                           ? argumentNames_[i]
                           : parts.node.str() + (i ? ":" + std::to_string(i) : ""));
    return inputs;
  }

  // "node:output:index".
  struct SmallParts {
    explicit SmallParts(StringRef text) {
      std::tie(node, output) = text.split(':');
      std::tie(output, index) = output.split(':');
    }
    StringRef node, output, index;
  };

  const graphdef::FunctionDef &function_;
  const FunctionUse &use_;
  OpTable &table_;
  const std::string &location_;
  DiagnosticList &diagnostics_;
  const OpSignature &signature_;
  llvm::StringMap<const graphdef::NodeDef *> nodes_;
  std::map<std::string, Range> arguments_;
  std::vector<std::string> argumentNames_;
  bool failed_ = false;
};

} // namespace

std::string keyOf(const FunctionUse &use, const OpSignature &signature) {
  std::string key = use.name();
  for (const AttrSignature &attribute : signature.attributes)
    if (const AttrValue *value = valueOf(use.attr(), attribute)) {
      std::string bytes = value->SerializeAsString();
      key += '\n' + attribute.name.str() + '=' + std::to_string(bytes.size()) + ':' + bytes;
    }
  return key;
}

std::unique_ptr<GraphFile> instantiate(const graphdef::FunctionDef &function,
                                       const FunctionUse &use, OpTable &table,
                                       const GraphFile &file, DiagnosticList &diagnostics) {
  std::string location = file.path() + ": function " + quoted(function.signature().name());
  graphdef::GraphDef graph;
  *graph.mutable_versions() = file.graph().versions();
  if (!file.graph().has_versions())
    graph.set_version(file.graph().version());
  if (!Body(function, use, table, location, diagnostics).build(graph))
    return nullptr;
  return GraphFile::take(location, graph, {}, file.limits());
}

} // namespace sluice::import
