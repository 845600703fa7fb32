// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of a recorded test, and what is left of them without TensorFlow's gradients.
#pragma once

#include "tools/sluice-conformance/graph_skeleton.h"

#include "llvm/Support/Error.h"

#include <map>
#include <set>
#include <string>

namespace sluice::conformance {

class ForwardGraphs {
public:
  struct Graph {
    std::string bytes;
    GraphSkeleton skeleton;
    std::set<std::string> inLoops;
  };

  // Of graphs in the folder `recorded`; what is written goes into `written`.
  ForwardGraphs(std::string recorded, std::string written)
      : recorded_(std::move(recorded)), written_(std::move(written)) {}

  // Stays where it is.
  llvm::Expected<const Graph *> read(const std::string &name);

  // The name of the file with what is left; the same one for equal questions.
  llvm::Expected<std::string> writeWithout(const std::string &name,
                                           const std::set<std::string> &dropped);

private:
  std::string recorded_, written_;
  std::map<std::string, Graph> graphs_; // by file name
  // By graph and what it lacks.
  std::map<std::pair<std::string, std::set<std::string>>, std::string> files_;
};

} // namespace sluice::conformance
