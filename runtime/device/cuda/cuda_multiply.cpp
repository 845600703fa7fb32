// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CudaDevice: products by the library.
#include "runtime/device/cuda/cuda_device.h"

namespace sluice::rt::cuda {

// Nothing was enqueued then, and a kernel of the program's own may succeed.
static bool isRefusal(lt::Answer answer) {
  switch (answer) {
  case lt::kNotInitialized:
  case lt::kAllocationFailed:
  case lt::kInvalidValue:
  case lt::kArchitectureMismatch:
  case lt::kNotSupported:
  case lt::kLicenseError:
    return true;
  default:
    return false;
  }
}

rt::Result<std::optional<Moment>> CudaDevice::multiply(const MatrixProduct &product,
                                                       StreamId stream) {
  SLUICE_RETURN_IF_ERROR(enter(stream));
  std::lock_guard lock(productsMutex_);
  CudaProducts::Plan *plan = products_.plan(product);
  if (!plan)
    return std::optional<Moment>();
  DeviceMemory workspace;
  if (plan->workspaceBytes() > 0) {
    rt::Result<DeviceMemory> got = pool_.allocate(plan->workspaceBytes(), stream, "cuBLASLt");
    if (got.status().code() == Code::kResourceExhausted)
      return std::optional<Moment>(); // a kernel needs none
    SLUICE_ASSIGN_OR_RETURN(workspace, std::move(got));
  }
  lt::Answer answer = lt::kSuccess;
  rt::Result<Moment> enqueued =
      streams_.enqueue(stream, "cublasLtMatmul", [&](Stream handle) -> Result {
        answer = products_.enqueue(*plan, product, workspace.data(), handle);
        return answer == lt::kSuccess ? kSuccess : kInvalidValue;
      });
  if (isRefusal(answer)) {
    products_.giveUp(*plan);
    return std::optional<Moment>();
  }
  if (answer != lt::kSuccess)
    return Status(Code::kInternal,
                  name() + format(": cublasLtMatmul failed with answer %d", int(answer)));
  SLUICE_RETURN_IF_ERROR(enqueued.status());
  SLUICE_RETURN_IF_ERROR(workspace.noteUse(*enqueued));
  return std::optional(*enqueued);
}

} // namespace sluice::rt::cuda
