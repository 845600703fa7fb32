// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resolution of names, and the checks that belong to names and versions.
#include "compiler/import/Graph.h"

#include "llvm/ADT/StringExtras.h"

namespace sluice::import {

using llvm::StringRef;

namespace {

bool isNodeName(StringRef name) {
  if (name.empty() || !(llvm::isAlnum(name[0]) || name[0] == '.'))
    return false;
  return llvm::all_of(name.drop_front(), [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '/' || c == '-' || c == '>';
  });
}

} // namespace

bool isMerge(StringRef op) { return op == "Merge" || op == "RefMerge"; }
bool isSwitch(StringRef op) { return op == "Switch" || op == "RefSwitch"; }
bool isEnter(StringRef op) { return op == "Enter" || op == "RefEnter"; }
bool isExit(StringRef op) { return op == "Exit" || op == "RefExit"; }
bool isNextIteration(StringRef op) { return op == "NextIteration" || op == "RefNextIteration"; }

std::optional<Reference> parseReference(StringRef text) {
  Reference reference;
  reference.isControl = text.consume_front("^");
  auto [node, slot] = text.split(':');
  reference.node = node;
  if (node.empty() || (reference.isControl && text.contains(':')))
    return std::nullopt;
  if (!text.contains(':'))
    return reference;
  reference.hasSlot = true;
  if (slot.empty() || !llvm::all_of(slot, llvm::isDigit))
    return std::nullopt;
  // Too many digits for any output: kept as the largest slot, which no node has.
  if (slot.getAsInteger(10, reference.slot))
    reference.slot = UINT32_MAX;
  return reference;
}

std::optional<Graph> Graph::resolve(const GraphFile &file, OpTable &table,
                                    llvm::function_ref<bool(const OpSignature &)> isSupported,
                                    DiagnosticList &diagnostics) {
  Graph graph(file);
  graph.checkVersions(diagnostics);
  graph.indexNames(table, isSupported, diagnostics);
  for (uint32_t i = 0; i < graph.nodes_.size(); ++i)
    graph.resolveInputs(i, diagnostics);
  if (diagnostics.hasErrors())
    return std::nullopt;
  return graph;
}

void Graph::checkVersions(DiagnosticList &diagnostics) {
  const graphdef::GraphDef &def = file_->graph();
  producer_ = def.has_versions() ? def.versions().producer() : def.version();
  const graphdef::VersionDef &versions = def.versions();
  Place place{file_->path(), "", ""};
  if (producer_ < 0)
    diagnostics.error(ExitCode::kBadGraph, place,
                      "expected a producer version of at least 0 but got " +
                          std::to_string(producer_));
  if (versions.min_consumer() > kNewestProducer)
    diagnostics.error(ExitCode::kBadGraph, place,
                      "the graph needs a reader of version " +
                          std::to_string(versions.min_consumer()) + " but this one has version " +
                          std::to_string(kNewestProducer));
  for (int version : versions.bad_consumers())
    if (version == kNewestProducer)
      diagnostics.error(ExitCode::kBadGraph, place,
                        "the graph forbids readers of version " + std::to_string(version));
}

void Graph::indexNames(OpTable &table, llvm::function_ref<bool(const OpSignature &)> isSupported,
                       DiagnosticList &diagnostics) {
  const graphdef::GraphDef &def = file_->graph();
  nodes_.resize(static_cast<size_t>(def.node_size()));
  byName_.reserve(static_cast<unsigned>(nodes_.size()));
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    Node &node = nodes_[i];
    node.def = &def.node(static_cast<int>(i));
    node.op = table.find(node.opName());
    node.isSupported = node.op && isSupported(*node.op);
    if (!isNodeName(node.name()))
      diagnostics.error(ExitCode::kBadGraph, place(i),
                        "expected a node name of letters, digits and '_./->' but got " +
                            quoted(node.name().str()));
    auto [first, isNew] = byName_.try_emplace(node.name(), i);
    if (!isNew) {
      diagnostics.error(ExitCode::kBadGraph, place(i), "two nodes have this name");
      diagnostics.note(place(first->second), "the other node is here");
    }
    if (node.op && node.op->deprecatedSince > 0 && producer_ >= node.op->deprecatedSince)
      diagnostics.error(ExitCode::kBadGraph, place(i),
                        "op " + node.opName().str() + " is not allowed in graphs of version " +
                            std::to_string(node.op->deprecatedSince) +
                            " and newer, but this graph has version " + std::to_string(producer_));
  }
}

void Graph::resolveInputs(uint32_t index, DiagnosticList &diagnostics) {
  Node &node = nodes_[index];
  for (int i = 0; i < node.def->input_size(); ++i) {
    StringRef text = node.def->input(i);
    auto fail = [&](const char *message) {
      diagnostics.error(ExitCode::kBadGraph, place(index),
                        "input " + std::to_string(i) + " " + quoted(text.str()) + ": " + message);
    };
    auto reference = parseReference(text);
    if (!reference) {
      fail("expected 'node', 'node:output' or '^node'");
      continue;
    }
    auto source = find(reference->node);
    if (!source) {
      fail("the graph has no such node");
    } else if (*source == index) {
      fail("a node cannot be its own input");
    } else if (reference->isControl) {
      node.controls.push_back(*source);
    } else if (!node.controls.empty()) {
      fail("expected control inputs after all others but got a data input after one");
    } else {
      node.inputs.push_back({*source, reference->slot});
    }
  }
}

std::optional<uint32_t> Graph::find(StringRef name) const {
  auto found = byName_.find(name);
  if (found == byName_.end())
    return std::nullopt;
  return found->second;
}

Place Graph::place(uint32_t index) const {
  return {file_->nodeLocation(index), nodes_[index].def->name(), nodes_[index].def->op()};
}

const graphdef::AttrValue *Graph::attribute(const Node &node, StringRef name) const {
  for (const graphdef::AttrEntry &entry : node.def->attr())
    if (entry.key() == name)
      return &entry.value();
  const AttrSignature *signature = node.op ? node.op->attribute(name) : nullptr;
  return signature && signature->defaultValue ? &*signature->defaultValue : nullptr;
}

} // namespace sluice::import
