// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops of a signature become one codelet.
//
// Two neighbours with one home (`WholeGraph::Home`) belong together if they have one stage. Stages
// grow along every dependence that is not within such a group, so groups never wait for each other
// in a circle, however many there are: more than that each of them is convex. Then
//
//   - a group that nobody needs earlier than another one with its home goes to that one's stage,
//   - a group with a value for which others wait is split, if it holds that back (EarlyValues.h),
//     and
//   - a group that is too large is cut along the order of its ops.
//
// All of it takes time linear in the size of the graph.
#pragma once

#include "compiler/codegen/EarlyValues.h"
#include "compiler/codegen/WholeGraph.h"

namespace sluice::codegen {

class CodeletGroups {
public:
  // Members of a codelet, plumbing included, operands first.
  using Group = std::vector<mlir::Operation *>;

  CodeletGroups(const WholeGraph &whole, llvm::ArrayRef<flow::TokenGraph> graphs, unsigned maxOps);

  std::vector<Group> groups();

private:
  void connect();
  void delay();
  std::optional<unsigned> laterStage(llvm::ArrayRef<unsigned> group);
  std::vector<unsigned> depthFirst();
  void split(const EarlyValues &early);
  void cut();
  unsigned find(unsigned op);

  const WholeGraph &whole_;
  const unsigned maxOps_;
  std::vector<mlir::Operation *> ops_; // operands first
  llvm::DenseMap<mlir::Operation *, unsigned> positions_;
  std::vector<unsigned> parents_; // disjoint sets of positions
  std::vector<unsigned> stages_;
  std::vector<uint64_t> parts_;  // of groups that hold values back
  std::vector<unsigned> pieces_; // of groups that are too large
};

} // namespace sluice::codegen
