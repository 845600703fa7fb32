// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts and JSON about a program.
#include "runtime/api/describe.h"

#include "runtime/api/flag_table.h"
#include "runtime/api/options.h"
#include "runtime/api/signatures.h"
#include "runtime/base/held_memory.h"
#include "runtime/io/dtype_names.h"
#include "runtime/io/json.h"
#include "runtime/io/number_text.h"
#include "runtime/io/tensor_json.h"
#include "runtime/memory/kept_forms.h"

#include <cmath>

namespace sluice::rt {

namespace {

void appendPortLines(const char *kind, std::span<const Port> ports, std::string &out) {
  for (const Port &port : ports)
    out += std::string("    ") + kind + ' ' + port.name + ' ' + portType(port) + '\n';
}

void appendPortJson(std::string_view name, DType dtype, const Shape &shape, std::string &out) {
  out += "{\"name\":";
  appendJsonString(name, out);
  out += ",\"dtype\":";
  appendJsonString(tensorflowName(dtype), out);
  out += ",\"shape\":";
  appendShapeJson(shape, out);
  out += '}';
}

// A comma unless this is the first item of an array.
void separate(std::string &out) {
  if (out.back() != '[')
    out += ',';
}

void appendPortsJson(std::span<const Port> ports, std::string &out) {
  out += '[';
  for (const Port &port : ports) {
    separate(out);
    appendPortJson(port.name, port.dtype, port.shape, out);
  }
  out += ']';
}

void appendSignatureJson(const SignatureInfo &signature, std::string &out) {
  out += "{\"name\":";
  appendJsonString(signature.name, out);
  out += ",\"feeds\":";
  appendPortsJson(signature.feeds, out);
  out += ",\"fetches\":";
  appendPortsJson(signature.fetches, out);
  out += ",\"targets\":[";
  for (const std::string &target : signature.targets) {
    separate(out);
    appendJsonString(target, out);
  }
  out += "]}";
}

// A value for the example at the end of --help.
std::string exampleValue(const Port &port) {
  if (port.shape.isComplete() && port.dtype != DType::kString)
    return "zeros";
  if (port.dtype == DType::kString)
    return "@" + std::string("input.json");
  return "@input.npy";
}

std::string exitCodesText(bool member) {
  std::string out;
  for (const ExitMeaning &exit : kExitMeanings)
    if (!exit.ofExecutable.empty() && (member || !exit.onlyOfMembers))
      out += format("  %2d  ", static_cast<int>(exit.code)) + std::string(exit.ofExecutable) + '\n';
  return out;
}

std::string exampleText(const SignatureInfo &signature, std::string_view program) {
  std::string out = "\nexample:\n  " + std::string(program);
  for (const Port &feed : signature.feeds)
    out += " --input " + std::string(canonicalName(feed.name)) + '=' + exampleValue(feed);
  if (!signature.fetches.empty())
    out += " --output " + std::string(canonicalName(signature.fetches[0].name)) + "=-";
  else if (!signature.targets.empty())
    out += " --run " + signature.targets[0];
  return out + '\n';
}

} // namespace

std::string helpText(const Runner &runner, std::string_view program) {
  std::string out = std::string(runner.programName()) +
                    ": a compiled dataflow graph\n\nusage: " + std::string(program) +
                    " [FLAG]...\n\nsignatures:\n";
  for (const SignatureInfo &signature : runner.signatures()) {
    if (signature.initializes)
      continue;
    out += "  " + signature.name + '\n';
    appendPortLines("feed  ", signature.feeds, out);
    appendPortLines("fetch ", signature.fetches, out);
    for (const std::string &target : signature.targets)
      out += "    target " + target + '\n';
  }
  if (runner.signatures().empty())
    out += "  none\n";
  out += "\nflags (--flag VALUE or --flag=VALUE):\n" + flagsText(roleOf(runner));
  out += "\nlimits (--limit NAME=VALUE):\n" + limitsText();
  out += "\nexit codes:\n" + exitCodesText(runner.isMember());
  if (!runner.signatures().empty() && !runner.serves())
    out += exampleText(runner.signatures()[0], program);
  return out;
}

std::string versionLine(const Runner &runner) {
  return std::string(runner.programName()) + ' ' + std::string(runner.versionText()) + '\n';
}

std::string describeJson(Runner &runner) {
  std::string out = "{\"program\":";
  appendJsonString(runner.programName(), out);
  out += ",\"version\":";
  appendJsonString(runner.versionText(), out);
  out += ",\"signatures\":[";
  for (const SignatureInfo &signature : runner.signatures()) {
    if (signature.initializes)
      continue;
    separate(out);
    appendSignatureJson(signature, out);
  }
  out += "],\"variables\":[";
  for (const Variable *variable : runner.variables()) {
    separate(out);
    appendPortJson(variable->name, variable->dtype, variable->shape, out);
  }
  return out + "]}\n";
}

Stats collectStats(const Runner &runner, uint64_t calls, double seconds) {
  Stats stats = runner.stats();
  MemoryStats memory = memoryStats();
  stats.emplace_back("buffer_allocations", static_cast<double>(memory.allocations));
  stats.emplace_back("system_allocations", static_cast<double>(memory.systemAllocations));
  stats.emplace_back("live_bytes", static_cast<double>(memory.liveBytes));
  stats.emplace_back("peak_bytes", static_cast<double>(memory.peakBytes));
  stats.emplace_back("held_bytes", static_cast<double>(memory.heldBytes));
  stats.emplace_back("peak_held_bytes", static_cast<double>(memory.peakHeldBytes));
  stats.emplace_back("memory_limit_bytes", static_cast<double>(heldMemoryLimit()));
  KeptForms::Figures packed = KeptForms::figures();
  stats.emplace_back("packed_matrices", static_cast<double>(packed.made));
  stats.emplace_back("packed_matrices_reused", static_cast<double>(packed.reused));
  stats.emplace_back("packed_bytes", static_cast<double>(packed.bytes));
  stats.emplace_back("calls", static_cast<double>(calls));
  stats.emplace_back("call_seconds", seconds);
  return stats;
}

std::string statsText(const Stats &stats) {
  constexpr size_t kColumn = 32;
  std::string out;
  for (const auto &[name, value] : stats) {
    out += name + ": ";
    if (name.size() + 2 < kColumn)
      out.append(kColumn - name.size() - 2, ' ');
    if (value == std::floor(value) && std::abs(value) < 1e15)
      out += std::to_string(static_cast<int64_t>(value));
    else
      appendNumber(value, out);
    out += '\n';
  }
  return out;
}

std::string statsJson(const Stats &stats) {
  std::string out = "{";
  for (const auto &[name, value] : stats) {
    if (out.size() > 1)
      out += ',';
    appendJsonString(name, out);
    out += ':';
    appendJsonNumber(value, out);
  }
  return out + "}\n";
}

} // namespace sluice::rt
