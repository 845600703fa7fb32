// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All ranks of a cluster in one thread, under a schedule drawn from a seed.
#pragma once

#include "runtime/api/recording_runner.h"
#include "runtime/program/program.h"

#include <memory>
#include <vector>

namespace sluice::rt {

// A call to be made.
struct CallRequest {
  size_t signature = 0;
  std::vector<Tensor> feeds;
};

class SimulatedCluster : public RecordingRunner {
public:
  // Several calls at once, as many as `allowCalls` has allowed at a time. When each begins is drawn
  // as well.
  virtual std::vector<Result<std::vector<Tensor>>>
  callTogether(std::span<const CallRequest> requests) = 0;
};

std::unique_ptr<SimulatedCluster> makeSimulation(std::vector<std::unique_ptr<Program>> programs);

} // namespace sluice::rt
