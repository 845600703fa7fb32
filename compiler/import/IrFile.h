// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// IR files, text or bytecode, from anywhere.
#pragma once

#include "compiler/import/Diagnostic.h"
#include "compiler/import/Limits.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>

namespace sluice::import {

// What MLIR may parse: text that went through the scan, or the bytecode within a container. Nothing
// after a diagnostic, which `path` is the place of.
std::optional<llvm::StringRef> checkIrBytes(const std::string &path, llvm::StringRef bytes,
                                            const Limits &limits, DiagnosticList &diagnostics);

// Reads, parses and checks a module of Sluice's dialects. Complaints of the parser and of verifiers
// go to the context; null after any complaint.
mlir::OwningOpRef<mlir::ModuleOp> readIr(mlir::MLIRContext &context, const std::string &path,
                                         const Limits &limits, DiagnosticList &diagnostics);
// The same from bytes that are in memory already; `path` only names them in messages.
mlir::OwningOpRef<mlir::ModuleOp> parseIr(mlir::MLIRContext &context, const std::string &path,
                                          llvm::StringRef content, const Limits &limits,
                                          DiagnosticList &diagnostics);

// Whether the parser gets through bytes that went through `checkIrBytes`, tried in a child process:
// MLIR's parser corrupts memory after some errors, and its reader of bytecode trusts what it gets.
// `parse` is all that will be done with them here. False after a complaint.
bool survivesParsing(mlir::MLIRContext &context, const std::string &path,
                     llvm::function_ref<bool()> parse, DiagnosticList &diagnostics);
// What `parseIr` does in the child: to be used where a crash is to be seen.
bool parsesHere(mlir::MLIRContext &context, const std::string &path, llvm::StringRef bytes,
                const Limits &limits);

} // namespace sluice::import
