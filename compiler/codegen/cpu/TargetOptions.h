// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What machine code is made for, and how much time may go into it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sluice::codegen {

// The cards of a rank, all of one kind.
struct CardTarget {
  // "sm_90", in rising order; cards that are newer than all get the text of the last.
  std::vector<std::string> architectures;
  // The path of ptxas; empty: images are text only.
  std::string assembler;
  // Kernels are also made for the host, for a simulated driver to run.
  bool isSimulated = false;
  std::optional<unsigned> count = std::nullopt; // if it is said
};

struct TargetOptions {
  // A level ("x86-64-v3"), a CPU ("znver4"), or "native": the CPU that compiles.
  std::string march = "x86-64-v3";
  // Empty: this machine's.
  std::string triple;
  // Products and sums may become one rounding; results then differ from those of the kernels.
  bool contract = false;
  // 0: quick to compile, slow to run. 1: the usual. 2: all that LLVM has.
  unsigned level = 1;
  // Nothing: there are no cards.
  std::optional<CardTarget> card;
};

} // namespace sluice::codegen
