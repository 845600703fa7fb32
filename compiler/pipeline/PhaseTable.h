// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The phases of the compiler, in order. This one table drives the driver, `--stop-after`,
// `--dump-phases`, `--interpret`, `--help` and the documentation.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace sluice {

enum class PhaseId {
  kImport,
  kOptimize,
  kRaise,
  kDifferentiate,
  kLower,
  kPlace,
  kPartition,
  kCodegen,
  kEmit
};

struct Phase {
  PhaseId id;
  llvm::StringRef name;
  llvm::StringRef summary;
  llvm::StringRef invariant; // what holds after it
  bool interpretable;        // the reference interpreter can run what it makes
};

llvm::ArrayRef<Phase> phaseTable();
const Phase &phase(PhaseId id);
std::optional<PhaseId> phaseFromName(llvm::StringRef name);
// The name of a phase's file in the folder of `--dump-phases`.
std::string dumpName(PhaseId id);
// "import, optimize, …"
std::string phaseNames();

} // namespace sluice
