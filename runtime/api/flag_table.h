// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags of executables: one row for each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

enum class FlagId {
  kHelp,
  kVersion,
  kDescribe,
  kSignature,
  kInput,
  kOutput,
  kRun,
  kExpected,
  kRtol,
  kAtol,
  kSteps,
  kLoad,
  kSave,
  kCheckpoint,
  kSaveEvery,
  kKeep,
  kResume,
  kCalls,
  kConcurrentCalls,
  kStats,
  kStatsJson,
  kTrace,
  kTraceLimit,
  kParallelIterations,
  kScheduleSeed,
  kWorkers,
  kMemoryLimit,
  kDevice,
  kDeviceMemoryLimit,
  kSwap,
  kCardLibrary,
  kAllowTf32,
  kGuardPages,
  kLimit,
  kTimeout,
  kRandomSeed,
  kDiagnosticsFormat,
  // Of ranks of a cluster only.
  kPeers,
  kListenFd,
  kRunId,
  kKeyFile,
  kInsecure,
  kConnectTimeout,
  kPeerTimeout,
  kCount,
};

// What a program is to those that start it.
enum class Role {
  kAlone,
  kFirstRank,
  kOtherRank, // serves rank 0, which alone has inputs, outputs and variables' files
};

// Who knows a flag.
enum class KnownTo { kAll, kRanks, kCaller };

struct Flag {
  FlagId id;
  std::string_view name;
  std::string_view value; // what --help calls its value; empty: it has none
  bool repeats;
  std::string_view help;
  KnownTo knownTo = KnownTo::kAll;
};

// Null if there is none of that name.
const Flag *findFlag(std::string_view name, Role role);
std::vector<std::string_view> flagNames(Role role);
// A line or two for each flag.
std::string flagsText(Role role);
// A line for each limit.
std::string limitsText();

} // namespace sluice::rt
