// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does what the linker and the main of executables do: finds kernels by symbol, loads images.
#include "tools/sluicec/InProcessProgram.h"

#include "runtime/cluster/in_process_cluster.h"
#include "runtime/executor/executor.h"
#include "runtime/kernels/registry.h"
#include "runtime/program/write_image.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

namespace sluice {

rt::Result<InProcessProgram::Image>
InProcessProgram::makeImage(const emit::DescribedProgram &program) {
  Image image;
  std::string bytes = rt::writeImage(program.program);
  image.size = bytes.size();
  image.lines.resize(bytes.size() / sizeof(Image::Line) + 1);
  std::memcpy(image.lines.data(), bytes.data(), bytes.size());
  for (const std::string &symbol : program.kernels) {
    auto all = rt::allKernels();
    auto entry = llvm::find_if(all, [&](const rt::KernelEntry &e) { return e.symbol == symbol; });
    if (entry == all.end())
      return rt::internalError("no kernel '" + symbol + "'");
    image.kernels.push_back(entry->kernel);
  }
  return image;
}

rt::Result<InProcessProgram> InProcessProgram::load(llvm::ArrayRef<emit::DescribedProgram> programs,
                                                    bool simulated) {
  InProcessProgram result;
  std::vector<std::unique_ptr<rt::Program>> loaded;
  for (const emit::DescribedProgram &program : programs) {
    SLUICE_ASSIGN_OR_RETURN(Image image, makeImage(program));
    result.images_.push_back(std::make_unique<Image>(std::move(image)));
    const Image &kept = *result.images_.back();
    SLUICE_ASSIGN_OR_RETURN(emit::LoadedCodelets codelets, emit::LoadedCodelets::load(program));
    result.codelets_.push_back(std::move(codelets));
    SLUICE_ASSIGN_OR_RETURN(
        std::unique_ptr<rt::Program> one,
        rt::Program::load({reinterpret_cast<const char *>(kept.lines.data()), kept.size},
                          {kept.kernels, result.codelets_.back().table()}));
    loaded.push_back(std::move(one));
  }
  if (programs.front().program.devices.empty())
    result.runner_ = std::make_unique<rt::Executor>(std::move(loaded.front()));
  else
    result.runner_ = rt::makeInProcessCluster(std::move(loaded), {.simulated = simulated});
  return result;
}

} // namespace sluice
