// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cards that are simulated, by a driver that the linker adds to the program.
#include "runtime/executor/open_cards.h"

#include "runtime/device/cuda/cublaslt.h"
#include "runtime/device/cuda/driver.h"

extern "C" int sluice_sim_get_proc_address(const char *symbol, void **function, int version,
                                           uint64_t flags, int *status);
extern "C" void sluice_sim_want_devices(int count);
extern "C" void *sluice_sim_find_library_function(const char *name);

namespace sluice::rt {

static Result<cuda::CublasLt> loadSimulatedLibrary() {
  auto find = [](void *, const char *name) { return sluice_sim_find_library_function(name); };
  return cuda::resolveCublasLt(find, nullptr, "the simulated cuBLASLt");
}

void sluice_open_simulated_cards(Program &program, const CardOptions &options,
                                 std::unique_ptr<Cards> &cards, Status &status) {
  if (options.device.kind == DeviceChoice::Kind::kCuda) {
    status = Status(Code::kUnavailable, "expected code for cards of CUDA but the program is "
                                        "compiled for a simulated card: compile it with "
                                        "--target=cuda");
    return;
  }
  sluice_sim_want_devices(static_cast<int>(options.device.firstCard + program.cards()));
  auto find = reinterpret_cast<cuda::GetProcAddressFunction>(sluice_sim_get_proc_address);
  Result<cuda::Driver> driver = cuda::resolveDriver(find, "the simulated driver");
  status = driver.ok() ? openCards(*driver, &loadSimulatedLibrary, program, options, cards)
                       : driver.status();
}

} // namespace sluice::rt
