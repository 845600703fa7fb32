// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of the machine code of codelets.
#pragma once

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringExtras.h"

namespace sluice::flow {

// Attribute of a flow.codelet: the symbol of its machine code.
inline constexpr llvm::StringLiteral kSymbolAttr = "codegen.symbol";

// A symbol is this and a hash of what the codelet computes, in hexadecimal digits.
inline constexpr llvm::StringLiteral kCodeletSymbolPrefix = "sluice_codelet_";

inline bool isCodeletSymbol(llvm::StringRef symbol) {
  return symbol.consume_front(kCodeletSymbolPrefix) && !symbol.empty() &&
         llvm::all_of(symbol, [](char c) { return llvm::isHexDigit(c) && !llvm::isUpper(c); });
}

} // namespace sluice::flow
