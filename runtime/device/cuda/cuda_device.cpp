// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CudaDevice: opening, order, memory, closing.
#include "runtime/device/cuda/cuda_device.h"

#include "runtime/device/backoff.h"
#include "runtime/device/byte_text.h"

namespace sluice::rt::cuda {

CudaDevice::CudaDevice(const Driver &driver, int number, const Options &options)
    : rt::Device(format("GPU:%d", number)), driver_(driver), options_(options),
      errors_(driver_, name()), context_(driver_, errors_),
      staging_(driver_, errors_, options.staging), streams_(driver_, errors_, staging_),
      products_(options.products), pool_(*this, name(), options.memoryLimit),
      teller_(*this, *options_.threads, options.mostWaitNanoseconds) {}

rt::Result<std::unique_ptr<CudaDevice>> CudaDevice::open(const Driver &driver, int number,
                                                         const Options &options) {
  std::unique_ptr<CudaDevice> device(new CudaDevice(driver, number, options));
  SLUICE_RETURN_IF_ERROR(device->start(number));
  return device;
}

Status CudaDevice::start(int number) {
  int count = 0;
  SLUICE_RETURN_IF_ERROR(errors_.check(driver_.cuDeviceGetCount(&count), "cuDeviceGetCount"));
  if (number < 0 || number >= count)
    return Status(Code::kUnavailable,
                  name() +
                      format(": expected a number below %d, the driver's count of devices", count));
  cuda::Device device = 0;
  SLUICE_RETURN_IF_ERROR(errors_.check(driver_.cuDeviceGet(&device, number), "cuDeviceGet"));
  SLUICE_RETURN_IF_ERROR(readModel(device));
  SLUICE_RETURN_IF_ERROR(context_.retain(device));
  SLUICE_RETURN_IF_ERROR(context_.enter());
  return streams_.create(kCopyStreams + options_.computeStreams);
}

Status CudaDevice::readModel(cuda::Device device) {
  char text[256] = "";
  SLUICE_RETURN_IF_ERROR(
      errors_.check(driver_.cuDeviceGetName(text, sizeof text, device), "cuDeviceGetName"));
  model_.name = text;
  for (auto [attribute, value] : {std::pair(kComputeCapabilityMajor, &model_.major),
                                  {kComputeCapabilityMinor, &model_.minor},
                                  {kMultiprocessorCount, &model_.multiprocessors}})
    SLUICE_RETURN_IF_ERROR(errors_.check(driver_.cuDeviceGetAttribute(value, attribute, device),
                                         "cuDeviceGetAttribute"));
  return okStatus();
}

CudaDevice::~CudaDevice() {
  Status ended = awaitIdle();
  teller_.stop();
  if (!ended.ok()) {
    pool_.abandon();
    streams_.abandon();
    staging_.abandon();
    products_.abandon();
    context_.abandon();
    return;
  }
  (void)context_.enter(); // another device's may be current, for all that goes now
  for (GraphExec loop : loops_)
    driver_.cuGraphExecDestroy(loop);
  for (Module module : modules_)
    driver_.cuModuleUnload(module);
}

Status CudaDevice::enter() {
  SLUICE_RETURN_IF_ERROR(health());
  return context_.enter();
}

Status CudaDevice::enter(StreamId stream) {
  SLUICE_RETURN_IF_ERROR(checkStream(stream));
  return enter();
}

rt::Result<Moment> CudaDevice::mark(StreamId stream) {
  SLUICE_RETURN_IF_ERROR(enter(stream));
  return streams_.mark(stream);
}

Status CudaDevice::order(StreamId later, Moment earlier) {
  SLUICE_RETURN_IF_ERROR(enter(later));
  SLUICE_RETURN_IF_ERROR(checkMoment(earlier));
  return streams_.order(later, earlier);
}

rt::Result<bool> CudaDevice::hasCompleted(Moment moment) {
  SLUICE_RETURN_IF_ERROR(checkMoment(moment));
  if (streams_.isKnown(moment))
    return true;
  SLUICE_RETURN_IF_ERROR(enter());
  return streams_.hasCompleted(moment);
}

Status CudaDevice::await(Moment moment, const HostWait &wait) {
  uint64_t begin = systemClock().now();
  for (Backoff backoff;; backoff.pause()) {
    SLUICE_ASSIGN_OR_RETURN(bool over, hasCompleted(moment));
    if (over)
      return okStatus();
    if (wait.cancellation && wait.cancellation->requested())
      return Status(Code::kCancelled,
                    name() + ": the wait for " + std::string(wait.what) + " was ended");
    if (systemClock().now() - begin >= wait.nanoseconds)
      return Status(Code::kDeadlineExceeded,
                    name() + ": " + std::string(wait.what) + " did not come within " +
                        format("%g s", static_cast<double>(wait.nanoseconds) / 1e9));
  }
}

Status CudaDevice::awaitIdle() {
  for (size_t i = 0; i < kCopyStreams + options_.computeStreams; ++i)
    SLUICE_RETURN_IF_ERROR(
        await(streams_.last(static_cast<StreamId>(i)),
              {"the end of all that is enqueued", options_.mostWaitNanoseconds, nullptr}));
  return okStatus();
}

void CudaDevice::tell(Moment moment, std::unique_ptr<Work> work, CompletionInbox &inbox) {
  teller_.tell(moment, std::move(work), inbox);
}

rt::Result<DeviceMemory> CudaDevice::allocate(size_t bytes, StreamId stream,
                                              std::string_view owner) {
  SLUICE_RETURN_IF_ERROR(enter(stream));
  return pool_.allocate(bytes, stream, owner);
}

rt::Result<DeviceMemoryInfo> CudaDevice::memoryInfo() {
  SLUICE_RETURN_IF_ERROR(enter());
  size_t free = 0, total = 0;
  SLUICE_RETURN_IF_ERROR(errors_.check(driver_.cuMemGetInfo(&free, &total), "cuMemGetInfo"));
  return DeviceMemoryInfo{free, total, pool_.counters()};
}

rt::Result<void *> CudaDevice::obtain(size_t bytes) {
  DevicePointer pointer = 0;
  SLUICE_RETURN_IF_ERROR(errors_.check(driver_.cuMemAlloc(&pointer, bytes), "cuMemAlloc"));
  return reinterpret_cast<void *>(static_cast<uintptr_t>(pointer));
}

// Nothing is under way, so the driver need not wait.
void CudaDevice::giveBack(void *chunk, size_t bytes) {
  if (context_.enter().ok())
    (void)errors_.check(driver_.cuMemFree(reinterpret_cast<uintptr_t>(chunk)), "cuMemFree");
}

} // namespace sluice::rt::cuda
