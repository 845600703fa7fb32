// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cards of CUDA.
#include "runtime/executor/open_cards.h"

#include "runtime/device/cuda/cuda_device.h"
#include "runtime/executor/opened_cards.h"

namespace sluice::rt {

Status openCards(const cuda::Driver &driver, Result<cuda::CublasLt> (*load)(), Program &program,
                 const CardOptions &options, std::unique_ptr<Cards> &cards) {
  auto opened = std::make_unique<OpenedCards>();
  OpenedCards &all = *opened;
  cards = std::move(opened); // also where one fails
  cuda::CudaDevice::Options forDevice;
  forDevice.memoryLimit = options.memoryLimit;
  forDevice.products = {options.library ? load : nullptr, options.allowTf32};
  for (uint32_t number = 0; number < program.cards(); ++number) {
    SLUICE_ASSIGN_OR_RETURN(
        auto device, cuda::CudaDevice::open(
                         driver, static_cast<int>(options.device.firstCard + number), forDevice));
    auto card = std::make_unique<Card>(std::move(device), options.swapping, options.library,
                                       options.allowTf32);
    SLUICE_RETURN_IF_ERROR(all.add(std::move(card), program));
  }
  return okStatus();
}

void sluice_open_cards(Program &program, const CardOptions &options, std::unique_ptr<Cards> &cards,
                       Status &status) {
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
