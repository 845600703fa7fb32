// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places the variables of a module and decodes its kernels.
#include "runtime/sim/ptx_twin.h"
#include "runtime/sim/ptx_decoder.h"
#include "runtime/sim/report.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace sluice::rt::sim {

constexpr uint64_t kMostAlignment = 4096;

PtxModule::~PtxModule() {
  for (void *one : allocated)
    free(one);
}

// Variables lie as close as their alignments let them, as ptxas packs them, but each at an odd
// multiple: one that code hopes to be better aligned than it says is found.
static uint64_t placeBehind(uint64_t end, uint64_t alignment) {
  uint64_t multiple = (end + alignment - 1) / alignment;
  return (multiple | 1) * alignment;
}

static char *allocate(PtxModule &module, uint64_t bytes) {
  bytes = (bytes + kMostAlignment) / kMostAlignment * kMostAlignment;
  void *memory = aligned_alloc(kMostAlignment, bytes);
  if (!memory)
    abort();
  memset(memory, 0, bytes);
  module.allocated.push_back(memory);
  return static_cast<char *>(memory);
}

static bool placeGlobals(PtxModule &module, std::string &problem) {
  for (const PtxVariable &one : module.text.variables) {
    if (one.space == PtxSpace::kShared)
      continue;
    if (one.bytes == 0 || one.initial.size() > one.bytes || one.alignment > kMostAlignment) {
      problem = text("expected the variable '%s' to have a size", one.name.c_str());
      return false;
    }
    uint64_t place = placeBehind(0, one.alignment);
    char *memory = allocate(module, place + one.bytes) + place;
    memcpy(memory, one.initial.data(), one.initial.size());
    module.globals.push_back({one.name.c_str(), memory, one.bytes, one.alignment, 0});
  }
  return true;
}

namespace {

// One kernel of a module.
class TwinMaker {
public:
  TwinMaker(PtxModule &module, const PtxFunction &function, std::string &problem)
      : module_(module), function_(function), decoder_(function, twin_->kernel, problem) {}

  std::unique_ptr<PtxTwin> make(uint64_t hash) {
    for (const PtxVariable &one : function_.variables)
      if (one.space == PtxSpace::kLocal)
        placeOwn(one);
      else if (one.space == PtxSpace::kShared)
        shared_.push_back(&one);
    for (const PtxVariable &one : module_.text.variables)
      if (one.space == PtxSpace::kShared && isUsed(one.name))
        shared_.push_back(&one);
    placeShared();
    for (const SluiceSimVariable &one : module_.globals)
      decoder_.addVariable(one.name, reinterpret_cast<uint64_t>(one.address));
    if (!decoder_.decode())
      return nullptr;
    fillTable(hash);
    return std::move(twin_);
  }

private:
  bool isUsed(const std::string &name) const {
    auto names = [&](const PtxOperand &one) { return one.name == name; };
    return std::any_of(function_.statements.begin(), function_.statements.end(),
                       [&](const PtxStatement &statement) {
                         return std::any_of(statement.operands.begin(), statement.operands.end(),
                                            names);
                       });
  }

  void placeOwn(const PtxVariable &one) {
    PtxKernel &kernel = twin_->kernel;
    uint64_t place = placeBehind(kernel.localBytes, one.alignment);
    kernel.locals.push_back({one.name, place, one.bytes});
    kernel.localBytes = place + one.bytes;
    decoder_.addVariable(one.name, place);
  }

  // Variables without a size are one and the same memory, which comes from the launch.
  void placeShared() {
    std::vector<uint64_t> places;
    uint64_t end = 0;
    for (const PtxVariable *one : shared_)
      if (one->bytes) {
        places.push_back(placeBehind(end, one->alignment));
        end = places.back() + one->bytes;
      }
    twin_->sharedWindow = allocate(module_, end);
    size_t number = 0;
    for (const PtxVariable *one : shared_) {
      if (!one->bytes) {
        decoder_.addDynamicShared(one->name);
        continue;
      }
      uint64_t place = places[number++];
      decoder_.addVariable(one->name, place);
      twin_->sharedVariables.push_back(
          {one->name.c_str(), twin_->sharedWindow + place, one->bytes, one->alignment, 0});
    }
    twin_->entry.sharedBytes = uint32_t(end);
  }

  void fillTable(uint64_t hash) {
    PtxTwin &twin = *twin_;
    twin.name = function_.name;
    SluiceSimKernel &entry = twin.entry;
    entry.name = twin.name.c_str();
    entry.entry = runPtxThread;
    entry.parameterCount = uint32_t(twin.kernel.parameterBytes.size());
    entry.parameterBytes = twin.kernel.parameterBytes.data();
    entry.blockX = function_.block[0];
    entry.blockY = function_.block[1];
    entry.blockZ = function_.block[2];
    static_cast<SluiceSimTwin &>(twin) = {SLUICE_SIM_TWIN_VERSION,
                                          module_.text.architecture,
                                          hash,
                                          &entry,
                                          1,
                                          uint32_t(twin.sharedVariables.size()),
                                          twin.sharedVariables.data(),
                                          module_.globals.data(),
                                          uint32_t(module_.globals.size()),
                                          0,
                                          &twin.dynamicBegin};
  }

  PtxModule &module_;
  const PtxFunction &function_;
  std::unique_ptr<PtxTwin> twin_ = std::make_unique<PtxTwin>();
  PtxDecoder decoder_;
  std::vector<const PtxVariable *> shared_;
};

} // namespace

std::unique_ptr<PtxModule> loadPtx(std::string_view image, uint64_t hash, std::string &problem) {
  auto module = std::make_unique<PtxModule>();
  if (!parsePtx(image, module->text, problem) || !placeGlobals(*module, problem))
    return nullptr;
  for (const PtxFunction &function : module->text.kernels) {
    auto twin = TwinMaker(*module, function, problem).make(hash);
    if (!twin)
      return nullptr;
    module->kernels.push_back(std::move(twin));
  }
  // Statements are decoded.
  for (PtxFunction &function : module->text.kernels) {
    function.statements.clear();
    function.statements.shrink_to_fit();
  }
  ++ptxStatistics().modules;
  return module;
}

} // namespace sluice::rt::sim
