// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which rank each op of a placed graph runs on.
#pragma once

#include "dialects/flow/Flow.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>

namespace sluice::partition {

// The devices of a placed module, and the ranks of its declarations.
struct Cluster {
  // Nothing for a module without devices. Reports what is wrong.
  static mlir::FailureOr<std::optional<Cluster>> read(mlir::ModuleOp module);

  unsigned size() const { return static_cast<unsigned>(names.size()); }
  // How diagnostics call a device.
  std::string describe(unsigned rank) const;

  llvm::SmallVector<std::string> names;      // by rank
  llvm::StringMap<unsigned> declarationRank; // by symbol
};

// The ranks of one graph's ops.
//
// Three kinds of op go where they are needed. Constants and flow.start are always there, so every
// rank that uses one has its own. A flow.after belongs to the producer of its value: what then
// crosses is a token, or the value itself if it crosses anyway.
class Placement {
public:
  // Reports the first op without a rank, or with one that it cannot have.
  static mlir::FailureOr<Placement> read(flow::GraphOp graph, const Cluster &cluster);

  // The op is on every rank that uses it.
  bool isEverywhere(mlir::Operation *op) const { return !rankOf_.count(op); }
  // For ops that are not everywhere.
  unsigned rankOf(mlir::Operation *op) const { return rankOf_.lookup(op); }

private:
  mlir::LogicalResult place(mlir::Operation *op, const Cluster &cluster);

  llvm::DenseMap<mlir::Operation *, unsigned> rankOf_;
};

// How diagnostics call an op: by its node, or if it has none, by what it is.
std::string nameOf(mlir::Operation *op);

} // namespace sluice::partition
