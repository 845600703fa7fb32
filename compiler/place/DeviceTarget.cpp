// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Targets of devices, in cluster.json and in `wire.devices`.
#include "compiler/place/DeviceTarget.h"

#include "dialects/wire/Wire.h"

#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace mlir;

namespace sluice::place {

static constexpr llvm::StringLiteral kCpu = "cpu";

std::string problemOfTarget(StringRef target) {
  auto [kind, cpu] = target.split(':');
  if (kind != kCpu)
    return "expected 'cpu' or 'cpu:CPU', which is all that this build makes code for,";
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

StringRef cpuOf(ModuleOp program) {
  auto rank = program->getAttrOfType<IntegerAttr>(wire::kRank);
  ArrayAttr devices = declaredDevices(program->getParentOfType<ModuleOp>());
  if (!rank || !devices || rank.getInt() >= static_cast<int64_t>(devices.size()))
    return {};
  return targetOf(devices[static_cast<unsigned>(rank.getInt())]).split(':').second;
}

} // namespace sluice::place
