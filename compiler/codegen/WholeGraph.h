// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One signature as a single graph, whatever ranks its ops are on.
//
// A codelet waits for all of its inputs, so it must not take part in a circle of waiting. Such a
// circle may pass through other ranks, which is why all of them are looked at together: what leaves
// through a send goes on at the recv of the same edge. Within a frame a circle would have to close
// in one iteration, so the way from next_iteration to merge is no dependence. A frame in a frame is
// one node there, which waits for all enters, and for which all exits wait.
//
// A circle may also close on a way that no graph shows: what waits for an element of a queue may
// wait for a firing that leads to another op on the queue, in this iteration or a later one. So
// what comes after an op that may wait is never in a codelet with what does not.
#pragma once

#include "dialects/flow/DeadnessAnalysis.h"
#include "dialects/flow/FrameAnalysis.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace sluice::codegen {

// Ops that are compiled: nd ops that the emitter knows, and collapsed branches and loops.
bool isCompiled(mlir::Operation *op);
// Gates, joins and afters: they vanish between ops of one codelet.
bool vanishesInCodelet(mlir::Operation *op);

class WholeGraph {
public:
  // The graphs of one signature, by rank. Nothing, with a diagnostic, where frames disagree.
  static std::optional<WholeGraph> make(llvm::ArrayRef<flow::TokenGraph> graphs);

  // Where an op may be together with others: on one rank and in one memory, in one frame, under one
  // condition.
  // Collapsed ops stay among themselves, for where the others cannot be compiled after all, their
  // kernels can still be run one by one. Long products stay alone: a worker computes them, and who
  // waits for something else need not wait for them.
  struct Home {
    unsigned rank = 0, frame = 0, condition = 0;
    bool collapsed = false;
    unsigned waits = 0; // which ops that may wait it comes after: a number for each set of them
    mlir::Operation *alone = nullptr; // itself, where the op is with no other
    std::optional<unsigned> card;     // that has the results
    bool operator==(const Home &) const = default;
  };
  // Only of compiled ops and plumbing.
  std::optional<Home> homeOf(mlir::Operation *op) const;

  // A number for each op that grows along every dependence, or stays where two ops can share one;
  // as small as can be. Ops that wait in a circle have none.
  std::optional<unsigned> stageOf(mlir::Operation *op) const;
  // Whether they have one home. What depends on other ranks has a condition of its own, since
  // nobody knows here what will be received; so a loop's counter is never tied to what waits for
  // them.
  bool canShareStage(mlir::Operation *producer, mlir::Operation *user) const;

private:
  struct Part {
    flow::TokenGraph graph;
    flow::FrameAnalysis frames;
    flow::DeadnessAnalysis deadness;
    llvm::SmallVector<unsigned> units; // node of each frame
  };
  struct Edge {
    unsigned to;
    bool restarts = false; // from a frame to the one inside, where stages begin anew
    bool shares = false;   // both may be in one stage
  };

  void addNodes();
  void addEdges();
  void addOperandEdges(mlir::Operation *op);
  void findSends();
  void findWaits();
  void findHomes();
  void findStages();

  std::vector<Part> parts_;
  std::vector<mlir::Operation *> ops_; // by node; null for frames
  llvm::DenseMap<mlir::Operation *, unsigned> nodes_;
  llvm::StringMap<unsigned> units_;          // node of each frame, by its path
  llvm::DenseMap<uint64_t, unsigned> sends_; // node of each send, by its edge
  llvm::DenseMap<uint64_t, unsigned> recvs_; // likewise
  std::vector<unsigned> waits_;              // by node; empty if nothing may wait
  std::vector<llvm::SmallVector<Edge, 2>> edges_;
  llvm::DenseMap<mlir::Operation *, Home> homes_;
  std::vector<std::optional<unsigned>> stages_; // by node
};

} // namespace sluice::codegen
