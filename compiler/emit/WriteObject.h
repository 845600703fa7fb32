// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a described program to an object file: its image as constant bytes, tables of just the
// kernels and codelets that it uses, and what CPU it needs. The codelets' own objects are linked
// with it.
#pragma once

#include "compiler/emit/DescribeProgram.h"

namespace sluice::emit {

// What libraries export for those who load them by a path. Also in runtime/embed/sluice.h.
inline constexpr llvm::StringRef kLibraryEntry = "sluice_library_entry";
// The same for those who link with one: "model_sluice_library".
inline std::string entryOfLibrary(llvm::StringRef libraryName) {
  return (libraryName + "_sluice_library").str();
}

// The object's bytes, or an error text.
rt::Result<std::string> writeObject(const DescribedProgram &described);

} // namespace sluice::emit
