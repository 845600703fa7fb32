// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parser of PTX, of what LLVM writes.
#pragma once

#include "runtime/sim/ptx_text.h"
#include "runtime/sim/ptx_tokens.h"

namespace sluice::rt::sim {

// As much of a word as a message shows.
inline std::string shown(std::string_view word) { return std::string(word.substr(0, 60)); }

class PtxParser {
public:
  PtxParser(PtxText &parsed, std::string &problem)
      : parsed_(parsed), problem_(problem), tokens_(parsed.text) {}
  bool module();

private:
  // ---- Of modules, ptx_parser.cpp
  bool directive(std::string_view token);
  bool kernel();
  bool parameters(PtxFunction &kernel);
  bool attributes(PtxFunction &kernel);
  bool size(uint32_t (&block)[3]);
  // From the words behind the space; true if it has a `;`.
  bool variable(PtxSpace space, bool ends, PtxVariable &variable);
  bool initializer(PtxType type, PtxVariable &variable);
  bool skipTo(std::string_view token);

  // ---- Of bodies, ptx_statements.cpp
  bool body(PtxFunction &kernel);
  bool bodyDirective(PtxFunction &kernel, std::string_view token);
  bool registers(PtxFunction &kernel);
  bool statement(PtxFunction &kernel, std::string_view token);
  bool branchTargets(PtxFunction &kernel, std::string_view label);
  bool operand(PtxOperand &operand);
  bool operands(std::vector<PtxOperand> &list, std::string_view end);
  bool address(PtxOperand &operand);
  bool number(PtxOperand &operand);

  bool fail(const char *pattern, ...) __attribute__((format(printf, 2, 3)));
  bool expect(std::string_view token);

  PtxText &parsed_;
  std::string &problem_;
  PtxTokens tokens_;
};

} // namespace sluice::rt::sim
