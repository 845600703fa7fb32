// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulated driver, with what a test wants of it.
#pragma once

#include "runtime/device/cuda/driver.h"

#include <cstdlib>

extern "C" int sluice_sim_get_proc_address(const char *symbol, void **function, int version,
                                           uint64_t flags, int *status);
extern "C" void sluice_sim_restart();

namespace sluice::rt {

// With the types of our declarations.
inline cuda::Result simulatedFunction(const char *symbol, void **function, int version,
                                      uint64_t flags, cuda::SymbolStatus *status) {
  int found = 0;
  int result = sluice_sim_get_proc_address(symbol, function, version, flags, &found);
  *status = static_cast<cuda::SymbolStatus>(found);
  return static_cast<cuda::Result>(result);
}

inline Result<cuda::Driver> simulatedDriver() {
  return cuda::resolveDriver(simulatedFunction, "the simulated driver");
}

// A variable of the environment, while the object lives; the simulator starts anew with it, and
// without it afterwards. No device may be open then.
class SimulatorSetting {
public:
  SimulatorSetting(const char *name, const std::string &value) : name_(name) {
    setenv(name, value.c_str(), 1);
    sluice_sim_restart();
  }
  ~SimulatorSetting() {
    unsetenv(name_);
    sluice_sim_restart();
  }
  SimulatorSetting(const SimulatorSetting &) = delete;
  SimulatorSetting &operator=(const SimulatorSetting &) = delete;

private:
  const char *name_;
};

} // namespace sluice::rt
