// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the graphs of a module share: variables, random generators, shared objects, and the values
// of constants.
//
// A variable's identity is its key: container and shared name, or the node's name.
#pragma once

#include "compiler/import/Graph.h"
#include "compiler/import/InitialValues.h"

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
  mlir::Type type; // a tensor, or a list
  Place place;     // of the first node of this key
};

class Declarations {
public:
  // `graphNames` are symbols that are taken already; `values` may be null.
  Declarations(mlir::ModuleOp module, llvm::ArrayRef<std::string> graphNames, InitialValues *values,
               DiagnosticList &diagnostics);

  // Looks at the assignments of a graph. Before anything of it is asked for.
  void addGraph(const Graph &graph);

  // The variable of a Variable, VariableV2 or VarHandleOp node. Nothing, after a diagnostic, when
  // another node declares the same key with another type.
  std::optional<VariableDeclaration> variable(const Graph &graph, uint32_t node,
                                              mlir::Location loc);
  // The value of a Const node, decoded once for all signatures.
  mlir::ElementsAttr constant(const Graph &graph, uint32_t node);
  // The object of this kind of a node; its key is as that of a variable. Nodes that name none have
  // one of their own, unless the names of nodes count as names of objects.
  mlir::FlatSymbolRefAttr object(const Graph &graph, uint32_t node, llvm::StringRef kind,
                                 mlir::Location loc, bool nodeNameCounts);
  // The generator of a random op; its key is the node's name.
  mlir::FlatSymbolRefAttr generator(const Graph &graph, uint32_t node, mlir::Location loc);

  // A symbol of its own for what is called so.
  mlir::FlatSymbolRefAttr freshSymbol(const std::string &wanted);

private:
  void declareNext();
  mlir::Type declaredType(const Graph &graph, uint32_t node) const;

  InitialValues *values_;
  DiagnosticList &diagnostics_;
  mlir::ModuleOp module_;
  mlir::OpBuilder builder_;
  mlir::Operation *lastDeclaration_ = nullptr;
  llvm::StringMap<VariableDeclaration> variables_;
  llvm::StringMap<mlir::FlatSymbolRefAttr> generators_, objects_;
  llvm::StringSet<> objectKeys_; // with kinds
  llvm::DenseMap<const graphdef::NodeDef *, mlir::ElementsAttr> constants_;
  llvm::StringSet<> symbols_;
  // Variables that an assignment may give another shape than the declared one.
  llvm::DenseSet<const graphdef::NodeDef *> loose_;
  bool allLoose_ = false;
};

} // namespace sluice::import
