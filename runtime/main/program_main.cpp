// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// main of every generated executable: loads the program that is linked in and hands over to the
// command line.
#include "runtime/api/command_line.h"
#include "runtime/executor/executor.h"

#include <cstdio>

using namespace sluice::rt;

// Written by the compiler into the program's object file.
extern "C" {
extern const char sluice_program_image[];
extern const uint64_t sluice_program_image_size;
extern const Kernel *const sluice_program_kernels[];
extern const uint64_t sluice_program_kernel_count;
}

int main(int argc, char **argv) {
  auto program = Program::load({sluice_program_image, sluice_program_image_size},
                               {sluice_program_kernels, sluice_program_kernel_count});
  if (!program.ok()) {
    std::fprintf(stderr, "error: %s\n", program.status().toString().c_str());
    return 70;
  }
  Executor executor(std::move(*program));
  return runCommandLine(argc, argv, executor);
}
