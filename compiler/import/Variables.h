// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the graphs of a module share: variables, random generators, tables, and the values of
// constants.
//
// A variable's identity is its key: container and shared name, or the node's name.
#pragma once

#include "compiler/import/Graph.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <optional>

namespace sluice::import {

struct VariableDeclaration {
  mlir::FlatSymbolRefAttr symbol;
  mlir::TensorType type;
  uint32_t node = 0; // the first node of this key
};

class Declarations {
public:
  // `graphNames` are symbols that are taken already.
  Declarations(const Graph &graph, mlir::ModuleOp module, llvm::ArrayRef<std::string> graphNames,
               DiagnosticList &diagnostics);

  // The variable of a Variable, VariableV2 or VarHandleOp node. Nothing, after a diagnostic, when
  // another node declares the same key with another type.
  std::optional<VariableDeclaration> variable(uint32_t node, mlir::Location loc);
  // The value of a Const node, decoded once for all signatures.
  mlir::ElementsAttr constant(uint32_t node);
  // The table of a node; its key is as that of a variable.
  mlir::FlatSymbolRefAttr table(uint32_t node, mlir::Location loc);
  // The generator of a random op; its key is the node's name.
  mlir::FlatSymbolRefAttr generator(uint32_t node, mlir::Location loc);

private:
  void declareNext();
  void findLooseAssignments();
  mlir::TensorType declaredType(uint32_t node) const;
  mlir::FlatSymbolRefAttr freshSymbol(const std::string &wanted);

  const Graph &graph_;
  DiagnosticList &diagnostics_;
  mlir::ModuleOp module_;
  mlir::OpBuilder builder_;
  mlir::Operation *lastDeclaration_ = nullptr;
  llvm::StringMap<VariableDeclaration> variables_;
  llvm::StringMap<mlir::FlatSymbolRefAttr> generators_, tables_;
  llvm::DenseMap<uint32_t, mlir::ElementsAttr> constants_;
  llvm::StringSet<> symbols_;
  // Variables that an assignment may give another shape than the declared one.
  llvm::DenseSet<uint32_t> loose_;
  bool allLoose_ = false;
};

} // namespace sluice::import
