// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// main of every executable that runs alone: loads the program that is linked in and hands over to
// the command line.
#include "runtime/api/command_line.h"
#include "runtime/executor/executor.h"
#include "runtime/main/cpu_check.h"
#include "runtime/main/linked_program.h"
#include "runtime/main/report_signal.h"

using namespace sluice::rt;

int main(int argc, char **argv) {
  requireCpu();
  Executor executor(loadLinkedProgram());
  executor.reportWhen(reportSignal());
  return runCommandLine(argc, argv, executor);
}
