// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages and scripts that are printed from the program's own tables.
#pragma once

#include "mlir/Support/LLVM.h"

namespace sluice::docs {

// Every op with its faces. Fails, with a message for each op on stderr, where a face is missing
// that is not absent by nature.
mlir::LogicalResult printOpTable(llvm::raw_ostream &out);

// The TensorFlow ops that graphs may use. Fails, with a message for each op on stderr, where nobody
// can tell whether derivatives pass through it.
mlir::LogicalResult printTensorFlowOpPage(llvm::raw_ostream &out);

// Flags of sluice-opt that run several passes: a section of the page of passes. It goes to standard
// output, where MLIR prints what it knows of options.
void printPipelines();

// The phases of the compiler.
void printPhasePage(llvm::raw_ostream &out);

// The exit codes of all programs.
void printExitCodePage(llvm::raw_ostream &out);

// A program's manual as `man`, `flags`, `bash`, `zsh` or `fish`. False if there is no such program
// or form.
bool printManual(llvm::StringRef form, llvm::StringRef program, llvm::raw_ostream &out);

} // namespace sluice::docs
