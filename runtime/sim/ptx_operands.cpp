// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands become slots.
#include "runtime/sim/ptx_decoder.h"

namespace sluice::rt::sim {

// What nobody has written shows, as it does in memory.
constexpr uint64_t kUnwritten = ~uint64_t(0);

static uint64_t maskOfBytes(uint32_t bytes) {
  return bytes >= 8 ? ~uint64_t(0) : (uint64_t(1) << 8 * bytes) - 1;
}

uint32_t PtxDecoder::newSlot(uint64_t initial) {
  kernel_.initial.push_back(initial);
  types_.push_back(PtxType::kNone);
  return uint32_t(kernel_.initial.size() - 1);
}

uint32_t PtxDecoder::scratch() { return newSlot(0); }

uint32_t PtxDecoder::constant(uint64_t bits) {
  auto [place, isNew] = constants_.try_emplace(bits, 0);
  if (isNew)
    place->second = newSlot(bits);
  return place->second;
}

void PtxDecoder::addVariable(std::string_view name, uint64_t address) {
  names_[std::string(name)] = {constant(address), PtxType::kB64};
}

void PtxDecoder::addDynamicShared(std::string_view name) {
  uint32_t slot = newSlot(0);
  kernel_.specials.push_back({slot, PtxSpecial::kDynamicShared});
  names_[std::string(name)] = {slot, PtxType::kB64};
}

void PtxDecoder::addParameters() {
  for (const PtxVariable &one : function_.parameters) {
    uint32_t first = uint32_t(kernel_.initial.size());
    for (uint64_t at = 0; at < one.bytes; at += 8)
      newSlot(kUnwritten);
    kernel_.parameterSlots.push_back(first);
    kernel_.parameterBytes.push_back(uint32_t(one.bytes));
    parameters_[one.name] = {first, uint32_t(one.bytes)};
  }
}

// Names that come before this statement.
void PtxDecoder::declare(uint32_t statement) {
  for (; nextRegister_ < function_.registers.size(); ++nextRegister_) {
    const PtxRegister &one = function_.registers[nextRegister_];
    if (one.declaredAt > statement)
      break;
    for (uint32_t i = 0; i < (one.count ? one.count : 1); ++i) {
      uint32_t slot = newSlot(kUnwritten & maskOfBytes(bytesOf(one.type)));
      types_[slot] = one.type;
      names_[one.count ? one.name + std::to_string(i) : one.name] = {slot, one.type};
    }
  }
  for (; nextVariable_ < function_.variables.size(); ++nextVariable_) {
    const PtxVariable &one = function_.variables[nextVariable_];
    if (one.declaredAt > statement)
      break;
    if (one.space != PtxSpace::kParameter)
      continue;
    uint32_t first = uint32_t(kernel_.initial.size());
    for (uint64_t at = 0; at < one.bytes; at += 8)
      newSlot(kUnwritten);
    parameters_[one.name] = {first, uint32_t(one.bytes)};
  }
}

// ---- Names --------------------------------------------------------------------------------------

struct SpecialName {
  std::string_view name;
  PtxSpecial what;
};

static constexpr SpecialName kSpecials[] = {
    {"%tid.x", PtxSpecial::kThreadX},
    {"%tid.y", PtxSpecial::kThreadY},
    {"%tid.z", PtxSpecial::kThreadZ},
    {"%ntid.x", PtxSpecial::kBlockSizeX},
    {"%ntid.y", PtxSpecial::kBlockSizeY},
    {"%ntid.z", PtxSpecial::kBlockSizeZ},
    {"%ctaid.x", PtxSpecial::kBlockX},
    {"%ctaid.y", PtxSpecial::kBlockY},
    {"%ctaid.z", PtxSpecial::kBlockZ},
    {"%nctaid.x", PtxSpecial::kGridSizeX},
    {"%nctaid.y", PtxSpecial::kGridSizeY},
    {"%nctaid.z", PtxSpecial::kGridSizeZ},
    {"%laneid", PtxSpecial::kLane},
    {"%warpid", PtxSpecial::kWarp},
    {"WARP_SZ", PtxSpecial::kWarpSize},
    {"%lanemask_eq", PtxSpecial::kLaneMaskEqual},
    {"%lanemask_lt", PtxSpecial::kLaneMaskLess},
    {"%lanemask_le", PtxSpecial::kLaneMaskLessOrEqual},
    {"%lanemask_gt", PtxSpecial::kLaneMaskGreater},
    {"%lanemask_ge", PtxSpecial::kLaneMaskGreaterOrEqual},
};

const PtxDecoder::Named *PtxDecoder::find(std::string_view name) {
  auto found = names_.find(std::string(name));
  if (found != names_.end())
    return &found->second;
  for (const SpecialName &special : kSpecials)
    if (special.name == name) {
      uint32_t slot = newSlot(0);
      kernel_.specials.push_back({slot, special.what});
      return &(names_[std::string(name)] = {slot, PtxType::kU32});
    }
  fail("expected a name that is declared but got '%s'", std::string(name.substr(0, 60)).c_str());
  return nullptr;
}

const PtxDecoder::Parameter *PtxDecoder::parameter(std::string_view name) const {
  auto found = parameters_.find(std::string(name));
  return found == parameters_.end() ? nullptr : &found->second;
}

uint32_t PtxDecoder::predicate(std::string_view name) {
  const Named *found = find(name);
  if (found && found->type != PtxType::kPred)
    fail("expected a predicate but got '%s'", std::string(name).c_str());
  return found ? found->slot : 0;
}

uint64_t PtxDecoder::maskOf(uint32_t slot) const { return maskOfBytes(bytesOf(types_[slot])); }

// ---- Operands -----------------------------------------------------------------------------------

static bool fits(PtxType declared, PtxType wanted, bool wider) {
  if ((declared == PtxType::kPred) != (wanted == PtxType::kPred))
    return false;
  uint32_t has = bytesOf(declared), needs = bytesOf(wanted);
  return has == needs || (wider && has > needs);
}

uint32_t PtxDecoder::source(const PtxOperand &operand, PtxType type, bool wider) {
  switch (operand.kind) {
  case PtxOperand::kInteger:
    if (type == PtxType::kF32 || type == PtxType::kF64)
      fail("expected a number of floating point");
    return constant(type == PtxType::kPred ? operand.bits != 0
                                           : operand.bits & maskOfBytes(bytesOf(type)));
  case PtxOperand::kFloat:
  case PtxOperand::kDouble:
    if (bytesOf(type) != (operand.kind == PtxOperand::kFloat ? 4 : 8))
      fail("expected a number of %u bytes", bytesOf(type));
    return constant(operand.bits);
  case PtxOperand::kName:
    break;
  default:
    fail("expected a register or a number");
    return 0;
  }
  const Named *found = find(operand.name);
  if (found && !fits(found->type, type, wider))
    fail("expected '%s' to have %u bytes", std::string(operand.name).c_str(), bytesOf(type));
  return found ? found->slot : 0;
}

uint32_t PtxDecoder::source(size_t operand, PtxType type, bool wider) {
  if (operand >= operandCount()) {
    fail("expected more operands");
    return 0;
  }
  return source(statement_->operands[operand], type, wider);
}

uint32_t PtxDecoder::target(const PtxOperand &operand, PtxType type, bool wider) {
  if (operand.kind != PtxOperand::kName) {
    fail("expected a register");
    return 0;
  }
  if (operand.name == "_") // nobody asks
    return scratch();
  const Named *found = find(operand.name);
  if (!found)
    return 0;
  if (types_[found->slot] == PtxType::kNone)
    fail("expected a register but got '%s'", std::string(operand.name).c_str());
  if (!fits(found->type, type, wider))
    fail("expected '%s' to have %u bytes", std::string(operand.name).c_str(), bytesOf(type));
  return found->slot;
}

uint32_t PtxDecoder::target(size_t operand, PtxType type, bool wider) {
  if (operand >= operandCount()) {
    fail("expected more operands");
    return 0;
  }
  return target(statement_->operands[operand], type, wider);
}

uint32_t PtxDecoder::address(size_t operand, int64_t &offset) {
  if (operand >= operandCount() || statement_->operands[operand].kind != PtxOperand::kAddress) {
    fail("expected an address");
    return 0;
  }
  const PtxOperand &one = statement_->operands[operand];
  offset = one.offset;
  if (one.name.empty())
    return constant(0);
  const Named *found = find(one.name);
  if (found && bytesOf(found->type) != 8)
    fail("expected an address of 64 bits");
  return found ? found->slot : 0;
}

} // namespace sluice::rt::sim
