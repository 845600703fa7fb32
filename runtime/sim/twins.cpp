// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where twins are found.
#include "runtime/sim/modules.h"
#include "runtime/sim/report.h"

#include <dlfcn.h>
#include <mutex>
#include <unistd.h>

namespace sluice::rt::sim {

static std::mutex registeredLock;
static std::vector<const SluiceSimTwin *> registered;

extern "C" __attribute__((visibility("default"))) void
sluice_sim_register_twin(const SluiceSimTwin *twin) {
  std::lock_guard guard(registeredLock);
  registered.push_back(twin);
}

// Twins call functions of the simulator. A library that was loaded for its owner alone hides them,
// so it is made visible for all first.
static void showSimulator() {
  Dl_info self;
  if (dladdr(reinterpret_cast<void *>(&sluice_sim_register_twin), &self) && self.dli_fname)
    dlopen(self.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

static const SluiceSimTwin *loadTwin(uint64_t hash, const std::string &folder) {
  char file[32], symbol[64];
  snprintf(file, sizeof file, "/%016llx.so", static_cast<unsigned long long>(hash));
  snprintf(symbol, sizeof symbol, "sluice_sim_twin_%016llx", static_cast<unsigned long long>(hash));
  std::string path = folder + file;
  if (folder.empty() || access(path.c_str(), R_OK) != 0)
    return nullptr;
  showSimulator();
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *table = library ? dlsym(library, symbol) : nullptr;
  if (!table)
    say("expected a twin in %s: %s", path.c_str(), dlerror());
  return static_cast<const SluiceSimTwin *>(table);
}

const SluiceSimTwin *findTwin(uint64_t hash, const std::string &folder) {
  {
    std::lock_guard guard(registeredLock);
    for (const SluiceSimTwin *twin : registered)
      if (twin->imageHash == hash)
        return twin;
  }
  return loadTwin(hash, folder);
}

} // namespace sluice::rt::sim
