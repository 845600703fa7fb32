// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What partition did, for people (`--explain-partition`) and for scripts (`--partition-summary`).
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/flow/FrameAnalysis.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace sluice {

class PartitionReport {
public:
  // Of a module with a nested module for each rank.
  static PartitionReport of(mlir::ModuleOp module);

  // A line for each device, then for each signature a line for each edge between devices.
  std::string table() const;
  // {"devices": 2, "edges": 3, "edges_in_loops": 1, "edges_in_nested_loops": 0}
  std::string summaryJson() const;

private:
  struct Device {
    std::string name, address;
    size_t ops = 0; // without constants
    size_t variables = 0;
  };
  struct Edge {
    std::string signature;
    int64_t number = 0, from = 0, to = 0;
    std::string type;
    std::string loops; // from the outermost one in; "-" outside
    unsigned depth = 0;
    std::string node; // that gives the value
  };

  void addDevice(mlir::DictionaryAttr device, mlir::ModuleOp rank);
  void addEdges(flow::GraphOp graph, int64_t rank);
  size_t countDeeperThan(unsigned depth) const;

  std::vector<Device> devices_;
  std::vector<Edge> edges_; // by signature in their order, then by number
};

} // namespace sluice
