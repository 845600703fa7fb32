// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What there is in an input file, for somebody who wants to compile it: what can be fed and
// fetched, what lives on, and what is not supported. Nothing is compiled for it.
#pragma once

#include "compiler/import/savedmodel/Model.h"
#include "runtime/program/signature_info.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <string>
#include <vector>

namespace sluice::import {

struct DescribedTensor {
  std::string name;
  std::string type;        // "f32"; as the graph calls it where programs have no such type
  std::string shape;       // "[?,2]"; "" if it is not known
  std::string tensor = {}; // of a signature's: which one it is in the graph
};

struct DescribedSignature {
  std::string name;
  std::vector<DescribedTensor> inputs, outputs;
  std::vector<std::string> targets;
};

struct DescribedOp {
  std::string op;
  size_t nodes = 0; // of the graph and of functions
  bool isSupported = true;
};

struct ModelDescription {
  std::string path, kind;  // "GraphDef", "SavedModel", …
  std::string tags;        // of a SavedModel
  std::string initializer; // what runs before the first call; empty: nothing
  std::vector<DescribedSignature> signatures;
  std::vector<DescribedTensor> placeholders;
  // What nobody consumes, and so may be what the graph is for.
  std::vector<DescribedTensor> outputs;
  std::vector<std::string> targets;
  std::vector<DescribedTensor> variables;
  std::vector<std::string> functions;
  std::vector<std::string> assets;
  std::vector<DescribedOp> ops; // by name; none of IR
};

// Nothing after a diagnostic: the graph must be good, but for ops that are not supported.
std::optional<ModelDescription> describe(const Model &model, DiagnosticList &diagnostics);
// Of IR.
ModelDescription describe(const std::string &path, mlir::ModuleOp module);

void printText(const ModelDescription &description, llvm::raw_ostream &out);
void printJson(const ModelDescription &description, llvm::raw_ostream &out);

// What could be fed, and what could be fetched, in a line each for those who have named nothing.
std::vector<std::string> hintsOf(const ModelDescription &description);

} // namespace sluice::import
