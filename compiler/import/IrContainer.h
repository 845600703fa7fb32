// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file form of MLIR bytecode: a header with version, length and checksum before it.
//
// MLIR's reader of bytecode trusts what it reads, so it only gets bytes that are as they were
// written. The checksum finds damage; it is no signature: read only files from those you trust.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace sluice::import {

std::string wrapBytecode(llvm::StringRef bytecode);

// Whether the bytes begin as a container, or as one that was damaged, and not as text.
bool looksLikeBytecode(llvm::StringRef bytes);

// The bytecode within the container, which points into `bytes`. An error says what is wrong.
llvm::Expected<llvm::StringRef> unwrapBytecode(llvm::StringRef bytes);

} // namespace sluice::import
