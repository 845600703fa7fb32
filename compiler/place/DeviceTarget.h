// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device of a cluster is, and so what code for it looks like: "cpu", or "cpu:" and the CPU.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class Triple;
} // namespace llvm

namespace sluice::place {

// What is expected instead of a target that there is no code for; empty for one that there is.
std::string problemOfTarget(llvm::StringRef target);

// Whether code can be made for a CPU: a level ("x86-64-v3"), a name ("znver4"), or "native". Only
// names of x86-64 CPUs are known here; LLVM judges those of other machines.
bool isKnownCpu(const llvm::Triple &triple, llvm::StringRef cpu);
inline constexpr llvm::StringLiteral kCpuNames =
    "native, a level such as x86-64-v3, or a 64-bit x86 CPU";

// Fails, with a message, if a device that the module declares has another target.
mlir::LogicalResult checkTargets(mlir::ModuleOp module);
// The CPU that the target of the program's device names; empty if none does. Targets were checked.
llvm::StringRef cpuOf(mlir::ModuleOp program);

} // namespace sluice::place
