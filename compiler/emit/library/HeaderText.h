// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pieces of text that both headers have.
#pragma once

#include "compiler/emit/library/Interface.h"

#include "llvm/Support/raw_ostream.h"

namespace sluice::emit {

// The public headers of the runtime, which generated ones bring along.
extern const char *const kSluiceHeader;    // sluice.h
extern const char *const kSluiceCppHeader; // sluice.hpp

// What cannot end a comment.
std::string commentText(llvm::StringRef text);
// A literal, with its quotes.
std::string stringLiteral(llvm::StringRef text);
// "'x:0' f32[2,?], 'y:0' i32[]", or "nothing".
std::string portListText(llvm::ArrayRef<InterfacePort> ports);
// "MODEL_H".
std::string guardName(const Interface &interface, llvm::StringRef suffix);

} // namespace sluice::emit
