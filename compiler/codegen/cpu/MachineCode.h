// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From modules of the llvm dialect to object files.
#pragma once

#include "compiler/codegen/cpu/TargetOptions.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace sluice::codegen {

class MachineCode {
public:
  // Fails with a diagnostic at `location` when no target is like the options say.
  static mlir::FailureOr<MachineCode> create(const TargetOptions &options, mlir::Location location);

  // A relocatable object file, with a section for each function.
  mlir::FailureOr<std::string> compile(mlir::ModuleOp module);

  // Bits of the widest vector registers that code should use.
  unsigned vectorBits() const { return vectorBits_; }
  // What code is made for: triple, CPU and features, with "native" resolved.
  std::string description() const;

private:
  MachineCode(const TargetOptions &options, std::unique_ptr<llvm::TargetMachine> machine,
              unsigned vectorBits)
      : options_(options), machine_(std::move(machine)), vectorBits_(vectorBits) {}
  void setAttributes(llvm::Module &module) const;
  void optimize(llvm::Module &module);

  TargetOptions options_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  unsigned vectorBits_;
};

// Bytes of each function of an object file.
llvm::StringMap<size_t> functionSizes(llvm::StringRef object);

} // namespace sluice::codegen
