// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All ranks of a cluster in one thread, under a schedule drawn from a seed.
#pragma once

#include "runtime/api/recording_runner.h"
#include "runtime/program/program.h"

#include <memory>
#include <vector>

namespace sluice::rt {

std::unique_ptr<RecordingRunner> makeSimulation(std::vector<std::unique_ptr<Program>> programs);

} // namespace sluice::rt
