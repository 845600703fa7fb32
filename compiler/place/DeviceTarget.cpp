// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Targets of devices, in cluster.json and in `wire.devices`.
#include "compiler/place/DeviceTarget.h"

#include "dialects/wire/Wire.h"

#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace mlir;

namespace sluice::place {

static constexpr llvm::StringLiteral kCpu = "cpu", kCuda = "cuda", kSimulated = "sim";
// One of each generation that has instructions of its own.
static constexpr llvm::StringLiteral kArchitectures[] = {"sm_80", "sm_90", "sm_100"};

static constexpr unsigned kMostCards = 16;

static std::string problemOfCards(StringRef list) {
  SmallVector<StringRef> names;
  list.split(names, ',');
  const auto *next = std::begin(kArchitectures);
  for (StringRef name : names) {
    next = std::find(next, std::end(kArchitectures), name);
    if (next == std::end(kArchitectures))
      return "expected the cards of 'cuda' to be some of sm_80, sm_90, sm_100 in this order, which "
             "later ones run as well,";
    ++next;
  }
  return {};
}

// Takes "2x" from the begin of a target.
static std::optional<unsigned> takeCount(StringRef &target) {
  StringRef rest = target;
  unsigned count = 0;
  if (rest.consumeInteger(10, count) || !rest.consume_front("x"))
    return std::nullopt;
  target = rest;
  return count;
}

std::string problemOfTarget(StringRef target) {
  std::optional<unsigned> count = takeCount(target);
  auto [kind, cpu] = target.split(':');
  if (count && (*count < 1 || *count > kMostCards))
    return "expected 1 to " + std::to_string(kMostCards) + " cards";
  if (count && kind != kCuda && kind != kSimulated)
    return "expected a number of cards before 'cuda' or 'sim' only";
  if (target == kCuda || target == kSimulated)
    return {};
  if (kind == kCuda)
    return problemOfCards(cpu);
  if (kind != kCpu)
    return "expected 'cpu', 'cpu:CPU', 'cuda', 'cuda:sm_…', 'sim' or '2xsim'";
  if (target == kCpu || isKnownCpu(llvm::Triple(llvm::sys::getDefaultTargetTriple()), cpu))
    return {};
  return "expected the CPU to be " + kCpuNames.str();
}

bool isKnownCpu(const llvm::Triple &triple, StringRef cpu) {
  return !triple.isX86() || cpu == "native" ||
         llvm::X86::parseArchX86(cpu, /*Only64Bit=*/true) != llvm::X86::CK_None;
}

static ArrayAttr declaredDevices(ModuleOp module) {
  return module ? module->getAttrOfType<ArrayAttr>(wire::kDevices) : ArrayAttr();
}

static StringRef targetOf(Attribute device) {
  auto target = cast<DictionaryAttr>(device).getAs<StringAttr>(wire::kTarget);
  return target ? target.getValue() : StringRef(kCpu);
}

LogicalResult checkTargets(ModuleOp module) {
  ArrayAttr devices = declaredDevices(module);
  for (auto [rank, device] : llvm::enumerate(devices ? devices.getValue() : ArrayRef<Attribute>()))
    if (std::string problem = problemOfTarget(targetOf(device)); !problem.empty())
      return emitError(module.getLoc()) << "target of device " << rank << ": " << problem
                                        << " but got '" << targetOf(device) << "'";
  return success();
}

std::optional<CardKind> cardOf(StringRef target) {
  std::optional<unsigned> count = takeCount(target);
  auto [kind, names] = target.split(':');
  if (target == kSimulated)
    return CardKind{{"sm_90"}, true, count};
  if (kind != kCuda)
    return std::nullopt;
  CardKind card;
  card.count = count;
  SmallVector<StringRef> wanted;
  names.split(wanted, ',');
  for (StringRef name : kArchitectures)
    if (names.empty() || llvm::is_contained(wanted, name))
      card.architectures.push_back(name.str());
  return card;
}

StringRef cpuOf(StringRef target) {
  auto [kind, cpu] = target.split(':');
  return kind == kCpu ? cpu : StringRef();
}

StringRef targetOf(ModuleOp program) {
  auto rank = program->getAttrOfType<IntegerAttr>(wire::kRank);
  ArrayAttr devices = declaredDevices(program->getParentOfType<ModuleOp>());
  if (!rank || !devices || rank.getInt() >= static_cast<int64_t>(devices.size()))
    return {};
  return targetOf(devices[static_cast<unsigned>(rank.getInt())]);
}

std::vector<unsigned> countedCards(ModuleOp module) {
  std::vector<unsigned> cards;
  if (ArrayAttr devices = declaredDevices(module))
    for (Attribute device : devices) {
      std::optional<CardKind> card = cardOf(targetOf(device));
      cards.push_back(card ? card->count.value_or(0) : 0);
    }
  return cards;
}

} // namespace sluice::place
