// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of flags and the parser of arguments.
#include "runtime/api/options.h"

#include "runtime/io/number_text.h"

#include <charconv>
#include <cmath>

namespace sluice::rt {

namespace {

enum class Id {
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
  kCalls,
  kStats,
  kStatsJson,
  kParallelIterations,
  kScheduleSeed,
  kWorkers,
  kMemoryLimit,
  kRandomSeed,
  kDiagnosticsFormat,
  kCount,
};

struct Flag {
  Id id;
  std::string_view name;
  std::string_view value; // what --help calls its value; empty: it has none
  bool repeats;
  std::string_view help;
};

constexpr Flag kFlags[] = {
    {Id::kHelp, "--help", "", false, "print this text"},
    {Id::kVersion, "--version", "", false, "print program, compiler and target"},
    {Id::kDescribe, "--describe", "", false, "print signatures and variables as JSON"},
    {Id::kSignature, "--signature", "NAME", false,
     "signature to call; needed where flags do not tell which"},
    {Id::kInput, "--input", "NAME=VALUE", true,
     "value of a feed: @FILE.npy, @FILE.json, 2x2xf32=1,2,3,4, zeros or rand"},
    {Id::kOutput, "--output", "NAME=DEST", true,
     "where a fetch goes: @FILE.npy, @FILE.json or - for all its values on standard output"},
    {Id::kRun, "--run", "NODE", true, "a target: a node that is run but has no output"},
    {Id::kExpected, "--expected", "NAME=VALUE", true,
     "compare a fetch with a value as for --input; a difference is exit code 5"},
    {Id::kRtol, "--rtol", "X", false, "relative tolerance of --expected; default by dtype"},
    {Id::kAtol, "--atol", "X", false, "absolute tolerance of --expected; default by dtype"},
    {Id::kSteps, "--steps", "N", false, "call N times; outputs are those of the last call"},
    {Id::kLoad, "--load", "FILE", false, "set variables from a safetensors file before the calls"},
    {Id::kSave, "--save", "FILE", false, "write variables to a safetensors file after the calls"},
    {Id::kCalls, "--calls", "FILE", false,
     "answer a JSON request on each line of the file (- for standard input)"},
    {Id::kStats, "--stats", "", false, "print figures of the calls on standard error"},
    {Id::kStatsJson, "--stats-json", "", false, "the same as one line of JSON"},
    {Id::kParallelIterations, "--parallel-iterations", "N", false,
     "iterations of a loop that may be live at once; default as in the graph"},
    {Id::kScheduleSeed, "--schedule-seed", "SEED", false,
     "run ready work in a random legal order drawn from this seed"},
    {Id::kWorkers, "--workers", "N", false, "threads for heavy kernels; default: processors less one"},
    {Id::kMemoryLimit, "--memory-limit", "BYTES", false,
     "most memory for tensors, also as 512K, 64M or 2G"},
    {Id::kRandomSeed, "--random-seed", "SEED", false, "seed of rand inputs; default 0"},
    {Id::kDiagnosticsFormat, "--diagnostics-format", "FORMAT", false, "text or json"},
};
static_assert(sizeof(kFlags) / sizeof(kFlags[0]) == static_cast<size_t>(Id::kCount));

const Flag *findFlag(std::string_view name) {
  for (const Flag &flag : kFlags)
    if (flag.name == name)
      return &flag;
  return nullptr;
}

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

Failure parseBytes(const Flag &flag, std::string_view text, std::optional<uint64_t> &value) {
  uint64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
  if (error != std::errc() || shift < 0 || number == 0 || number > UINT64_MAX >> shift)
    return badValue(flag, "a number of bytes of at least 1, such as 1000000, 512K, 64M or 2G",
                    text);
  value = number << shift;
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
bool *switchOf(Id id, Options &o) {
  return id == Id::kHelp        ? &o.help
         : id == Id::kVersion   ? &o.version
         : id == Id::kDescribe  ? &o.describe
         : id == Id::kStats     ? &o.stats
         : id == Id::kStatsJson ? &o.statsJson
                                : nullptr;
}

// Where a flag with any text as value is stored; null for others.
std::optional<std::string> *textOf(Id id, Options &o) {
  return id == Id::kSignature ? &o.signature
         : id == Id::kLoad    ? &o.load
         : id == Id::kSave    ? &o.save
         : id == Id::kCalls   ? &o.calls
                              : nullptr;
}

Failure store(const Flag &flag, std::string_view text, Options &o) {
  if (bool *on = switchOf(flag.id, o)) {
    *on = true;
    return {};
  }
  if (std::optional<std::string> *destination = textOf(flag.id, o)) {
    *destination = text;
    return {};
  }
  switch (flag.id) {
  case Id::kInput:
    return addAssignment(flag, text, o.inputs);
  case Id::kOutput:
    return addAssignment(flag, text, o.outputs);
  case Id::kExpected:
    return addAssignment(flag, text, o.expected);
  case Id::kRun:
    return addTarget(flag, text, o.targets);
  case Id::kRtol:
    return parseTolerance(flag, text, o.rtol);
  case Id::kAtol:
    return parseTolerance(flag, text, o.atol);
  case Id::kSteps:
    return parseWhole<uint64_t>(flag, text, 1, INT64_MAX, o.steps.emplace());
  case Id::kParallelIterations:
    return parseWhole(flag, text, 1, INT32_MAX, o.run.parallelIterations.emplace());
  case Id::kScheduleSeed:
    return parseWhole<uint64_t>(flag, text, 0, UINT64_MAX, o.run.scheduleSeed.emplace());
  case Id::kWorkers:
    return parseWhole(flag, text, 0, 1024, o.run.workers);
  case Id::kMemoryLimit:
    return parseBytes(flag, text, o.memoryLimit);
  case Id::kRandomSeed:
    return parseWhole<uint64_t>(flag, text, 0, UINT64_MAX, o.randomSeed);
  case Id::kDiagnosticsFormat:
    o.jsonDiagnostics = text == "json";
    return text == "json" || text == "text" ? Failure() : badValue(flag, "text or json", text);
  default:
    return {};
  }
}

Failure unknownArgument(std::string_view argument) {
  if (!argument.starts_with('-') || argument == "-")
    return usageFailure("unexpected argument " + named(argument) +
                        ": inputs are given as --input NAME=VALUE");
  std::string_view name = argument.substr(0, argument.find('='));
  std::vector<std::string_view> names;
  for (const Flag &flag : kFlags)
    names.push_back(flag.name);
  return usageFailure("unknown flag " + named(name) + suggestion(name, names) +
                      "; --help lists all flags");
}

// A single call's flags mean nothing where requests say what to call.
Failure checkConflicts(const Options &o) {
  const char *other = !o.inputs.empty()     ? "--input"
                      : !o.outputs.empty()  ? "--output"
                      : !o.expected.empty() ? "--expected"
                      : !o.targets.empty()  ? "--run"
                      : o.signature         ? "--signature"
                      : o.steps             ? "--steps"
                                            : nullptr;
  if (o.calls && other)
    return usageFailure(std::string("--calls and ") + other +
                        " exclude each other: requests name their own");
  if (o.expected.empty() && (o.rtol || o.atol))
    return usageFailure(std::string(o.rtol ? "--rtol" : "--atol") + " needs --expected");
  return {};
}

} // namespace

std::string_view canonicalName(std::string_view name) {
  return name.ends_with(":0") ? name.substr(0, name.size() - 2) : name;
}

Failure parseOptions(std::span<const char *const> arguments, Options &options) {
  bool seen[static_cast<size_t>(Id::kCount)] = {};
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string_view argument = arguments[i] ? arguments[i] : "";
    if (argument == "-h")
      argument = "--help";
    size_t equals = argument.find('=');
    const Flag *flag = findFlag(argument.substr(0, equals));
    if (!flag)
      return unknownArgument(argument);
    bool inlineValue = equals != argument.npos;
    if (flag->value.empty() && inlineValue)
      return usageFailure(std::string(flag->name) + " takes no value");
    std::string_view value = inlineValue ? argument.substr(equals + 1) : std::string_view();
    if (!flag->value.empty() && !inlineValue) {
      if (i + 1 == arguments.size() || std::string_view(arguments[i + 1]).starts_with("--"))
        return usageFailure(std::string(flag->name) + " needs a value: " +
                            std::string(flag->name) + '=' + std::string(flag->value));
      value = arguments[++i];
    }
    if (!flag->value.empty() && value.empty())
      return usageFailure(std::string(flag->name) + ": expected " + std::string(flag->value) +
                          " but got an empty string");
    if (std::exchange(seen[static_cast<size_t>(flag->id)], true) && !flag->repeats)
      return usageFailure(std::string(flag->name) + " is given twice");
    if (Failure failure = store(*flag, value, options))
      return failure;
  }
  return checkConflicts(options);
}

bool wantsJsonDiagnostics(std::span<const char *const> arguments) {
  constexpr std::string_view flag = "--diagnostics-format";
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string_view argument = arguments[i] ? arguments[i] : "";
    if (argument == "--diagnostics-format=json" ||
        (argument == flag && i + 1 < arguments.size() &&
         std::string_view(arguments[i + 1]) == "json"))
      return true;
  }
  return false;
}

std::string flagsText() {
  constexpr size_t kColumn = 28;
  std::string out;
  for (const Flag &flag : kFlags) {
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

} // namespace sluice::rt
