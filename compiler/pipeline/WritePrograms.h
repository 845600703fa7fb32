// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From described programs to files.
#pragma once

#include "compiler/pipeline/Compile.h"

namespace sluice {

// emit::writeOutput, to standard output also if the path is empty. Returns an exit code.
int writeFile(llvm::StringRef bytes, llvm::StringRef path, DiagnosticPrinter &printer);

// One program: an executable or object file at `options.output`. Programs of a cluster: a folder
// there with a file for each rank, and with a manifest if they are executables. Returns an exit
// code, and in `written` the file of each program.
int writePrograms(llvm::ArrayRef<emit::DescribedProgram> programs, const CompileOptions &options,
                  DiagnosticPrinter &printer, std::vector<std::string> &written);

} // namespace sluice
