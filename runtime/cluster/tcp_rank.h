// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank that is a process: its peers are reached over TCP, signals ask it for things.
#pragma once

#include "runtime/api/recording_runner.h"
#include "runtime/program/program.h"

#include <memory>

namespace sluice::rt {

// Installs handlers: SIGTERM and SIGINT end the cluster, SIGUSR2 makes the process say on standard
// error who waits for whom. One such runner for each process.
std::unique_ptr<RecordingRunner> makeTcpRank(std::unique_ptr<Program> program);

} // namespace sluice::rt
