// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the exe dialect to the runtime's description of a program.
#pragma once

#include "dialects/exe/Exe.h"
#include "runtime/program/program_desc.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace sluice::emit {

struct DescribedProgram {
  rt::ProgramDesc program;
  // Symbols of the kernels that the program uses; NodeDesc::kernel is an index into this list.
  std::vector<std::string> kernels;
  // Symbols of the codelets; CodeletDesc::code is an index into this list.
  std::vector<std::string> codelets;
  // Relocatable objects that define those symbols, from whoever compiled the codelets.
  std::vector<std::string> codeletObjects;
  // The CPU that those were compiled for, as for -march; empty: any that can run the runtime.
  std::string march;
  // Of a library: what its entry's symbol begins with; empty: it is none.
  std::string libraryName;
  // What opens its cards (runtime/executor/open_cards.h); empty: it has none.
  std::string openCards;
  // The machine that the objects are for; empty: this one.
  std::string triple;
};

// All but the machine code. `withoutCards` has the same signatures for runs without cards; null if
// there are none. Fails, with a diagnostic, only when a constant cannot be read.
mlir::FailureOr<DescribedProgram> describeProgram(mlir::ModuleOp module,
                                                  mlir::ModuleOp withoutCards);

} // namespace sluice::emit
