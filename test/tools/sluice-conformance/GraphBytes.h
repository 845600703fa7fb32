// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small graphs in the wire format, node by node.
#pragma once

#include <string>
#include <vector>

namespace sluice::conformance {

// A node of a GraphDef, whose parts are short. `sharedName` may be empty.
inline std::string node(const std::string &name, const std::string &op,
                        const std::vector<std::string> &inputs,
                        const std::string &sharedName = "") {
  auto field = [](char number, const std::string &text) {
    return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(text.size())} + text;
  };
  std::string body = field(1, name) + field(2, op);
  for (const std::string &input : inputs)
    body += field(3, input);
  if (!sharedName.empty())
    body += field(5, field(1, "shared_name") + field(2, field(2, sharedName)));
  return field(1, body);
}

} // namespace sluice::conformance
