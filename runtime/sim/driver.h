// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulated driver: all state of a process, behind one lock.
#pragma once

#include "runtime/sim/access_history.h"
#include "runtime/sim/device_memory.h"
#include "runtime/sim/host_memory.h"
#include "runtime/sim/library_objects.h"
#include "runtime/sim/omissions.h"
#include "runtime/sim/options.h"
#include "runtime/sim/streams.h"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

struct sluice::rt::cuda::ContextObject {
  int device = 0;
  int retained = 0;
  std::set<int> reaches; // devices whose memory it may copy from directly
};

struct sluice::rt::cuda::MemoryPoolObject {
  int device = 0;
  uint64_t threshold = 0, used = 0, usedHigh = 0;
  uint64_t choices[4] = {0, 1, 1, 1}; // of reuse, which changes nothing here
};

namespace sluice::rt::sim {

struct PtxModule;

// Handles of one kind: which are alive.
template <typename T> class Handles {
public:
  template <typename... Arguments> T *create(Arguments &&...arguments) {
    auto object = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    T *handle = object.get();
    objects_[handle] = std::move(object);
    return handle;
  }
  bool knows(T *handle) const { return objects_.count(handle); }
  void destroy(T *handle) { objects_.erase(handle); }
  size_t size() const { return objects_.size(); }

private:
  std::map<T *, std::unique_ptr<T>> objects_;
};

// What a conditional node asks: kernels of the graph set it.
struct Condition {
  cuda::Graph graph = nullptr;
  uint32_t value = 0, initial = 0;
  bool assigned = false;             // its initial value, by each launch
  bool used = false;                 // by a node
  OperationId setBy = 0, readBy = 0; // in this launch
};

// Of pinned memory of the host: which copies have used it last.
struct HostUse {
  OperationId writtenBy = 0, readBy = 0;
  uint64_t writes = 0;
};

struct Driver {
  explicit Driver(const Options &options);
  ~Driver();

  // A finding: it is told, and all later calls answer with `result`.
  void fail(cuda::Result result, const std::string &message);
  // The same for answers of the history, which are empty if there is nothing to find.
  bool failIf(const std::string &race);
  bool isGraph(cuda::Graph graph) const;
  // See Omissions. `what` makes its description, for those who want it.
  template <typename What> bool leavesOut(Omissible kind, What what) {
    return omissions.matter() && omissions.leavesOut(kind, what());
  }

  Options options;
  Omissions omissions;
  bool initialized = false;
  cuda::Result sticky = cuda::kSuccess;
  DeviceMemory memory;
  HostMemory host;
  AccessHistory history;
  Streams streams;
  std::vector<cuda::ContextObject> contexts;        // one for each device
  std::vector<cuda::MemoryPoolObject> defaultPools; // one for each device
  Handles<cuda::EventObject> events;
  Handles<cuda::MemoryPoolObject> pools;
  Handles<cuda::ModuleObject> modules;
  Handles<cuda::GraphObject> graphs;
  Handles<cuda::GraphExecObject> graphExecs;
  Handles<cuda::lt::LibraryObject> libraries;
  Handles<cuda::lt::ProductFormObject> productForms;
  Handles<cuda::lt::MatrixLayoutObject> matrixLayouts;
  Handles<cuda::lt::PreferenceObject> preferences;
  std::set<cuda::Graph> bodies; // of conditional nodes
  std::map<cuda::ConditionalHandle, Condition> conditions;
  std::map<uint64_t, std::shared_ptr<PtxModule>> interpreted; // by the hash of the text
  std::map<const void *, HostUse> hostUses;                   // by where it begins
  OperationId runningNode = 0;                                // of a graph, while its kernel runs
  std::map<std::string, uint64_t> calls;                      // of functions that are to fail
};

// A driver is one for a process; so says the interface, whose functions are given none. Its lock is
// held within each call.
Driver &driver();
std::mutex &driverLock();
// For tests: forgets everything and reads the environment again. No stream may be in use.
extern "C" void sluice_sim_restart();

// The device of the calling thread's context, or -1.
int currentDevice();
void setCurrentContext(cuda::Context context);
cuda::Context currentContext();

} // namespace sluice::rt::sim
