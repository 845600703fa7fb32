// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// main of the executables of a cluster: like that of programs that run alone, but rank 0 calls all
// ranks, and the others serve it.
#include "runtime/api/command_line.h"
#include "runtime/cluster/tcp_rank.h"
#include "runtime/main/cpu_check.h"
#include "runtime/main/linked_program.h"

using namespace sluice::rt;

int main(int argc, char **argv) {
  requireCpu();
  std::unique_ptr<Program> program = loadLinkedProgram();
  std::unique_ptr<RecordingRunner> rank = makeTcpRank(std::move(program));
  return runCommandLine(argc, argv, *rank);
}
