// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the text behind a flag to a value of its type and range.
#include "runtime/api/flag_values.h"

#include <charconv>
#include <cmath>

namespace sluice::rt {

namespace {

Failure badValue(const Flag &flag, const std::string &wanted, std::string_view got) {
  return usageFailure(std::string(flag.name) + ": expected " + wanted + " but got " + named(got));
}

template <typename T>
Failure parseWhole(const Flag &flag, std::string_view text, T low, T high, T &value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= low && value <= high)
    return {};
  return badValue(
      flag, "a whole number from " + std::to_string(low) + " to " + std::to_string(high), text);
}

Failure parseTolerance(const Flag &flag, std::string_view text, std::optional<double> &value) {
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= 0) ||
      std::isinf(number))
    return badValue(flag, "a number of at least 0", text);
  value = number;
  return {};
}

// 1000000, 512K, 64M or 2G; nothing for other texts, for 0, and for more than 64 bits hold.
std::optional<uint64_t> bytesFromText(std::string_view text) {
  uint64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
  if (error != std::errc() || shift < 0 || number == 0 || number > UINT64_MAX >> shift)
    return std::nullopt;
  return number << shift;
}

Failure parseBytes(const Flag &flag, std::string_view text, std::optional<uint64_t> &value) {
  value = bytesFromText(text);
  if (value)
    return {};
  return badValue(flag, "a number of bytes of at least 1, such as 1000000, 512K, 64M or 2G", text);
}

Failure parseLimit(const Flag &flag, std::string_view text, Options &o) {
  size_t equals = text.find('=');
  std::string_view name = text.substr(0, equals);
  std::vector<std::string_view> names;
  for (const LimitRow &row : limitTable())
    names.push_back(row.name);
  const LimitRow *row = findLimit(name);
  if (!row || equals == text.npos)
    return usageFailure(std::string(flag.name) +
                        ": expected NAME=VALUE with the name of a limit but got " + named(text) +
                        suggestion(name, names) + "; --help lists all limits");
  for (const std::string &other : o.limits)
    if (other == name)
      return usageFailure(std::string(flag.name) + " is given twice for " + named(name));
  bool isBytes = name.ends_with("-bytes");
  std::string_view digits = text.substr(equals + 1);
  std::optional<uint64_t> value = bytesFromText(digits);
  bool hasUnit = !digits.empty() && (digits.back() < '0' || digits.back() > '9');
  if (!value || (hasUnit && !isBytes) || *value < row->least || *value > row->most)
    return usageFailure(std::string(flag.name) + ' ' + std::string(name) +
                        ": expected a whole number from " + std::to_string(row->least) + " to " +
                        std::to_string(row->most) + (isBytes ? ", also as 512K, 64M or 2G," : "") +
                        " but got " + named(digits));
  o.limits.emplace_back(name);
  o.run.limits.set(row->id, *value);
  return {};
}

Failure addAssignment(const Flag &flag, std::string_view text, std::vector<Assignment> &list) {
  size_t equals = text.find('=');
  if (equals == text.npos || equals == 0)
    return badValue(flag, std::string(flag.value), text);
  std::string_view name = text.substr(0, equals);
  for (const Assignment &other : list)
    if (canonicalName(other.name) == canonicalName(name))
      return usageFailure(std::string(flag.name) + " is given twice for " + named(name));
  if (equals + 1 == text.size())
    return usageFailure(std::string(flag.name) + ": expected a value for " + named(name));
  list.push_back({std::string(name), std::string(text.substr(equals + 1))});
  return {};
}

Failure addTarget(const Flag &flag, std::string_view text, std::vector<std::string> &list) {
  for (const std::string &other : list)
    if (other == text)
      return usageFailure(std::string(flag.name) + " is given twice for " + named(text));
  list.emplace_back(text);
  return {};
}

// Where a flag without a value is stored; null for others.
bool *switchOf(FlagId id, Options &o) {
  return id == FlagId::kHelp        ? &o.help
         : id == FlagId::kVersion   ? &o.version
         : id == FlagId::kDescribe  ? &o.describe
         : id == FlagId::kStats     ? &o.stats
         : id == FlagId::kStatsJson ? &o.statsJson
         : id == FlagId::kInsecure  ? &o.cluster.insecure
         : id == FlagId::kResume    ? &o.checkpoint.resume
         : id == FlagId::kAllowTf32 ? &o.run.allowTf32
                                    : nullptr;
}

// Where a flag with any text as value is stored; null for others.
std::optional<std::string> *textOf(FlagId id, Options &o) {
  return id == FlagId::kSignature    ? &o.signature
         : id == FlagId::kLoad       ? &o.load
         : id == FlagId::kSave       ? &o.save
         : id == FlagId::kCheckpoint ? &o.checkpoint.folder
         : id == FlagId::kCalls      ? &o.calls
         : id == FlagId::kTrace      ? &o.trace
         : id == FlagId::kKeyFile    ? &o.cluster.keyFile
                                     : nullptr;
}

Failure parseSwapping(const Flag &flag, std::string_view text, Swapping &swapping) {
  for (auto [name, value] : {std::pair("auto", Swapping::kWhenFull),
                             {"never", Swapping::kNever},
                             {"always", Swapping::kAlways}})
    if (text == name) {
      swapping = value;
      return Failure();
    }
  return badValue(flag, "auto, never or always", text);
}

