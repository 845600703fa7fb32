// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CudaDevice: images and kernels.
#include "runtime/device/cuda/cuda_device.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <tuple>

namespace sluice::rt::cuda {

namespace {

// What a target's name says.
struct Target {
  bool isText = false;  // "compute_90": PTX
  bool isExact = false; // "sm_90a": for that chip alone
  int major = 0, minor = 0;
};

std::optional<Target> readTarget(std::string_view name) {
  Target target;
  for (std::string_view prefix : {"sm_", "compute_"})
    if (name.starts_with(prefix)) {
      target.isText = prefix == "compute_";
      name.remove_prefix(prefix.size());
      int number = 0;
      auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
      if (error != std::errc())
        return std::nullopt;
      target.major = number / 10;
      target.minor = number % 10;
      target.isExact = end != name.data() + name.size();
      return target;
    }
  return std::nullopt;
}

} // namespace

bool CudaDevice::fits(std::string_view name) const {
  auto target = readTarget(name);
  if (!target)
    return false;
  if (target->isExact)
    return target->major == model_.major && target->minor == model_.minor;
  if (target->isText)
    return std::pair(target->major, target->minor) <= std::pair(model_.major, model_.minor);
  return target->major == model_.major && target->minor <= model_.minor;
}

// Machine code before text, and of each the one for the latest chip.
std::vector<const KernelImage *>
CudaDevice::inOrderOfFit(std::span<const KernelImage> images) const {
  std::vector<const KernelImage *> order;
  for (const KernelImage &image : images)
    if (fits(image.target))
      order.push_back(&image);
  std::sort(order.begin(), order.end(), [](const KernelImage *a, const KernelImage *b) {
    Target x = *readTarget(a->target), y = *readTarget(b->target);
    return std::tuple(x.isText, -x.major, -x.minor, !x.isExact, a) <
           std::tuple(y.isText, -y.major, -y.minor, !y.isExact, b);
  });
  return order;
}

// Text has to end with a zero, which what is given may lack.
Result CudaDevice::load(const KernelImage &image, Module *module, std::string &log) {
  char buffer[2048] = "";
  JitOption names[] = {kJitErrorLogBuffer, kJitErrorLogBufferBytes};
  void *values[] = {buffer, reinterpret_cast<void *>(sizeof buffer)};
  std::string text;
  const void *bytes = image.bytes.data();
  if (readTarget(image.target)->isText) {
    text.assign(reinterpret_cast<const char *>(image.bytes.data()), image.bytes.size());
    bytes = text.c_str();
  }
  Result result = driver_.cuModuleLoadDataEx(module, bytes, 2, names, values);
  buffer[sizeof buffer - 1] = 0;
  log = buffer;
  std::replace(log.begin(), log.end(), '\n', ' ');
  return result;
}

Status CudaDevice::noImage(std::string_view name, std::span<const KernelImage> images,
                           const std::string &refusals) const {
  std::string targets;
  for (const KernelImage &image : images)
    targets += (targets.empty() ? "" : ", ") + std::string(image.target);
  return Status(Code::kUnavailable,
                this->name() +
                    format(": expected code of '%s' for sm_%d%d (%s) but got it for ",
                           std::string(name).c_str(), model_.major, model_.minor,
                           model_.name.c_str()) +
                    (targets.empty() ? "nothing" : targets) + refusals);
}

// What the driver says of an image that it cannot use, though another may do.
static bool isRefusal(Result result) {
  switch (result) {
  case kInvalidImage:
  case kNoBinaryForGpu:
  case kInvalidPtx:
  case kJitCompilerNotFound:
  case kUnsupportedPtxVersion:
  case kSharedObjectSymbolNotFound:
    return true;
  default:
    return false;
  }
}

rt::Result<KernelModule> CudaDevice::loadModule(std::string_view name,
                                                std::span<const KernelImage> images) {
  SLUICE_RETURN_IF_ERROR(enter());
  std::string refusals;
  for (const KernelImage *image : inOrderOfFit(images)) {
    Module module = nullptr;
    std::string log;
    Result result = load(*image, &module, log);
    if (isRefusal(result)) {
      refusals += "; " + std::string(image->target) + ": " + resultText(driver_, result) +
                  (log.empty() ? "" : ": " + log);
      continue;
    }
    SLUICE_RETURN_IF_ERROR(errors_.check(result, "cuModuleLoadDataEx"));
    std::lock_guard lock(modulesMutex_);
    modules_.push_back(module);
    return KernelModule{module};
  }
  return noImage(name, images, refusals);
}

rt::Result<DeviceKernel> CudaDevice::findKernel(KernelModule module, const std::string &kernel,
                                                size_t sharedBytes) {
  constexpr size_t kAlwaysAllowed = 48 << 10;
  SLUICE_RETURN_IF_ERROR(enter());
  Function function = nullptr;
  Result result =
      driver_.cuModuleGetFunction(&function, static_cast<Module>(module.handle), kernel.c_str());
  if (result == cuda::kNotFound)
    return rt::notFound(name() + ": the module has no kernel '" + kernel + "'");
  SLUICE_RETURN_IF_ERROR(errors_.check(result, "cuModuleGetFunction"));
  if (sharedBytes > kAlwaysAllowed)
    SLUICE_RETURN_IF_ERROR(
        errors_.check(driver_.cuFuncSetAttribute(function, kFunctionMaxDynamicSharedBytes,
                                                 static_cast<int>(sharedBytes)),
                      "cuFuncSetAttribute"));
  return DeviceKernel{function};
}

rt::Result<Moment> CudaDevice::launch(const KernelLaunch &launch, StreamId stream) {
  SLUICE_RETURN_IF_ERROR(enter(stream));
  auto [grid, block] = std::pair(launch.grid, launch.block);
  if (grid.x == 0 || grid.y == 0 || grid.z == 0)
    return streams_.last(stream);
  return streams_.enqueue(stream, "cuLaunchKernel", [&](Stream handle) {
    return driver_.cuLaunchKernel(
        static_cast<Function>(launch.kernel.handle), grid.x, grid.y, grid.z, block.x, block.y,
        block.z, static_cast<unsigned>(launch.sharedBytes), handle, launch.parameters, nullptr);
  });
}

} // namespace sluice::rt::cuda
