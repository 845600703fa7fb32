// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GraphDef with its names resolved to indices: what checking, pruning and building work on.
#pragma once

#include "compiler/import/Diagnostic.h"
#include "compiler/import/GraphFile.h"
#include "compiler/import/OpTable.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sluice::import {

// Output `slot` of node `node`.
struct Endpoint {
  uint32_t node = 0;
  uint32_t slot = 0;
  bool operator==(const Endpoint &) const = default;
};

struct Node {
  const graphdef::NodeDef *def = nullptr;
  const OpSignature *op = nullptr; // null: the op table does not have it
  // Whether it can be built. The table's rows of other ops are not relied on: nobody checks them.
  bool isSupported = false;
  llvm::SmallVector<Endpoint, 2> inputs;
  llvm::SmallVector<uint32_t, 1> controls;
  // Filled by the type check. Empty when the op is not known.
  llvm::SmallVector<EdgeType, 2> inputTypes;
  llvm::SmallVector<EdgeType, 1> outputTypes;

  llvm::StringRef name() const { return def->name(); }
  llvm::StringRef opName() const { return def->op(); }
};

class Graph {
public:
  // Resolves names; every reference that is wrong becomes a diagnostic. The file and the table
  // must outlive the graph.
  static std::optional<Graph> resolve(const GraphFile &file, OpTable &table,
                                      llvm::function_ref<bool(const OpSignature &)> isSupported,
                                      DiagnosticList &diagnostics);

  // The newest version of the format that this compiler was written against.
  static constexpr int kNewestProducer = 2314;

  const GraphFile &file() const { return *file_; }
  std::vector<Node> &nodes() { return nodes_; }
  const std::vector<Node> &nodes() const { return nodes_; }
  const Node &node(uint32_t index) const { return nodes_[index]; }
  std::optional<uint32_t> find(llvm::StringRef name) const;
  int producer() const { return producer_; }

  // Where a node is, for diagnostics.
  Place place(uint32_t index) const;
  // The attribute as given, or its default; null when there is neither.
  const graphdef::AttrValue *attribute(const Node &node, llvm::StringRef name) const;

private:
  explicit Graph(const GraphFile &file) : file_(&file) {}
  void checkVersions(DiagnosticList &diagnostics);
  void indexNames(OpTable &table, llvm::function_ref<bool(const OpSignature &)> isSupported,
                  DiagnosticList &diagnostics);
  void resolveInputs(uint32_t index, DiagnosticList &diagnostics);

  const GraphFile *file_;
  std::vector<Node> nodes_;
  llvm::DenseMap<llvm::StringRef, uint32_t> byName_;
  int producer_ = 0;
};

// A reference to a node or to one of its outputs: "name", "name:2", "^name".
struct Reference {
  llvm::StringRef node;
  uint32_t slot = 0;
  bool isControl = false;
  bool hasSlot = false;
};
// Nothing when the text is malformed.
std::optional<Reference> parseReference(llvm::StringRef text);

// Predicates on op names, Ref forms included.
bool isMerge(llvm::StringRef op);
bool isSwitch(llvm::StringRef op);
bool isEnter(llvm::StringRef op);
bool isExit(llvm::StringRef op);
bool isNextIteration(llvm::StringRef op);

} // namespace sluice::import
