// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identifiers of C and C++ for what graphs, signatures and tensors are called.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace sluice::emit {

// "layer/x:0" becomes "layer_x", "x:1" becomes "x_1": letters, digits and underscores of ASCII.
std::string identifierPart(llvm::StringRef name);
// The same for what begins an identifier: neither a digit nor an underscore comes first, and it is
// no keyword of C or C++.
std::string identifier(llvm::StringRef name);
// "my_model" becomes "MyModel".
std::string className(llvm::StringRef name);
// Whether the text is a name of C++, perhaps in namespaces: "a::B".
bool isQualifiedName(llvm::StringRef name);

// Identifiers that are taken. What a part is used in differs, so it is taken with all of these.
class TakenIdentifiers {
public:
  // Adds to `part` "_2", "_3" and so on until none of the patterns, in which $ stands for it, is
  // taken; takes those.
  std::string take(const std::string &part, llvm::ArrayRef<llvm::StringRef> patterns);

private:
  llvm::StringSet<> taken_;
};

} // namespace sluice::emit
