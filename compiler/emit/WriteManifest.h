// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// manifest.json: what a launcher must know of a compiled cluster (docs/reference/sluice-run.md).
#pragma once

#include "runtime/program/program_desc.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace sluice::emit {

// `program` is that of any rank; `executables` are the file names by rank, relative to the
// manifest.
std::string manifestJson(const rt::ProgramDesc &program, llvm::ArrayRef<std::string> executables);

} // namespace sluice::emit
