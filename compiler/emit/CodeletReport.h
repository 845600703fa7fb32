// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has been compiled, as a table for people.
#pragma once

#include "compiler/codegen/CompileCodelets.h"

#include "llvm/Support/raw_ostream.h"

namespace sluice::emit {

// What the first op that a codelet's code is for holds.
struct CodeletContents {
  size_t ops = 0, loops = 0, branches = 0;
  llvm::SmallVector<llvm::StringRef> names; // of ops, each once, in their order
};
CodeletContents contentsOf(const codegen::CompiledCodelet &codelet);

// One line for each codelet, the largest code first, with the nodes that it stands for; then the
// sums. While the ops of the codelets still exist.
void printCodelets(llvm::ArrayRef<codegen::CompiledCodelet> codelets, llvm::raw_ostream &out);

} // namespace sluice::emit
