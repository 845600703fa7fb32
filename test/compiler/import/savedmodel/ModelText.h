// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models in text form.
#pragma once

#include "compiler/import/savedmodel/Model.h"
#include "test/compiler/import/ImportTest.h"

namespace sluice::import {

inline std::string variable(const std::string &name, const std::string &sharedName = "",
                            const std::string &dims = "dim { size: 2 }") {
  return node(name, "VarHandleOp", {},
              type("dtype", "DT_FLOAT") + attr("shape", "shape { " + dims + " }") +
                  attr("shared_name", "s: \"" + sharedName + "\""));
}

// Constants of strings for RestoreV2; `names` are quoted and separated by spaces.
inline std::string strings(const std::string &name, const std::vector<std::string> &values) {
  std::string value = "tensor_shape { dim { size: " + std::to_string(values.size()) + " } }";
  for (const std::string &one : values)
    value += " string_val: \"" + one + "\"";
  return constant(name, "DT_STRING", value);
}

// A node of a function is what one of a graph is, under another field.
inline std::string inFunction(const std::string &nodes) {
  std::string result = nodes;
  for (size_t at = 0; (at = result.find("node {", at)) != std::string::npos; at += 10)
    result.replace(at, 6, "node_def {");
  return result;
}

// `arguments` and `results` are names; `returned` says which value each result is.
inline std::string function(const std::string &name, const std::vector<std::string> &arguments,
                            const std::vector<std::pair<std::string, std::string>> &returned,
                            const std::string &nodes) {
  std::string text = "function { signature { name: \"" + name + "\" ";
  for (const std::string &argument : arguments)
    text += "input_arg { name: \"" + argument + "\" type: DT_RESOURCE } ";
  for (const auto &[result, value] : returned)
    text += "output_arg { name: \"" + result + "\" type: DT_FLOAT } ";
  text += "} " + inFunction(nodes);
  for (const auto &[result, value] : returned)
    text += " ret { key: \"" + result + "\" value: \"" + value + "\" }";
  return text + " }\n";
}

inline std::string call(const std::string &name, const std::string &callee,
                        const std::vector<std::string> &inputs) {
  return node(name, "StatefulPartitionedCall", inputs,
              attr("f", "func { name: \"" + callee + "\" }"));
}

inline std::string metaGraph(const std::string &graph, const std::string &rest = "",
                             const std::string &tags = "tags: \"serve\"") {
  return "meta_info_def { " + tags + " }\n graph_def { " + graph + " }\n" + rest;
}

inline std::string savedModel(const std::vector<std::string> &metaGraphs) {
  std::string text = "saved_model_schema_version: 1\n";
  for (const std::string &one : metaGraphs)
    text += "meta_graphs { " + one + " }\n";
  return text;
}

inline std::string tensorInfo(const std::string &name, const std::string &dtype = "DT_FLOAT",
                              const std::string &dims = "dim { size: -1 }") {
  return "name: \"" + name + "\" dtype: " + dtype + " tensor_shape { " + dims + " }";
}
inline std::string port(const std::string &key, const std::string &info) {
  return "{ key: \"" + key + "\" value { " + info + " } } ";
}
inline std::string signature(const std::string &name, const std::string &ports) {
  return "signature_def { key: \"" + name + "\" value { " + ports + " } }\n";
}

// What reading a model gives.
struct ReadModel {
  DiagnosticList diagnostics;
  std::unique_ptr<Model> model;

  explicit ReadModel(const std::string &text, const std::vector<std::string> &tags = {},
                     const std::string &path = "m.pbtxt") {
    model = parseModel(path, "", text, tags, {}, diagnostics);
  }
  std::string said() const { return formatLines(diagnostics, false); }
  bool says(const std::string &part) const { return said().find(part) != std::string::npos; }
};

} // namespace sluice::import
