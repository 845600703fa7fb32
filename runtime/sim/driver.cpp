// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver of the process, and what calls of it have in common.
#include "runtime/sim/driver.h"

#include "runtime/sim/entry.h"
#include "runtime/sim/graphs.h"
#include "runtime/sim/modules.h"

namespace sluice::rt::sim {

Driver::Driver(const Options &asked)
    : options(asked), omissions(asked.omission), memory(options.memory, options.devices),
      history(memory), streams(options.policy, options.seed, history, options.trace),
      contexts(options.devices), defaultPools(options.devices) {
  for (int device = 0; device < options.devices; ++device)
    contexts[device].device = defaultPools[device].device = device;
}

Driver::~Driver() = default;

void Driver::fail(cuda::Result result, const std::string &message) {
  say("%s", message.c_str());
  if (sticky == cuda::kSuccess)
    sticky = result;
  streams.cancel();
}

bool Driver::failIf(const std::string &race) {
  if (!race.empty())
    fail(cuda::kLaunchFailed, race);
  return !race.empty();
}

std::mutex &driverLock() {
  static std::mutex lock;
  return lock;
}

// Never destroyed: threads may be inside a call when the process ends.
static Driver *&theDriver() {
  static Driver *driver = new Driver(optionsOfEnvironment());
  return driver;
}

Driver &driver() { return *theDriver(); }

static thread_local cuda::Context current = nullptr;

void setCurrentContext(cuda::Context context) { current = context; }
cuda::Context currentContext() { return current; }
int currentDevice() { return current ? current->device : -1; }

extern "C" void sluice_sim_restart() {
  Driver *before;
  {
    Streams::Lock lock(driverLock());
    before = theDriver();
  }
  delete before; // its thread needs the lock to end
  Streams::Lock lock(driverLock());
  theDriver() = new Driver(optionsOfEnvironment());
  current = nullptr;
}

cuda::Result refusal(Driver &driver, const char *function, bool needsContext) {
  if (!driver.options.failures.empty()) {
    uint64_t call = ++driver.calls[function];
    for (const InjectedFailure &failure : driver.options.failures)
      if (failure.function == function && failure.call == call)
        return cuda::Result(failure.result);
  }
  if (!driver.initialized)
    return refuse(cuda::kNotInitialized, "%s: expected cuInit before", function);
  if (needsContext && !currentContext())
    return refuse(cuda::kInvalidContext, "%s: expected a current context", function);
  return driver.sticky;
}

cuda::Result checkStream(Driver &driver, const char *function, cuda::Stream stream) {
  if (!driver.streams.knows(stream))
    return refuse(cuda::kInvalidHandle, "%s: expected a stream that was created but got %p",
                  function, static_cast<void *>(stream));
  if (stream->device != currentDevice())
    return refuse(cuda::kInvalidContext, "%s: expected a stream of the current context", function);
  return cuda::kSuccess;
}

} // namespace sluice::rt::sim
