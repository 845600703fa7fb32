// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a CPU must have to run code that was compiled for certain ones.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>

namespace sluice::emit {

// All features of all of the CPUs ("x86-64-v3", "znver4", "native"), numbered as at run time
// (runtime/main/linked_program.h). Empty on other architectures than x86-64.
std::array<uint32_t, 4> requiredCpuFeatures(llvm::ArrayRef<llvm::StringRef> cpus);

} // namespace sluice::emit
