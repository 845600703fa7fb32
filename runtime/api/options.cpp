// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parser of arguments.
#include "runtime/api/options.h"

#include "runtime/api/flag_table.h"
#include "runtime/api/flag_values.h"

#include <utility>

namespace sluice::rt {

namespace {

Failure unknownArgument(std::string_view argument, Role role) {
  if (!argument.starts_with('-') || argument == "-")
    return usageFailure("unexpected argument " + named(argument) +
                        ": inputs are given as --input NAME=VALUE");
  std::string_view name = argument.substr(0, argument.find('='));
  if (role == Role::kOtherRank && findFlag(name, Role::kFirstRank))
    return usageFailure(std::string(name) + " is a flag of rank 0");
  return usageFailure("unknown flag " + named(name) + suggestion(name, flagNames(role)) +
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
  if (o.concurrentCalls && !o.calls)
    return usageFailure("--concurrent-calls needs --calls");
  if (o.cluster.insecure && o.cluster.keyFile)
    return usageFailure("--insecure and --key-file exclude each other");
  const char *ofCheckpoints = o.checkpoint.every         ? "--save-every"
                              : o.checkpoint.keepIsGiven ? "--keep"
                              : o.checkpoint.resume      ? "--resume"
                                                         : nullptr;
  if (ofCheckpoints && !o.checkpoint.folder)
    return usageFailure(std::string(ofCheckpoints) + " needs --checkpoint");
  if (o.traceLimit && !o.trace)
    return usageFailure("--trace-limit needs --trace");
  if (o.expected.empty() && (o.rtol || o.atol))
    return usageFailure(std::string(o.rtol ? "--rtol" : "--atol") + " needs --expected");
  return {};
}

} // namespace

std::string_view canonicalName(std::string_view name) {
  return name.ends_with(":0") ? name.substr(0, name.size() - 2) : name;
}

Role roleOf(const Runner &runner) {
  if (!runner.isMember())
    return Role::kAlone;
  return runner.serves() ? Role::kOtherRank : Role::kFirstRank;
}

Failure parseOptions(std::span<const char *const> arguments, Options &options, Role role) {
  bool seen[static_cast<size_t>(FlagId::kCount)] = {};
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string_view argument = arguments[i] ? arguments[i] : "";
    if (argument == "-h")
      argument = "--help";
    size_t equals = argument.find('=');
    const Flag *flag = findFlag(argument.substr(0, equals), role);
    if (!flag)
      return unknownArgument(argument, role);
    bool inlineValue = equals != argument.npos;
    if (flag->value.empty() && inlineValue)
      return usageFailure(std::string(flag->name) + " takes no value");
    std::string_view value = inlineValue ? argument.substr(equals + 1) : std::string_view();
    if (!flag->value.empty() && !inlineValue) {
      if (i + 1 == arguments.size() || std::string_view(arguments[i + 1]).starts_with("--"))
        return usageFailure(std::string(flag->name) + " needs a value: " + std::string(flag->name) +
                            '=' + std::string(flag->value));
      value = arguments[++i];
    }
    if (!flag->value.empty() && value.empty())
      return usageFailure(std::string(flag->name) + ": expected " + std::string(flag->value) +
                          " but got an empty string");
    if (std::exchange(seen[static_cast<size_t>(flag->id)], true) && !flag->repeats)
      return usageFailure(std::string(flag->name) + " is given twice");
    if (Failure failure = storeValue(*flag, value, options))
      return failure;
  }
  return checkConflicts(options);
}

bool wantsJsonDiagnostics(std::span<const char *const> arguments) {
  constexpr std::string_view flag = "--diagnostics-format";
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string_view argument = arguments[i] ? arguments[i] : "";
    if (argument == "--diagnostics-format=json" || (argument == flag && i + 1 < arguments.size() &&
                                                    std::string_view(arguments[i + 1]) == "json"))
      return true;
  }
  return false;
}

} // namespace sluice::rt
