// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The little that the replay must know of a graph itself: node names, ops, inputs, names of
// variables, and what a signature needs.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sluice::conformance {

// "node" of "node:1" and of "^node".
llvm::StringRef nodeOf(llvm::StringRef reference);
// "node:0" of "node".
std::string endpoint(llvm::StringRef reference);

// Read straight from the wire format: this tool must judge the importer, so it shares no code
// with it. Malformed bytes end the reading; the compiler reports them.
class GraphSkeleton {
public:
  static GraphSkeleton parse(llvm::StringRef bytes);
  // Of a SavedModel's file: the nodes of all of its graphs, and those of functions.
  static GraphSkeleton parseModel(llvm::StringRef bytes);

  struct Node {
    std::string op;
    std::vector<std::string> inputs;
    std::string variable;               // by which name its value is known, if it is one
    std::vector<std::string> functions; // that its attributes name
    std::set<std::string> flags;        // attributes that are true
    std::string frame;                  // the loop that it enters
    std::optional<double> number;       // the first one of an attribute that holds floats
    // Functions are renamed when gradients are added, and the nodes that call them stay the same.
    bool operator==(const Node &other) const {
      return op == other.op && inputs == other.inputs && variable == other.variable;
    }
  };

  bool hasNode(llvm::StringRef name) const { return nodes_.contains(name); }
  // Of "node", "node:1" or "^node"; null if there is none.
  const Node *find(llvm::StringRef reference) const;
  // Whether every node of `earlier` is here with the same op and inputs. Where not, what was
  // recorded with the earlier graph cannot be replayed with this one.
  bool extends(const GraphSkeleton &earlier) const;
  size_t size() const { return nodes_.size(); }

  // Of all nodes, those of functions too.
  std::set<std::string> ops() const;

  // What a signature needs, and the functions that it calls: the ops, and the names of variables.
  // Names are `node` or `node:output`.
  struct Needs {
    std::set<std::string> nodes;
    std::set<std::string> ops;
    std::set<std::string> variables;
  };
  void addNeeds(Needs &needs, llvm::ArrayRef<std::string> feeds,
                llvm::ArrayRef<std::string> fetches, llvm::ArrayRef<std::string> targets) const;

  std::set<std::string> nodesWhere(llvm::function_ref<bool(llvm::StringRef)> holds) const;
  // The nodes themselves and all that they need, whatever is fed.
  std::set<std::string> ancestorsOf(llvm::ArrayRef<std::string> names) const;
  // The nodes themselves and all that need them.
  std::set<std::string> dependentsOf(const std::set<std::string> &nodes) const;
  // Nodes that have a value for each iteration, of loops made of primitives.
  std::set<std::string> nodesInLoops() const;
  // Of loops made of primitives, and how many nodes enter each.
  std::map<std::string, size_t> frames() const;
  // What leaves these loops, where they are in no other one.
  std::set<std::string> exitsOf(const std::set<std::string> &frames) const;

private:
  struct NamedNode {
    std::string name;
    Node node;
  };
  void addGraph(llvm::StringRef bytes);
  static NamedNode parseNode(llvm::StringRef bytes);
  void parseFunction(llvm::StringRef bytes);
  void addFunctions(Needs &needs, std::vector<std::string> names) const;
  llvm::StringMap<std::vector<llvm::StringRef>> usersOfNodes() const;
  // How many loops each node is in that depends on these, which enter loops; 0 where it leaves the
  // last one.
  llvm::StringMap<size_t> depthsFrom(const std::set<std::string> &enters) const;

  llvm::StringMap<Node> nodes_;
  llvm::StringMap<std::vector<NamedNode>> functions_;
};

} // namespace sluice::conformance
