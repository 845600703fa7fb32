// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU that machine code is made for, and what a CPU must have to run it.
//
// Of the features of an x86-64 CPU only those count for which a program can ask its machine
// (runtime/base/cpu_features.h); the others are turned off, so that no code has them.
#pragma once

#include "runtime/base/cpu_features.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class Target;
class Triple;
} // namespace llvm

namespace sluice::codegen {

// In the words of LLVM's target machines.
struct TargetCpu {
  std::string name, features;
};

// Null, with a reason, when LLVM has no such target.
const llvm::Target *findTarget(const llvm::Triple &triple, std::string &problem);

// `march` is a level ("x86-64-v3"), a CPU ("znver4"), or "native": the CPU that compiles.
TargetCpu targetCpu(const llvm::Target &target, const llvm::Triple &triple, llvm::StringRef march);

// What code for each of these needs. Nothing on other architectures than x86-64, and for names that
// are none.
rt::CpuFeatureSet requiredCpuFeatures(const llvm::Triple &triple,
                                      llvm::ArrayRef<llvm::StringRef> marches);

} // namespace sluice::codegen
