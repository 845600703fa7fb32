// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small graphs in the wire format, node by node.
#pragma once

#include <cstring>
#include <string>
#include <vector>

namespace sluice::conformance {

// A field with bytes, and one with a small number; all parts are short.
inline std::string field(char number, const std::string &text) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(text.size())} + text;
}
inline std::string field(char number, char value) {
  return std::string{static_cast<char>(number << 3), value};
}

// Attributes of a node: a flag that is true, and a scalar of float32.
inline std::string flag(const std::string &name) {
  return field(5, field(1, name) + field(2, field(5, char(1))));
}
inline std::string scalar(const std::string &name, float value) {
  std::string bytes(sizeof(value), '\0');
  std::memcpy(bytes.data(), &value, sizeof(value));
  return field(5, field(1, name) + field(2, field(8, field(1, char(1)) + field(5, bytes))));
}

// A node of a GraphDef. `sharedName` may be empty.
inline std::string node(const std::string &name, const std::string &op,
                        const std::vector<std::string> &inputs, const std::string &sharedName = "",
                        const std::string &attributes = "") {
  std::string body = field(1, name) + field(2, op);
  for (const std::string &input : inputs)
    body += field(3, input);
  if (!sharedName.empty())
    body += field(5, field(1, "shared_name") + field(2, field(2, sharedName)));
  return field(1, body + attributes);
}

inline std::string constant(const std::string &name, float value) {
  return node(name, "Const", {}, "", scalar("value", value));
}

} // namespace sluice::conformance
