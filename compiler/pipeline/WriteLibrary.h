// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program as a library: for -o folder/model the files folder/libmodel.so, libmodel.a, model.h and
// model.hpp.
#pragma once

#include "compiler/pipeline/Compile.h"

namespace sluice {

// What a library and its headers are called, without folder, from what the user calls the output:
// also libmodel.so means model.
std::string libraryName(llvm::StringRef output);
// The files, the shared library first.
std::vector<std::string> filesOfLibrary(llvm::StringRef output);

// All files or none. Returns an exit code, and in `written` the files.
int writeLibrary(const emit::DescribedProgram &program, const CompileOptions &options,
                 DiagnosticPrinter &printer, std::vector<std::string> &written);

} // namespace sluice
