// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading of modules: the image is read, its twin is looked for, and the two are compared; or its
// text is decoded.
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

static void addTwin(Module module, const SluiceSimTwin &twin) {
  for (uint32_t i = 0; i < twin.kernelCount; ++i)
    module->functions.push_back({module, &twin, &twin.kernels[i]});
}

static Result loadTwin(Driver &driver, Module *module, const Image &content, uint64_t hash) {
  const SluiceSimTwin *twin = findTwin(hash, driver.options.twins);
  if (!twin)
    return refuse(kInvalidImage,
                  "cuModuleLoadData: no twin of image %016llx is linked in or in SLUICE_SIM_TWINS",
                  static_cast<unsigned long long>(hash));
  if (Result result = compare(content, *twin))
    return result;
  *module = driver.modules.create();
  addTwin(*module, *twin);
  return kSuccess;
}

// What was decoded once stays, as graphs may hold its kernels for longer than the module lives.
static Result interpret(Driver &driver, Module *module, std::string_view bytes, uint64_t hash,
                        std::string &problem) {
  std::shared_ptr<PtxModule> &kept = driver.interpreted[hash];
  if (!kept)
    kept = loadPtx(bytes, hash, problem);
  if (!kept)
    return refuse(kInvalidPtx, "cuModuleLoadData: %s", problem.c_str());
  *module = driver.modules.create();
  for (const std::unique_ptr<PtxTwin> &one : kept->kernels)
    addTwin(*module, *one);
  return kSuccess;
}

static Result load(Driver &driver, Module *module, const void *image, std::string &problem) {
  if (!image)
    return refuse(kInvalidValue, "cuModuleLoadData: expected an image");
  std::string_view bytes = bytesOfImage(image);
  Image content;
  if (!readImage(bytes, content, problem))
    return refuse(bytes.starts_with(".version") ? kInvalidPtx : kInvalidImage,
                  "cuModuleLoadData: %s", problem.c_str());
  // Programs then go on to their PTX: nothing is wrong with them, so nothing is said.
  if (content.isCubin && driver.options.interpretsPtx)
    return kNoBinaryForGpu;
  if (!fits(content, driver.options.architecture))
    return refuse(kNoBinaryForGpu, "cuModuleLoadData: the image is for sm_%d, the device is sm_%d",
                  content.architecture, driver.options.architecture);
  uint64_t hash = hashOfImage(bytes);
  Result result = driver.options.interpretsPtx ? interpret(driver, module, bytes, hash, problem)
                                               : loadTwin(driver, module, content, hash);
  if (result == kSuccess)
    (*module)->device = currentDevice();
  return result;
}

// Of the log of errors, where the program wants one.
static void tell(const std::string &problem, unsigned options, const JitOption *names,
                 void **values) {
  char *log = nullptr;
  size_t bytes = 0;
  for (unsigned i = 0; i < options; ++i)
    if (names[i] == kJitErrorLogBuffer)
      log = static_cast<char *>(values[i]);
    else if (names[i] == kJitErrorLogBufferBytes)
      bytes = reinterpret_cast<size_t>(values[i]);
  if (log && bytes)
    snprintf(log, bytes, "%s", problem.c_str());
}

Result cuModuleLoadData(Module *module, const void *image) {
  return entry("cuModuleLoadData", [=](Driver &driver, auto &) {
    std::string problem;
    return load(driver, module, image, problem);
  });
}

Result cuModuleLoadDataEx(Module *module, const void *image, unsigned options, JitOption *names,
                          void **values) {
  return entry("cuModuleLoadDataEx", [=](Driver &driver, auto &) {
    for (unsigned i = 0; i < options; ++i) // of what went well nothing is ever logged
      if (names[i] == kJitInfoLogBuffer || names[i] == kJitErrorLogBuffer)
        if (char *log = static_cast<char *>(values[i]))
          *log = 0;
    std::string problem;
    Result result = load(driver, module, image, problem);
    if (result)
      tell(problem, options, names, values);
    return result;
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
