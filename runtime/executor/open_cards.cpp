// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cards of CUDA.
#include "runtime/executor/open_cards.h"

#include "runtime/device/cuda/cuda_device.h"
#include "runtime/executor/card.h"

namespace sluice::rt {

Status openCards(const cuda::Driver &driver, Result<cuda::CublasLt> (*load)(), Program &program,
                 const CardOptions &options, std::vector<std::unique_ptr<Card>> &cards) {
  cuda::CudaDevice::Options forDevice;
  forDevice.memoryLimit = options.memoryLimit;
  forDevice.products = {options.library ? load : nullptr, options.allowTf32};
  for (uint32_t number = 0; number < program.cards(); ++number) {
    SLUICE_ASSIGN_OR_RETURN(
        auto device, cuda::CudaDevice::open(
                         driver, static_cast<int>(options.device.firstCard + number), forDevice));
    cards.push_back(std::make_unique<Card>(std::move(device), options.swapping, options.library,
                                           options.allowTf32));
    SLUICE_RETURN_IF_ERROR(cards.back()->prepare(program, number + 1));
  }
  return okStatus();
}

void sluice_open_cards(Program &program, const CardOptions &options,
                       std::vector<std::unique_ptr<Card>> &cards, Status &status) {
  if (options.device.kind == DeviceChoice::Kind::kSimulated) {
    status = Status(Code::kUnavailable, "expected code for a simulated card but the program is "
                                        "compiled for cards of CUDA");
    return;
  }
  Result<cuda::Driver> driver = cuda::loadDriver();
  status = driver.ok() ? openCards(*driver, &cuda::loadCublasLt, program, options, cards)
                       : driver.status();
}

} // namespace sluice::rt
