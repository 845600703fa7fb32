// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that come with a graph, by name, and what they look like as ops.
#pragma once

#include "compiler/import/Diagnostic.h"
#include "compiler/import/GraphFile.h"
#include "compiler/import/OpTable.h"

#include "llvm/ADT/StringMap.h"

namespace sluice::import {

class FunctionLibrary {
public:
  // Adds each function to the table, so that nodes may name it as their op. Two functions of one
  // name, and signatures that mean nothing, become diagnostics. File and table must outlive it.
  FunctionLibrary(const GraphFile &file, OpTable &table, DiagnosticList &diagnostics);

  // Null when there is none of this name.
  const graphdef::FunctionDef *find(llvm::StringRef name) const { return functions_.lookup(name); }
  // The function that computes the gradient of this one; empty if the library does not say.
  llvm::StringRef gradientOf(llvm::StringRef name) const { return gradients_.lookup(name); }
  // The name that is nearest to this one; empty if none is near.
  std::string nearest(llvm::StringRef name) const;

private:
  llvm::StringMap<const graphdef::FunctionDef *> functions_;
  llvm::StringMap<llvm::StringRef> gradients_;
};

// The signature in the form of the op table. Nothing, with what is wrong, if it means nothing.
std::unique_ptr<OpSignature> signatureOf(const graphdef::OpDef &def, std::string &problem);

} // namespace sluice::import
