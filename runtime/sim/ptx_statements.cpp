// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies of kernels: registers, labels, instructions and their operands.
#include "runtime/sim/ptx_parser.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>

namespace sluice::rt::sim {

// Braces inside a body only say how long names are known; a name that is declared again is another
// one from there on.
bool PtxParser::body(PtxFunction &kernel) {
  for (int depth = 1; depth;) {
    std::string_view token = tokens_.next();
    if (token.empty())
      return fail("expected '}' before the end");
    if (token == "{")
      ++depth;
    else if (token == "}")
      --depth;
    else if (token[0] == '.' ? !bodyDirective(kernel, token) : !statement(kernel, token))
      return false;
  }
  return true;
}

bool PtxParser::bodyDirective(PtxFunction &kernel, std::string_view token) {
  if (token == ".reg")
    return registers(kernel);
  if (token == ".pragma" || token == ".loc" || token == ".file")
    return token == ".pragma" ? skipTo(";") : fail("expected PTX without debug information");
  PtxSpace space = token == ".shared"  ? PtxSpace::kShared
                   : token == ".local" ? PtxSpace::kLocal
                   : token == ".param" ? PtxSpace::kParameter
                                       : PtxSpace::kGeneric;
  if (space == PtxSpace::kGeneric)
    return fail("expected a directive that is known but got '%s'", shown(token).c_str());
  PtxVariable one;
  if (!variable(space, true, one))
    return false;
  one.declaredAt = kernel.statements.size();
  kernel.variables.push_back(std::move(one));
  return true;
}

// `.pred %p<3>;`, `.b16 tmp, other;`
bool PtxParser::registers(PtxFunction &kernel) {
  std::string_view typeName = tokens_.next();
  PtxType type = ptxType(typeName.substr(std::min<size_t>(1, typeName.size())));
  if (type == PtxType::kNone)
    return fail("expected registers of a type that is known but got '%s'", shown(typeName).c_str());
  do {
    PtxRegister one;
    one.name = tokens_.next();
    one.type = type;
    one.declaredAt = kernel.statements.size();
    if (tokens_.take("<")) {
      one.count = atoi(std::string(tokens_.next()).c_str());
      if (!expect(">"))
        return false;
      if (one.count == 0 || one.count > 1 << 20)
        return fail("expected a number of registers");
    }
    kernel.registers.push_back(std::move(one));
  } while (tokens_.take(","));
  return expect(";");
}

bool PtxParser::branchTargets(PtxFunction &kernel, std::string_view label) {
  std::vector<std::string_view> &targets = kernel.branchTargets[label];
  do
    targets.push_back(tokens_.next());
  while (tokens_.take(","));
  return expect(";");
}

bool PtxParser::statement(PtxFunction &kernel, std::string_view token) {
  PtxStatement one;
  if (token == "@") {
    one.guardNegated = tokens_.take("!");
    one.guard = tokens_.next();
    token = tokens_.next();
  }
  one.line = tokens_.line();
  if (one.guard.empty() && tokens_.take(":")) {
    if (tokens_.take(".branchtargets"))
      return branchTargets(kernel, token);
    kernel.labels[token] = kernel.statements.size();
    return true;
  }
  if (!isalpha(static_cast<unsigned char>(token[0])))
    return fail("expected an instruction but got '%s'", shown(token).c_str());
  one.opcode = token;
  if (!tokens_.take(";") && !operands(one.operands, ";"))
    return false;
  kernel.statements.push_back(std::move(one));
  return true;
}

bool PtxParser::operands(std::vector<PtxOperand> &list, std::string_view end) {
  do {
    PtxOperand one;
    if (!operand(one))
      return false;
    list.push_back(std::move(one));
  } while (tokens_.take(","));
  return expect(end);
}

bool PtxParser::operand(PtxOperand &operand) {
  bool isCall = tokens_.take("("); // its parameters, or what it returns
  if (isCall || tokens_.take("{")) {
    const char *end = isCall ? ")" : "}";
    operand.kind = PtxOperand::kList;
    return tokens_.take(end) || operands(operand.list, end);
  }
  if (tokens_.take("["))
    return address(operand);
  operand.negated = tokens_.take("!");
  std::string_view token = tokens_.peek();
  if (token == "-" || (!token.empty() && isdigit(static_cast<unsigned char>(token[0]))))
    return number(operand);
  operand.name = tokens_.next();
  if (operand.name.empty() || !(isalpha(static_cast<unsigned char>(token[0])) ||
                                std::string_view("%_$").find(token[0]) != std::string_view::npos))
    return fail("expected an operand but got '%s'", shown(operand.name).c_str());
  if (tokens_.take("|"))
    operand.second = tokens_.next();
  return true;
}

// What is between brackets: a name, a number, or a name and a number.
bool PtxParser::address(PtxOperand &operand) {
  operand.kind = PtxOperand::kAddress;
  std::string_view token = tokens_.peek();
  if (token != "-" && !(!token.empty() && isdigit(static_cast<unsigned char>(token[0])))) {
    operand.name = tokens_.next();
    if (tokens_.take("]"))
      return true;
    if (tokens_.peek() != "-" && !expect("+"))
      return false;
  }
  PtxOperand offset;
  if (!number(offset))
    return false;
  operand.offset = int64_t(offset.bits);
  return expect("]");
}

bool PtxParser::number(PtxOperand &operand) {
  bool negative = tokens_.take("-");
  std::string token(tokens_.next());
  const char *digits = token.c_str();
  int base = 0;
  operand.kind = PtxOperand::kInteger;
  if (token.starts_with("0f") || token.starts_with("0F"))
    operand.kind = PtxOperand::kFloat;
  if (token.starts_with("0d") || token.starts_with("0D"))
    operand.kind = PtxOperand::kDouble;
  if (operand.kind != PtxOperand::kInteger) {
    digits += 2;
    base = 16;
  }
  char *end = nullptr;
  errno = 0;
  operand.bits = strtoull(digits, &end, base);
  bool isUnsigned = operand.kind == PtxOperand::kInteger && *end == 'U' && !end[1];
  if (errno || end == digits || (*end && !isUnsigned) ||
      (negative && operand.kind != PtxOperand::kInteger))
    return fail("expected a number but got '%s'", token.c_str());
  if (negative)
    operand.bits = -operand.bits;
  return true;
}

} // namespace sluice::rt::sim
