// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One place where problems reach the user, as text or as JSON lines, whatever found them.
#pragma once

#include "compiler/import/Diagnostic.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

namespace sluice {

class DiagnosticPrinter {
public:
  DiagnosticPrinter(bool json, llvm::raw_ostream &out) : json_(json), out_(out) {}

  void print(const import::Diagnostic &diagnostic);
  void print(const import::DiagnosticList &diagnostics);
  // An error that belongs to no place in the graph, with the exit code that it leads to.
  void error(llvm::StringRef message, int exitCode = 1);
  // Errors of passes and verifiers: node names and text positions come from locations.
  void print(mlir::Diagnostic &diagnostic);

private:
  bool json_;
  llvm::raw_ostream &out_;
};

} // namespace sluice
