// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device of a cluster is, and so what code for it looks like.
//
//   cpu, cpu:CPU           a host, with code for the CPU
//   cuda, cuda:sm_90,…     a host with a card of CUDA, with code for these architectures
//   sim                    a host with a card that is simulated
//   2xcuda, 2xcuda:sm_90   a host with so many cards; what nodes ask for then says which is whose
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

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

struct CardKind {
  std::vector<std::string> architectures; // "sm_90", in rising order
  bool isSimulated = false;
  std::optional<unsigned> count = std::nullopt; // if it is said
};
// The card of a target without problems; nothing for "cpu".
std::optional<CardKind> cardOf(llvm::StringRef target);

// Fails, with a message, if a device that the module declares has another target.
mlir::LogicalResult checkTargets(mlir::ModuleOp module);
// The target of the program's device; empty if it names none. Targets were checked.
llvm::StringRef targetOf(mlir::ModuleOp program);
// How many cards each declared device says that it has; 0 where it does not. Targets were checked.
std::vector<unsigned> countedCards(mlir::ModuleOp module);
// The CPU that a target names; empty if it names none.
llvm::StringRef cpuOf(llvm::StringRef target);

} // namespace sluice::place
