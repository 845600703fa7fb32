// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine code of codelets in this process, for programs that run inside the compiler.
#pragma once

#include "compiler/emit/DescribeProgram.h"
#include "runtime/codelet/abi.h"

#include <memory>
#include <span>
#include <vector>

namespace llvm::orc {
class LLJIT;
}

namespace sluice::emit {

// Links the program's codelet objects in memory. What they call of the runtime must be exported by
// this executable. Owns the code: must outlive whoever runs it.
class LoadedCodelets {
public:
  // INTERNAL when an object is damaged or needs what nobody defines.
  static rt::Result<LoadedCodelets> load(const DescribedProgram &program);
  LoadedCodelets(LoadedCodelets &&);
  LoadedCodelets &operator=(LoadedCodelets &&);
  ~LoadedCodelets();

  // In the order of DescribedProgram::codelets; what rt::Program::load takes.
  std::span<const SluiceCodelet *const> table() const { return table_; }

private:
  LoadedCodelets();
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  std::vector<const SluiceCodelet *> table_;
};

} // namespace sluice::emit