Failure parseSide(const Flag &flag, std::string_view text, GuardSide &side) {
  side = text == "behind"   ? GuardSide::kBehind
         : text == "before" ? GuardSide::kBefore
                            : GuardSide::kNone;
  return side == GuardSide::kNone ? badValue(flag, "behind or before", text) : Failure();
}

Failure parseCardLibrary(const Flag &flag, std::string_view text, bool &mayBeUsed) {
  mayBeUsed = text == "auto";
  return mayBeUsed || text == "never" ? Failure() : badValue(flag, "auto or never", text);
}

Failure parseSeconds(const Flag &flag, std::string_view text, double &value) {
  constexpr double kLongest = 86400;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= 0.1 && value <= kLongest)
    return {};
  return badValue(flag, "a number of seconds from 0.1 to 86400", text);
}

Failure parsePeers(const Flag &flag, std::string_view text, std::vector<std::string> &peers) {
  while (true) {
    size_t comma = text.find(',');
    peers.emplace_back(text.substr(0, comma));
    if (peers.back().empty())
      return badValue(flag, "addresses separated by commas", text);
    if (comma == text.npos)
      return {};
    text.remove_prefix(comma + 1);
  }
}

Failure storeRepeated(const Flag &flag, std::string_view text, Options &o) {
  switch (flag.id) {
  case FlagId::kInput:
    return addAssignment(flag, text, o.inputs);
  case FlagId::kOutput:
    return addAssignment(flag, text, o.outputs);
  case FlagId::kExpected:
    return addAssignment(flag, text, o.expected);
  case FlagId::kRun:
    return addTarget(flag, text, o.targets);
  case FlagId::kLimit:
    return parseLimit(flag, text, o);
  default:
    return {};
  }
}

Failure storeOfCluster(const Flag &flag, std::string_view text, ClusterOptions &cluster) {
  switch (flag.id) {
  case FlagId::kPeers:
    return parsePeers(flag, text, cluster.peers);
  case FlagId::kListenFd:
    return parseWhole(flag, text, 0, INT32_MAX, cluster.listenFd.emplace());
  case FlagId::kRunId:
    cluster.runId = text;
    return {};
  case FlagId::kConnectTimeout:
    return parseSeconds(flag, text, cluster.connectTimeout);
  case FlagId::kPeerTimeout:
    return parseSeconds(flag, text, cluster.peerTimeout);
  default:
    return {};
  }
}

} // namespace

Failure storeValue(const Flag &flag, std::string_view text, Options &o) {
  if (bool *on = switchOf(flag.id, o)) {
    *on = true;
    return {};
  }
  if (std::optional<std::string> *destination = textOf(flag.id, o)) {
    *destination = text;
    return {};
  }
  if (flag.repeats)
    return storeRepeated(flag, text, o);
  if (flag.knownTo == KnownTo::kRanks)
    return storeOfCluster(flag, text, o.cluster);
  switch (flag.id) {
  case FlagId::kRtol:
    return parseTolerance(flag, text, o.rtol);
  case FlagId::kAtol:
    return parseTolerance(flag, text, o.atol);
  case FlagId::kSteps:
    return parseWhole<uint64_t>(flag, text, 1, INT64_MAX, o.steps.emplace());
  case FlagId::kConcurrentCalls:
    return parseWhole<int>(flag, text, 1, kMostConcurrentCalls, o.concurrentCalls.emplace());
  case FlagId::kSaveEvery:
    return parseWhole<uint64_t>(flag, text, 1, INT64_MAX, o.checkpoint.every.emplace());
  case FlagId::kKeep:
    o.checkpoint.keepIsGiven = true;
    return parseWhole<uint64_t>(flag, text, 1, 1'000'000, o.checkpoint.keep);
  case FlagId::kTraceLimit:
    return parseWhole<uint64_t>(flag, text, 1, 100'000'000, o.traceLimit.emplace());
  case FlagId::kParallelIterations:
    return parseWhole(flag, text, 1, INT32_MAX, o.run.parallelIterations.emplace());
  case FlagId::kScheduleSeed:
    return parseWhole<uint64_t>(flag, text, 0, UINT64_MAX, o.run.scheduleSeed.emplace());
  case FlagId::kWorkers:
    return parseWhole(flag, text, 0, 1024, o.run.workers);
  case FlagId::kMemoryLimit:
    return parseBytes(flag, text, o.memoryLimit);
  case FlagId::kDevice: {
    std::optional<DeviceChoice> device = DeviceChoice::parse(text);
    o.run.device = device.value_or(DeviceChoice());
    return device ? Failure() : badValue(flag, std::string(kDeviceChoices), text);
  }
  case FlagId::kDeviceMemoryLimit: {
    std::optional<uint64_t> limit;
    Failure failure = parseBytes(flag, text, limit);
    o.run.deviceMemoryLimit = limit.value_or(0);
    return failure;
  }
  case FlagId::kSwap:
    return parseSwapping(flag, text, o.run.swapping);
  case FlagId::kCardLibrary:
    return parseCardLibrary(flag, text, o.run.cardLibrary);
  case FlagId::kGuardPages:
    return parseSide(flag, text, o.guardPages);
  case FlagId::kTimeout:
    return parseSeconds(flag, text, o.timeout.emplace());
  case FlagId::kRandomSeed:
    return parseWhole<uint64_t>(flag, text, 0, UINT64_MAX, o.randomSeed);
  case FlagId::kDiagnosticsFormat:
    // It was looked for before all others: wantsJsonDiagnostics.
    return text == "json" || text == "text" ? Failure() : badValue(flag, "text or json", text);
  default:
    return {};
  }
}

} // namespace sluice::rt
