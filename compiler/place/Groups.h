// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of ops that cannot be on different devices (docs/rationale/placement.md).
//
// Members are the declarations of a module, then the ops of its graphs in the order of the text.
// Constants and flow.start are no members: they are everywhere.
#pragma once

#include "compiler/place/DisjointSets.h"
#include "dialects/flow/FrameAnalysis.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <vector>

namespace sluice::place {

// Whether an op computes nothing and only orders others: a gate, after, join, trigger or target.
bool onlyOrders(mlir::Operation *op);

// Why two members are in one group, with the name of what ties them.
struct Tie {
  enum Kind : uint8_t {
    kColocation,
    kVariable,
    kGenerator,
    kObject, // that calls share; `object` is its kind
    kArray,
    kStack,
    kList,
    kFrame,         // a loop without loop_cond
    kFirstIteration // of a loop: values that only its first iteration gets
  };
  Kind kind;
  llvm::StringRef name; // owned by the context; may be empty
  llvm::StringRef object = {};
  bool operator==(const Tie &) const = default;
};

struct Link {
  unsigned from, to;
  Tie tie;
};

class Groups {
public:
  // Nothing, after an error, when the frames of a graph mix.
  static std::optional<Groups> find(mlir::ModuleOp module);

  llvm::ArrayRef<mlir::Operation *> members() const { return members_; }
  // The number of an op, or nothing when it is no member.
  std::optional<unsigned> memberOf(mlir::Operation *op) const;
  unsigned count() const { return static_cast<unsigned>(sizes_.size()); }
  // Groups are numbered in the order of their first members.
  unsigned groupOf(unsigned member) const { return groupOf_[member]; }
  unsigned sizeOf(unsigned group) const { return sizes_[group]; }
  // Enough links to join each group: a tree.
  llvm::ArrayRef<Link> links() const { return links_; }

private:
  void addMember(mlir::Operation *op);
  void tie(mlir::Operation *a, mlir::Operation *b, Tie why);
  void tieByNames(mlir::Operation *op);
  void tieToState(mlir::Operation *op, mlir::Operation *user);
  void tieToCallees(flow::CallOp call);
  void tieByValues(mlir::Operation *op);
  void tieByFrames(flow::GraphOp graph, const flow::FrameAnalysis &frames);
  void finish();

  std::vector<mlir::Operation *> members_;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers_;
  llvm::DenseMap<mlir::Attribute, mlir::Operation *> colocated_; // first op of each set
  llvm::DenseMap<mlir::Attribute, mlir::Operation *> declared_;  // by symbol
  llvm::StringMap<flow::FuncOp> functions_;
  // Ops that name state in the function and in all that it calls.
  llvm::StringMap<llvm::SmallVector<mlir::Operation *>> stateUsers_;
  DisjointSets sets_;
  std::vector<Link> links_;
  std::vector<unsigned> groupOf_;
  std::vector<unsigned> sizes_; // by group
};

} // namespace sluice::place
