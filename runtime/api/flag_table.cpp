// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of flags.
#include "runtime/api/flag_table.h"

#include "runtime/base/limits.h"

#include <algorithm>

namespace sluice::rt {

static constexpr Flag kFlags[] = {
    {FlagId::kHelp, "--help", "", false, "print this text"},
    {FlagId::kVersion, "--version", "", false, "print program, compiler and target"},
    {FlagId::kDescribe, "--describe", "", false, "print signatures and variables as JSON"},
    {FlagId::kSignature, "--signature", "NAME", false,
     "signature to call; needed where flags do not tell which", KnownTo::kCaller},
    {FlagId::kInput, "--input", "NAME=VALUE", true,
     "value of a feed: @FILE.npy, @FILE.npz[KEY], @FILE.json, 2x2xf32=1,2,3,4, zeros or rand",
     KnownTo::kCaller},
    {FlagId::kOutput, "--output", "NAME=DEST", true,
     "where a fetch goes: @FILE.npy, @FILE.npz[KEY], @FILE.json or - for all its values on "
     "standard "
     "output",
     KnownTo::kCaller},
    {FlagId::kRun, "--run", "NODE", true, "a target: a node that is run but has no output",
     KnownTo::kCaller},
    {FlagId::kExpected, "--expected", "NAME=VALUE", true,
     "compare a fetch with a value as for --input; a difference is exit code 5", KnownTo::kCaller},
    {FlagId::kRtol, "--rtol", "X", false, "relative tolerance of --expected; default by dtype",
     KnownTo::kCaller},
    {FlagId::kAtol, "--atol", "X", false, "absolute tolerance of --expected; default by dtype",
     KnownTo::kCaller},
    {FlagId::kSteps, "--steps", "N", false, "call N times; outputs are those of the last call",
     KnownTo::kCaller},
    {FlagId::kLoad, "--load", "FILE", false,
     "set variables from a safetensors file or a checkpoint before the calls", KnownTo::kCaller},
    {FlagId::kSave, "--save", "FILE", false,
     "write variables to a safetensors file after the calls; to a checkpoint if FILE ends with "
     ".ckpt or .index",
     KnownTo::kCaller},
    {FlagId::kCheckpoint, "--checkpoint", "DIR", false,
     "write checkpoints that a later run can go on from: after the last call, and as of "
     "--save-every"},
    {FlagId::kSaveEvery, "--save-every", "N", false, "write a checkpoint after every N calls",
     KnownTo::kCaller},
    {FlagId::kKeep, "--keep", "K", false, "checkpoints that stay, 1 to 1000000; default 3",
     KnownTo::kCaller},
    {FlagId::kResume, "--resume", "", false,
     "go on from the newest checkpoint that can be read; --steps counts the calls before it",
     KnownTo::kCaller},
    {FlagId::kCalls, "--calls", "FILE", false,
     "answer a JSON request on each line of the file (- for standard input)", KnownTo::kCaller},
    {FlagId::kConcurrentCalls, "--concurrent-calls", "N", false,
     "with --calls: answer up to N requests at a time, 1 to 1024; responses keep their order",
     KnownTo::kCaller},
    {FlagId::kStats, "--stats", "", false, "print figures of the calls on standard error"},
    {FlagId::kStatsJson, "--stats-json", "", false, "the same as one line of JSON"},
    {FlagId::kTrace, "--trace", "FILE", false,
     "write what ran when, to look at in a viewer such as ui.perfetto.dev"},
    {FlagId::kTraceLimit, "--trace-limit", "N", false,
     "events that a trace has at most, 1 to 100000000; default 200000"},
    {FlagId::kParallelIterations, "--parallel-iterations", "N", false,
     "iterations of a loop that may be live at once; default as in the graph"},
    {FlagId::kScheduleSeed, "--schedule-seed", "SEED", false,
     "run ready work in a random legal order drawn from this seed"},
    {FlagId::kWorkers, "--workers", "N", false,
     "threads for heavy kernels; default: as many as processors"},
    {FlagId::kMemoryLimit, "--memory-limit", "BYTES", false,
     "most memory to take, also as 512K, 64M or 2G; default: what a container allows"},
    {FlagId::kDevice, "--device", "DEVICE", false,
     "cpu, or cuda:N for the card of this number; default: what the program was compiled for"},
    {FlagId::kDeviceMemoryLimit, "--device-memory-limit", "BYTES", false,
     "the same of each card's memory; default: what the card has"},
    {FlagId::kSwap, "--swap", "WHEN", false,
     "whether what loops save for derivatives moves to the host: auto, once half of the card's "
     "memory is in use; never; always; default auto"},
    {FlagId::kCardLibrary, "--card-library", "WHEN", false,
     "auto: products on a card are cuBLASLt's where it is found, else those of 16-bit floats are "
     "tensor cores', so that last bits are their own; never: they have those of the host; default "
     "auto"},
    {FlagId::kAllowTf32, "--allow-tf32", "", false,
     "let products on a card round factors of f32 to 10 bits, which is several times as fast"},
    {FlagId::kGuardPages, "--guard-pages", "SIDE", false,
     "end with exit code 70 when code goes beyond a tensor: behind or before"},
    {FlagId::kLimit, "--limit", "NAME=VALUE", true,
     "change a limit on files, requests, loops and peers"},
    {FlagId::kTimeout, "--timeout", "SECONDS", false,
     "end a call that takes longer, with exit code 12; default: none"},
    {FlagId::kRandomSeed, "--random-seed", "SEED", false, "seed of rand inputs; default 0",
     KnownTo::kCaller},
    {FlagId::kDiagnosticsFormat, "--diagnostics-format", "FORMAT", false, "text or json"},
    {FlagId::kPeers, "--peers", "ADDRESS,...", false,
     "host:port of every rank, by rank; default: those of the cluster file", KnownTo::kRanks},
    {FlagId::kListenFd, "--listen-fd", "N", false,
     "file descriptor of a socket that listens at this rank's address already", KnownTo::kRanks},
    {FlagId::kRunId, "--run-id", "TEXT", false, "must be the same on all ranks of a run",
     KnownTo::kRanks},
    {FlagId::kKeyFile, "--key-file", "FILE", false,
     "key of at least 16 bytes that all ranks share; no other process can join", KnownTo::kRanks},
    {FlagId::kInsecure, "--insecure", "", false, "use addresses beyond this machine without a key",
     KnownTo::kRanks},
    {FlagId::kConnectTimeout, "--connect-timeout", "SECONDS", false,
     "until all ranks are connected; default 30", KnownTo::kRanks},
    {FlagId::kPeerTimeout, "--peer-timeout", "SECONDS", false,
     "without a sign of life of another rank; default 4", KnownTo::kRanks},
};
static_assert(sizeof(kFlags) / sizeof(kFlags[0]) == static_cast<size_t>(FlagId::kCount));

static bool isKnown(const Flag &flag, Role role) {
  switch (flag.knownTo) {
  case KnownTo::kAll:
    return true;
  case KnownTo::kRanks:
    return role != Role::kAlone;
  case KnownTo::kCaller:
    return role != Role::kOtherRank;
  }
  return false;
}

const Flag *findFlag(std::string_view name, Role role) {
  for (const Flag &flag : kFlags)
    if (flag.name == name && isKnown(flag, role))
      return &flag;
  return nullptr;
}

std::vector<std::string_view> flagNames(Role role) {
  std::vector<std::string_view> names;
  for (const Flag &flag : kFlags)
    if (isKnown(flag, role))
      names.push_back(flag.name);
  return names;
}

std::string flagsText(Role role) {
  constexpr size_t kColumn = 28;
  std::string out;
  for (const Flag &flag : kFlags) {
    if (!isKnown(flag, role))
      continue;
    std::string left = "  " + std::string(flag.name);
    if (!flag.value.empty())
      left += ' ' + std::string(flag.value);
    if (left.size() + 2 > kColumn)
      left += '\n' + std::string(kColumn, ' ');
    else
      left.resize(kColumn, ' ');
    out += left + std::string(flag.help) + '\n';
  }
  return out;
}

std::string limitsText() {
  constexpr size_t kColumn = 28;
  std::string out;
  for (const LimitRow &row : limitTable()) {
    std::string left = "  " + std::string(row.name);
    left.resize(std::max(kColumn, left.size() + 1), ' ');
    out += left + std::string(row.help) + "; default " +
           (row.standard == INT64_MAX ? "none" : std::to_string(row.standard)) + '\n';
  }
  return out;
}

} // namespace sluice::rt
