// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small graphs in text form, and what import says of them.
#pragma once

#include "compiler/import/Importer.h"
#include "dialects/interfaces/RegisterDialects.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::import {

// One node in text form; `rest` holds further fields, such as attributes.
inline std::string node(const std::string &name, const std::string &op,
                        const std::vector<std::string> &inputs = {}, const std::string &rest = "") {
  std::string text = "node { name: \"" + name + "\" op: \"" + op + "\"";
  for (const std::string &input : inputs)
    text += " input: \"" + input + "\"";
  return text + " " + rest + " }\n";
}

inline std::string attr(const std::string &key, const std::string &value) {
  return "attr { key: \"" + key + "\" value { " + value + " } } ";
}
inline std::string type(const std::string &key, const std::string &name) {
  return attr(key, "type: " + name);
}
const std::string kFloat = type("T", "DT_FLOAT");

inline std::string placeholder(const std::string &name, const std::string &dtype = "DT_FLOAT") {
  return node(name, "Placeholder", {}, type("dtype", dtype));
}
// `value` holds the fields of the tensor but for its type.
inline std::string constant(const std::string &name, const std::string &dtype,
                            const std::string &value) {
  return node(name, "Const", {},
              type("dtype", dtype) +
                  attr("value", "tensor { dtype: " + dtype + " " + value + " }"));
}
inline std::string one(const std::string &name) {
  return constant(name, "DT_FLOAT", "tensor_shape {} float_val: 1");
}

struct Outcome {
  int exitCode = 0;
  std::string diagnostics; // as text, a line each
  std::string module;      // printed; empty when there is none
};

inline Outcome importText(const std::string &text, const SignatureRequest &request,
                          const std::string &path = "g.pbtxt") {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  DiagnosticList diagnostics;
  auto file = GraphFile::parse(path, text, diagnostics);
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (file)
    module = importGraph(context, *file, request, diagnostics);
  Outcome outcome;
  outcome.exitCode = static_cast<int>(diagnostics.exitCode());
  for (const Diagnostic &diagnostic : diagnostics.all())
    outcome.diagnostics += formatText(diagnostic) + "\n";
  if (module)
    llvm::raw_string_ostream(outcome.module) << *module;
  EXPECT_EQ(outcome.exitCode == 0, static_cast<bool>(module)) << outcome.diagnostics;
  return outcome;
}

inline SignatureRequest fetching(std::vector<std::string> fetches,
                                 std::vector<std::string> feeds = {},
                                 std::vector<std::string> targets = {}) {
  SignatureRequest request;
  request.feeds.assign(feeds.begin(), feeds.end());
  request.fetches.assign(fetches.begin(), fetches.end());
  request.targets = std::move(targets);
  return request;
}

// The graph is refused with this exit code, and the message holds the text.
inline void expectRefused(const std::string &graph, const SignatureRequest &request, int exitCode,
                          const std::string &message) {
  Outcome outcome = importText(graph, request);
  EXPECT_EQ(outcome.exitCode, exitCode) << outcome.diagnostics;
  EXPECT_NE(outcome.diagnostics.find(message), std::string::npos)
      << "expected: " << message << "\nbut got: " << outcome.diagnostics;
}

inline void expectBadGraph(const std::string &graph, const std::string &message) {
  expectRefused(graph, fetching({}, {}, {"x"}), 1, message);
}

} // namespace sluice::import
