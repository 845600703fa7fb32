// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading of modules: the image is read, its twin is looked for, and the two are compared.
#include "runtime/sim/entry.h"
#include "runtime/sim/modules.h"

#include <cstring>

namespace sluice::rt::sim {

using namespace cuda;

// A cubin runs on later devices of the same generation, PTX on all later ones.
static bool fits(const Image &image, int architecture) {
  return image.architecture <= architecture &&
         (!image.isCubin || image.architecture / 10 == architecture / 10);
}

static const SluiceSimKernel *kernelOf(const SluiceSimTwin &twin, const char *name) {
  for (uint32_t i = 0; i < twin.kernelCount; ++i)
    if (!strcmp(twin.kernels[i].name, name))
      return &twin.kernels[i];
  return nullptr;
}

static bool sameKernel(const ImageKernel &image, const SluiceSimKernel *twin) {
  if (!twin || twin->parameterCount != image.parameterBytes.size())
    return false;
  for (uint32_t i = 0; i < twin->parameterCount; ++i)
    if (twin->parameterBytes[i] != image.parameterBytes[i])
      return false;
  return twin->blockX == image.block[0] && twin->blockY == image.block[1] &&
         twin->blockZ == image.block[2];
}

// The image itself tells what its kernels want; a twin of other code would be worse than none.
static Result compare(const Image &image, const SluiceSimTwin &twin) {
  if (twin.version != SLUICE_SIM_TWIN_VERSION)
    return refuse(kInvalidImage, "expected a twin of version %d but got %u",
                  SLUICE_SIM_TWIN_VERSION, twin.version);
  for (const ImageKernel &kernel : image.kernels)
    if (!sameKernel(kernel, kernelOf(twin, kernel.name.c_str())))
      return refuse(kInvalidImage,
                    "expected the twin's kernel '%s' to have the parameters and the block of the "
                    "image's",
                    kernel.name.c_str());
  if (image.kernels.size() != twin.kernelCount)
    return refuse(kInvalidImage, "expected %zu kernels in the twin but got %u",
                  image.kernels.size(), twin.kernelCount);
  return kSuccess;
}

static Result load(Driver &driver, Module *module, const void *image) {
  if (!image)
    return refuse(kInvalidValue, "cuModuleLoadData: expected an image");
  std::string_view bytes = bytesOfImage(image);
  Image content;
  std::string problem;
  if (!readImage(bytes, content, problem))
    return refuse(bytes.starts_with(".version") ? kInvalidPtx : kInvalidImage,
                  "cuModuleLoadData: %s", problem.c_str());
  if (!fits(content, driver.options.architecture))
    return refuse(kNoBinaryForGpu, "cuModuleLoadData: the image is for sm_%d, the device is sm_%d",
                  content.architecture, driver.options.architecture);
  uint64_t hash = hashOfImage(bytes);
  const SluiceSimTwin *twin = findTwin(hash, driver.options.twins);
  if (!twin)
    return refuse(kInvalidImage,
                  "cuModuleLoadData: no twin of image %016llx is linked in or in SLUICE_SIM_TWINS",
                  static_cast<unsigned long long>(hash));
  if (Result result = compare(content, *twin))
    return result;
  *module = driver.modules.create();
  (*module)->device = currentDevice();
  (*module)->twin = twin;
  for (uint32_t i = 0; i < twin->kernelCount; ++i)
    (*module)->functions.push_back({*module, &twin->kernels[i]});
  return kSuccess;
}

Result cuModuleLoadData(Module *module, const void *image) {
  return entry("cuModuleLoadData",
               [=](Driver &driver, auto &) { return load(driver, module, image); });
}

Result cuModuleLoadDataEx(Module *module, const void *image, unsigned options, JitOption *names,
                          void **values) {
  return entry("cuModuleLoadDataEx", [=](Driver &driver, auto &) {
    for (unsigned i = 0; i < options; ++i) // nothing is ever logged
      if (names[i] == kJitInfoLogBuffer || names[i] == kJitErrorLogBuffer)
        if (char *log = static_cast<char *>(values[i]))
          *log = 0;
    return load(driver, module, image);
  });
}

Result cuModuleUnload(Module module) {
  return entry("cuModuleUnload", [=](Driver &driver, Streams::Lock &lock) {
    if (!driver.modules.knows(module))
      return refuse(kInvalidHandle, "cuModuleUnload: expected a module that was loaded");
    driver.streams.finishAll(lock);
    driver.modules.destroy(module);
    return kSuccess;
  });
}

Result cuModuleGetFunction(Function *function, Module module, const char *name) {
  return entry("cuModuleGetFunction", [=](Driver &driver, auto &) {
    if (!driver.modules.knows(module))
      return refuse(kInvalidHandle, "cuModuleGetFunction: expected a module that was loaded");
    for (FunctionObject &one : module->functions)
      if (!strcmp(one.kernel->name, name)) {
        *function = &one;
        return kSuccess;
      }
    return refuse(kNotFound, "cuModuleGetFunction: no kernel is named '%s'", name);
  });
}

} // namespace sluice::rt::sim
