// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compiled or interpreted program offers to those who call it: the command line and tests. A
// runner is used by one thread at a time; variables live on between calls.
#pragma once

#include "runtime/base/call_timer.h"
#include "runtime/base/limits.h"
#include "runtime/program/device_choice.h"
#include "runtime/program/signature_info.h"
#include "runtime/state/lasting_object.h"
#include "runtime/state/variable.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::rt {

class RemoteShards; // runtime/checkpoint/remote_shards.h

// As many as the processors that this process may use.
int defaultWorkers();

struct RunOptions {
  // Iterations of one loop that may be live at once; absent: the graph's own value.
  std::optional<int> parallelIterations;
  // Absent: ready order; else a random legal order of ready tokens drawn from this seed.
  std::optional<uint64_t> scheduleSeed;
  // Worker threads for heavy kernels; 0 runs everything on the scheduler thread, but for ranks of a
  // cluster, which have one at least: else they would hear nothing while they compute.
  int workers = defaultWorkers();
  // Receives lines for the user: of print ops, reports of progress, and of a serving rank why its
  // part of a call has failed.
  std::function<void(std::string_view)> print;
  Limits limits;
  // What it runs on, and of each card's memory how much, in bytes; 0: what it has.
  DeviceChoice device;
  uint64_t deviceMemoryLimit = 0;
  Swapping swapping = Swapping::kWhenFull;
  // Whether a library of the cards' makers does products, and with factors of f32 that are rounded.
  bool cardLibrary = true;
  bool allowTf32 = false;
  // Bounds each call, if given. Who calls begins and ends it; ranks that serve do so themselves.
  CallTimer *timer = nullptr;
};

// How a rank finds and trusts the others; of no concern to programs that run alone.
struct ClusterOptions {
  std::vector<std::string> peers;     // addresses by rank; empty: those of the program
  std::optional<int> listenFd;        // a socket that listens already
  std::string runId;                  // equal on all ranks of one run
  std::optional<std::string> keyFile; // the key that all ranks share
  bool insecure = false;              // addresses beyond this machine without a key
  double connectTimeout = 30;         // seconds, until all ranks are connected
  double peerTimeout = 4;             // seconds without a sign of life
  size_t mostStrangers = 64;          // connections that have not finished their handshake
  std::string checkpointFolder;       // where this rank's shards go; empty: it writes none
};

// Why a rank of a cluster had to end.
struct ClusterEnd {
  enum class Kind : uint8_t {
    kNone,
    kLost,
    kRefused,
    kTimedOut,
    kLocal, // nothing to do with other ranks: a file or a port of this machine
  };
  Kind kind = Kind::kNone;
  Status status;
  explicit operator bool() const { return kind != Kind::kNone; }
};

// Figures of the calls so far, in order of appearance in `--stats`.
using Stats = std::vector<std::pair<std::string, double>>;

// As many as anybody may ask for.
constexpr unsigned kMostConcurrentCalls = 1024;

class Runner {
public:
  virtual ~Runner() = default;
  virtual std::span<const SignatureInfo> signatures() const = 0;
  virtual std::span<Variable *const> variables() = 0;
  virtual void setOptions(const RunOptions &options) = 0;
  // After `setOptions`, before the first call: what the program runs on beside this CPU.
  // UNAVAILABLE says what is missing on this machine.
  virtual Status openDevices() { return okStatus(); }
  // Feeds in the signature's order; returns fetches in the signature's order.
  virtual Result<std::vector<Tensor>> call(size_t signature, std::span<const Tensor> feeds) = 0;

  // ---- Several calls at once, which share the program's state. Each is made by a thread of its
  // own, and a failed one does not disturb the others.
  // Before the first call, after `setOptions`: so many at most.
  virtual Status allowCalls(unsigned count) {
    return count == 1 ? okStatus() : unimplemented("it runs one call at a time");
  }
  // As `call`, which must not be used meanwhile. `seconds` bounds it.
  virtual Result<std::vector<Tensor>> callAmongOthers(size_t signature,
                                                      std::span<const Tensor> feeds,
                                                      std::optional<double> /*seconds*/,
                                                      uint64_t &leftover) {
    Result<std::vector<Tensor>> fetches = call(signature, feeds);
    leftover = leftoverTokens();
    return fetches;
  }
  // So many more calls are about to begin, or fewer: calls that wait for something wait for those.
  virtual void expectCalls(int) {}
  // Whether further ones may come while all that are under way wait for something: else they
  // wait in vain, and fail.
  virtual void expectMoreCalls(bool) {}

  // Tokens that the last call left unconsumed; not zero means a malformed graph or a bug.
  virtual uint64_t leftoverTokens() const = 0;
  virtual Stats stats() const = 0;

  // ---- Ranks of a cluster.
  virtual bool isMember() const { return false; }
  // Connects with the other ranks; before the first call, after `setOptions`.
  virtual ClusterEnd join(const ClusterOptions &) { return {}; }
  // Ranks other than 0 answer rank 0 until it ends; then this returns.
  virtual bool serves() const { return false; }
  virtual ClusterEnd serve() { return {}; }
  // What it had to do with until then.
  struct Served {
    uint64_t calls = 0;
    double seconds = 0; // of its part in them
  };
  virtual Served served() const { return {}; }
  // Between calls: takes note of what happens to other ranks. Does not wait.
  virtual void attend() {}
  // Workers have not ended in time what they still may touch: the process must end as it is.
  virtual bool stuck() { return false; }
  // Why no further call can succeed, if so.
  virtual ClusterEnd clusterEnd() const { return {}; }
  // Variables of other ranks: `variables` holds copies, brought up to date by `readVariables`, and
  // given to their ranks by `writeVariables`.
  virtual Status readVariables() { return {}; }
  virtual Status writeVariables() { return {}; }

  // ---- Checkpoints.
  // The program's identity; empty if the runner keeps no checkpoints.
  virtual std::string_view programHash() const { return {}; }
  // All that lives on in this process between calls.
  virtual std::span<const LastingResource> lasting() const { return {}; }
  // Null if there is no other rank.
  virtual RemoteShards *remoteShards() { return nullptr; }

  // Name, version and target of the program for `--version` and `--describe`.
  virtual std::string_view programName() const = 0;
  virtual std::string_view versionText() const = 0;
};

} // namespace sluice::rt
