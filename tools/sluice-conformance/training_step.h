// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads in a graph how it trains: by which optimizer, with which numbers, which variables.
#pragma once

#include "tools/sluice-conformance/fixture.h"
#include "tools/sluice-conformance/graph_skeleton.h"

#include <set>
#include <string>

namespace sluice::conformance {

struct TrainingStep {
  TrainingRequest request;
  // By which names the variables are known that the step may change: those that are trained, and
  // those of the optimizer.
  std::set<std::string> variables;
};

// What a graph trains with and on, beside the graph itself.
struct TrainingRecord {
  std::string loss, target;
  std::set<std::string> derivatives; // nodes that TensorFlow's gradient function added
  llvm::json::Object before, after;  // variables, as recorded
  bool sameFeeds = true;             // in all steps
};

// An error says what of it the compiler cannot be asked for.
llvm::Expected<TrainingStep> readTrainingStep(const GraphSkeleton &graph,
                                              const TrainingRecord &record);

} // namespace sluice::conformance
