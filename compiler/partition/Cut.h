// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What crosses between ranks: the edges of a graph whose ends are on different ranks.
#pragma once

#include "compiler/partition/Placement.h"

#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace sluice::partition {

// One pair of send and recv, shared by all users of a value on one rank.
struct CutEdge {
  mlir::Value value;
  unsigned from = 0, to = 0;
  bool asToken = false;            // nobody there needs the value, only that it is there
  mlir::Operation *user = nullptr; // the first one; null for the control loop of a frame

  mlir::Operation *producer() const { return value.getDefiningOp(); }
};

// Waits for an operand but does not look at it: a token will do.
bool onlyWaitsFor(mlir::OpOperand &operand);

class Cut {
public:
  Cut(flow::GraphOp graph, const Placement &placement);

  // Rank `to` needs the value itself. Nothing happens on the rank that has it.
  void addUse(mlir::Value value, unsigned to, mlir::Operation *user) {
    add(value, to, user, false);
  }
  // Numbers the edges by the place of their producers in the graph, then by rank. None is added
  // afterwards.
  void number();

  llvm::ArrayRef<CutEdge> edges() const { return edges_; }
  // The edges out of an op; after numbering.
  llvm::ArrayRef<CutEdge> edgesOf(mlir::Operation *producer) const;
  // The number of the first of these.
  unsigned firstEdgeOf(mlir::Operation *producer) const { return range_.lookup(producer).first; }
  // The edge that brings a value to a rank, or null.
  const CutEdge *find(mlir::Value value, unsigned to) const;
  // Whether a rank uses an op that is everywhere, or a flow.after.
  bool needs(unsigned rank, mlir::Operation *op) const { return needed_.contains({op, rank}); }

private:
  void addOperand(mlir::OpOperand &operand);
  void add(mlir::Value value, unsigned to, mlir::Operation *user, bool asToken);

  const Placement &placement_;
  llvm::DenseMap<mlir::Operation *, unsigned> position_;
  std::vector<CutEdge> edges_;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, unsigned> edgeOf_;
  llvm::DenseMap<mlir::Operation *, std::pair<unsigned, unsigned>> range_; // first, count
  llvm::DenseSet<std::pair<mlir::Operation *, unsigned>> needed_;
};

} // namespace sluice::partition
