// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program that the compiler has linked to a main.
#pragma once

#include "runtime/base/cpu_features.h"
#include "runtime/base/exit_codes.h"
#include "runtime/program/program.h"

#include <cstdio>
#include <cstdlib>

// Written by the compiler into the program's object file.
extern "C" {
extern const char sluice_program_image[];
extern const uint64_t sluice_program_image_size;
extern const sluice::rt::Kernel *const sluice_program_kernels[];
extern const uint64_t sluice_program_kernel_count;
extern const SluiceCodelet *const sluice_program_codelets[];
extern const uint64_t sluice_program_codelet_count;
// What opens the cards that the program is for; null without cards.
extern const sluice::rt::OpenCards sluice_program_open_cards;
// What the CPU must have: a name, as for -march, and features.
extern const char sluice_program_cpu[];
extern const sluice::rt::CpuFeatureSet sluice_program_cpu_features;
}

namespace sluice::rt {

// Ends the process when the image is damaged.
inline std::unique_ptr<Program> loadLinkedProgram() {
  auto program = Program::load({sluice_program_image, sluice_program_image_size},
                               {{sluice_program_kernels, sluice_program_kernel_count},
                                {sluice_program_codelets, sluice_program_codelet_count},
                                sluice_program_open_cards});
  if (program.ok())
    return std::move(*program);
  std::fprintf(stderr, "error: %s\n", program.status().toString().c_str());
  std::exit(static_cast<int>(ExitCode::kInternalError));
}

} // namespace sluice::rt
