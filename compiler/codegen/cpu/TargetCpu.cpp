// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU that machine code is made for, and what a CPU must have to run it.
#include "compiler/codegen/cpu/TargetCpu.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>

using namespace mlir;

namespace sluice::codegen {

const llvm::Target *findTarget(const llvm::Triple &triple, std::string &problem) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
  });
  return llvm::TargetRegistry::lookupTarget(triple, problem);
}

static std::string hostFeatures() {
  std::string features;
  for (const auto &[name, has] : llvm::sys::getHostCPUFeatures())
    features += (features.empty() ? "" : ",") + std::string(has ? "+" : "-") + name.str();
  return features;
}

// Instructions and registers, as LLVM names them. Its CPUs also have features that say what is
// fast.
static bool isInstructionSet(StringRef feature) {
  static const llvm::StringSet<> names = {
#define X86_FEATURE(ENUM, NAME) NAME,
#include "llvm/TargetParser/X86TargetParser.def"
  };
  return names.contains(feature);
}

static bool canBeAskedFor(StringRef feature) {
  return llvm::any_of(rt::kCpuFeatures,
                      [&](const rt::CpuFeature &known) { return feature == known.name; });
}

static std::unique_ptr<llvm::MCSubtargetInfo>
subtarget(const llvm::Target &target, const llvm::Triple &triple, const TargetCpu &cpu) {
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target.createMCSubtargetInfo(triple, cpu.name, cpu.features));
}

TargetCpu targetCpu(const llvm::Target &target, const llvm::Triple &triple, StringRef march) {
  TargetCpu cpu{march.str(), ""};
  if (march == "native")
    cpu = {llvm::sys::getHostCPUName().str(), hostFeatures()};
  if (!triple.isX86()) {
    // The default level of x86-64 says nothing to other machines.
    if (march.starts_with("x86-64"))
      cpu.name = "generic";
    return cpu;
  }
  auto least = subtarget(target, triple, {"x86-64", ""});
  if (!least->isCPUStringValid(cpu.name))
    return cpu;
  auto all = subtarget(target, triple, cpu);
  for (const llvm::SubtargetFeatureKV &feature : all->getEnabledProcessorFeatures())
    if (isInstructionSet(feature.Key) && !canBeAskedFor(feature.Key) &&
        !least->hasFeature(feature.Value))
      cpu.features += (cpu.features.empty() ? "-" : ",-") + std::string(feature.Key);
  return cpu;
}

rt::CpuFeatureSet requiredCpuFeatures(const llvm::Triple &triple, ArrayRef<StringRef> marches) {
  std::string problem;
  const llvm::Target *target = triple.isX86() ? findTarget(triple, problem) : nullptr;
  rt::CpuFeatureSet required = 0;
  if (!target)
    return required;
  for (StringRef march : marches) {
    TargetCpu cpu = targetCpu(*target, triple, march);
    auto info = subtarget(*target, triple, {"x86-64", ""});
    if (!info->isCPUStringValid(cpu.name))
      continue;
    info = subtarget(*target, triple, cpu);
    rt::CpuFeatureSet bit = 1;
    for (const rt::CpuFeature &feature : rt::kCpuFeatures) {
      if (info->checkFeatures("+" + std::string(feature.name)))
        required |= bit;
      bit <<= 1;
    }
  }
  return required;
}

} // namespace sluice::codegen
