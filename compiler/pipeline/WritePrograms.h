// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From described programs to files.
#pragma once

#include "compiler/emit/LinkExecutable.h"
#include "compiler/pipeline/Compile.h"

namespace sluice {

// emit::writeOutput, to standard output also if the path is empty. Returns an exit code.
int writeFile(llvm::StringRef bytes, llvm::StringRef path, DiagnosticPrinter &printer);

// A failure of the linker or of a file, if it is one. Return its exit code.
int printFailure(const std::optional<emit::LinkFailure> &failure, DiagnosticPrinter &printer);
int printFailure(const rt::Status &status, DiagnosticPrinter &printer);

// All that is linked for a program: its tables, and the machine code of its codelets. Returns an
// exit code.
int makeObjects(const emit::DescribedProgram &program, DiagnosticPrinter &printer,
                std::vector<std::string> &objects);

// One program: an executable or object file at `options.output`, or a library there. Programs of a
// cluster: a folder there with a file for each rank, and with a manifest if they are executables.
// Returns an exit code, and in `written` the file of each program.
int writePrograms(llvm::ArrayRef<emit::DescribedProgram> programs, const CompileOptions &options,
                  DiagnosticPrinter &printer, std::vector<std::string> &written);

} // namespace sluice
