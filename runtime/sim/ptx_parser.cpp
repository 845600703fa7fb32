// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules of PTX: directives, variables, kernels' heads.
#include "runtime/sim/ptx_parser.h"

#include "runtime/sim/report.h"

#include <cstdarg>
#include <cstdlib>
#include <cstring>

namespace sluice::rt::sim {

struct NamedType {
  std::string_view name;
  PtxType type;
  uint32_t bytes;
};

static constexpr NamedType kTypes[] = {
    {"", PtxType::kNone, 0},     {"pred", PtxType::kPred, 1},   {"b8", PtxType::kB8, 1},
    {"b16", PtxType::kB16, 2},   {"b32", PtxType::kB32, 4},     {"b64", PtxType::kB64, 8},
    {"u8", PtxType::kU8, 1},     {"u16", PtxType::kU16, 2},     {"u32", PtxType::kU32, 4},
    {"u64", PtxType::kU64, 8},   {"s8", PtxType::kS8, 1},       {"s16", PtxType::kS16, 2},
    {"s32", PtxType::kS32, 4},   {"s64", PtxType::kS64, 8},     {"f16", PtxType::kF16, 2},
    {"bf16", PtxType::kBF16, 2}, {"f16x2", PtxType::kF16x2, 4}, {"bf16x2", PtxType::kBF16x2, 4},
    {"f32", PtxType::kF32, 4},   {"f64", PtxType::kF64, 8},
};

PtxType ptxType(std::string_view name) {
  for (const NamedType &one : kTypes)
    if (one.name == name)
      return one.type;
  return PtxType::kNone;
}

uint32_t bytesOf(PtxType type) { return kTypes[size_t(type)].bytes; }

bool PtxParser::fail(const char *pattern, ...) {
  char message[256];
  va_list values;
  va_start(values, pattern);
  vsnprintf(message, sizeof message, pattern, values);
  va_end(values);
  problem_ = text("line %u: %s", tokens_.line(), message);
  return false;
}

bool PtxParser::expect(std::string_view token) {
  std::string_view found = tokens_.next();
  return found == token ||
         fail("expected '%s' but got '%s'", shown(token).c_str(), shown(found).c_str());
}

bool PtxParser::skipTo(std::string_view token) {
  for (std::string_view found = tokens_.next(); !found.empty(); found = tokens_.next())
    if (found == token)
      return true;
  return fail("expected '%s' before the end", shown(token).c_str());
}

static PtxSpace spaceOf(std::string_view directive) {
  return directive == ".shared"  ? PtxSpace::kShared
         : directive == ".local" ? PtxSpace::kLocal
         : directive == ".const" ? PtxSpace::kConstant
         : directive == ".param" ? PtxSpace::kParameter
                                 : PtxSpace::kGlobal;
}

static bool isSpace(std::string_view directive) {
  return directive == ".shared" || directive == ".const" || directive == ".global";
}

bool PtxParser::module() {
  for (std::string_view token = tokens_.next(); !token.empty(); token = tokens_.next())
    if (!directive(token))
      return false;
  return true;
}

bool PtxParser::directive(std::string_view token) {
  if (token == ".version" || token == ".address_size")
    return !tokens_.next().empty();
  if (token == ".target") {
    std::string_view target = tokens_.next();
    if (target.starts_with("sm_"))
      parsed_.architecture = atoi(std::string(target.substr(3)).c_str());
    while (tokens_.take(","))
      tokens_.next();
    return true;
  }
  if (token == ".visible" || token == ".extern" || token == ".weak" || token == ".common")
    return true;
  if (token == ".entry")
    return kernel();
  // Only the driver's own are called, which are declared and have no body.
  if (token == ".func")
    return skipTo(";");
  if (!isSpace(token))
    return fail("expected a directive that is known but got '%s'", shown(token).c_str());
  PtxVariable one;
  if (!variable(spaceOf(token), true, one))
    return false;
  parsed_.variables.push_back(std::move(one));
  return true;
}

// `.align 16 .b8 name[128] = {1, 2};`, `.u64 .ptr .global .align 4 name`
bool PtxParser::variable(PtxSpace space, bool ends, PtxVariable &variable) {
  variable.space = space;
  uint32_t aligned = 0;
  PtxType type = PtxType::kNone;
  bool isPointer = false; // what comes then is about what it points at
  std::string_view token = tokens_.next();
  for (; token.starts_with("."); token = tokens_.next()) {
    if (token == ".align") {
      uint32_t value = atoi(std::string(tokens_.next()).c_str());
      aligned = isPointer ? aligned : value;
    } else if (token == ".ptr") {
      isPointer = true;
    } else if (PtxType found = ptxType(token.substr(1)); found != PtxType::kNone) {
      type = found;
    } else if (!isPointer) {
      return fail("expected a variable but got '%s'", shown(token).c_str());
    }
  }
  variable.name = token;
  variable.bytes = bytesOf(type);
  variable.alignment = aligned ? aligned : bytesOf(type);
  if (!variable.bytes || (variable.alignment & (variable.alignment - 1)))
    return fail("expected a variable with a type and an alignment");
  while (tokens_.take("[")) {
    std::string_view count = tokens_.next();
    variable.bytes *= count == "]" ? 0 : strtoull(std::string(count).c_str(), nullptr, 0);
    if (count != "]" && !expect("]"))
      return false;
  }
  if (tokens_.take("=") && !initializer(type, variable))
    return false;
  return !ends || expect(";");
}

// Numbers, in braces where there are several.
bool PtxParser::initializer(PtxType type, PtxVariable &variable) {
  int depth = 0;
  do {
    while (tokens_.take("{"))
      ++depth;
    PtxOperand value;
    if (!operand(value))
      return false;
    if (value.kind != PtxOperand::kInteger && value.kind != PtxOperand::kFloat &&
        value.kind != PtxOperand::kDouble)
      return fail("expected a number that '%s' begins with", variable.name.c_str());
    variable.initial.append(reinterpret_cast<const char *>(&value.bits), bytesOf(type));
    while (depth && tokens_.take("}"))
      --depth;
  } while (tokens_.take(","));
  return depth == 0 || fail("expected '}'");
}

bool PtxParser::kernel() {
  PtxFunction one;
  one.name = tokens_.next();
  one.line = tokens_.line();
  if (!parameters(one) || !attributes(one) || !body(one))
    return false;
  parsed_.kernels.push_back(std::move(one));
  return true;
}

bool PtxParser::parameters(PtxFunction &kernel) {
  if (!tokens_.take("(") || tokens_.take(")"))
    return true;
  do {
    PtxVariable one;
    if (!expect(".param") || !variable(PtxSpace::kParameter, false, one))
      return false;
    kernel.parameters.push_back(std::move(one));
  } while (tokens_.take(","));
  return expect(")");
}

bool PtxParser::size(uint32_t (&block)[3]) {
  for (uint32_t &size : block)
    size = 1;
  for (int i = 0; i < 3; ++i) {
    block[i] = atoi(std::string(tokens_.next()).c_str());
    if (!tokens_.take(","))
      return true;
  }
  return true;
}

// What the assembler is told of registers is nothing that a kernel computes with.
bool PtxParser::attributes(PtxFunction &kernel) {
  for (std::string_view token = tokens_.next(); token != "{"; token = tokens_.next()) {
    uint32_t ignored[3];
    if (token == ".reqntid") {
      if (!size(kernel.block))
        return false;
    } else if (token == ".maxntid" || token == ".minnctapersm" || token == ".maxnreg") {
      size(ignored);
    } else {
      return fail("expected the body of '%s' but got '%s'", kernel.name.c_str(),
                  shown(token).c_str());
    }
  }
  return true;
}

bool parsePtx(std::string_view text, PtxText &parsed, std::string &problem) {
  parsed.text = text;
  return PtxParser(parsed, problem).module();
}

} // namespace sluice::rt::sim
