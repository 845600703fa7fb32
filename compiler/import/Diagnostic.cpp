// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collection and formatting of diagnostics.
#include "compiler/import/Diagnostic.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

namespace sluice::import {

namespace {
// More than anybody reads; graphs of a million broken nodes must not fill the memory.
constexpr uint64_t kKeptErrors = 20;
constexpr uint64_t kKeptWarnings = 20;
constexpr size_t kShownBytes = 200;

std::string_view severityName(Severity severity) {
  switch (severity) {
  case Severity::kError:
    return "error";
  case Severity::kWarning:
    return "warning";
  case Severity::kNote:
    return "note";
  }
  return "";
}
} // namespace

bool DiagnosticList::keep(uint64_t &counter) {
  uint64_t limit = &counter == &errors_ ? kKeptErrors : kKeptWarnings;
  lastKept_ = counter++ < limit;
  kept_ += lastKept_ ? 1 : 0;
  return lastKept_;
}

void DiagnosticList::error(ExitCode exitCode, Place place, std::string message) {
  if (firstCode_ == ExitCode::kOk)
    firstCode_ = exitCode;
  if (keep(errors_))
    diagnostics_.push_back({Severity::kError, exitCode, std::move(place), std::move(message)});
}

void DiagnosticList::warning(Place place, std::string message) {
  if (keep(warnings_))
    diagnostics_.push_back(
        {Severity::kWarning, ExitCode::kOk, std::move(place), std::move(message)});
}

void DiagnosticList::note(Place place, std::string message) {
  if (lastKept_)
    diagnostics_.push_back({Severity::kNote, ExitCode::kOk, std::move(place), std::move(message)});
}

void DiagnosticList::append(const DiagnosticList &other) {
  for (const Diagnostic &diagnostic : other.diagnostics_)
    switch (diagnostic.severity) {
    case Severity::kError:
      error(diagnostic.exitCode, diagnostic.place, diagnostic.message);
      break;
    case Severity::kWarning:
      warning(diagnostic.place, diagnostic.message);
      break;
    case Severity::kNote:
      note(diagnostic.place, diagnostic.message);
      break;
    }
}

std::string formatText(const Diagnostic &diagnostic) {
  std::string text;
  const Place &place = diagnostic.place;
  if (!place.location.empty())
    text += place.location + ": ";
  if (!place.node.empty())
    text += "node " + quoted(place.node);
  if (!place.op.empty())
    text +=
        (place.node.empty() ? "op " : " (") + escaped(place.op) + (place.node.empty() ? "" : ")");
  if (!place.node.empty() || !place.op.empty())
    text += ": ";
  text += severityName(diagnostic.severity);
  return text + ": " + diagnostic.message;
}

std::string formatJson(const Diagnostic &diagnostic) {
  // Names come from the file and may hold any bytes; JSON wants UTF-8.
  auto clean = [](std::string_view text) { return llvm::json::fixUTF8(text); };
  llvm::json::Object object{{"severity", std::string(severityName(diagnostic.severity))},
                            {"message", clean(diagnostic.message)}};
  if (diagnostic.severity == Severity::kError)
    object["exit_code"] = static_cast<int>(diagnostic.exitCode);
  if (!diagnostic.place.location.empty())
    object["location"] = clean(diagnostic.place.location);
  if (!diagnostic.place.node.empty())
    object["node"] = clean(diagnostic.place.node);
  if (!diagnostic.place.op.empty())
    object["op"] = clean(diagnostic.place.op);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(object));
  return text;
}

std::string formatLines(const DiagnosticList &diagnostics, bool json) {
  std::string lines;
  auto add = [&](const Diagnostic &diagnostic) {
    lines += (json ? formatJson(diagnostic) : formatText(diagnostic)) + '\n';
  };
  for (const Diagnostic &diagnostic : diagnostics.all())
    add(diagnostic);
  if (diagnostics.suppressed() > 0)
    add({.severity = Severity::kNote,
         .exitCode = ExitCode::kOk,
         .place = {},
         .message = std::to_string(diagnostics.suppressed()) + " more problems are not shown"});
  return lines;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (unsigned char c : text.substr(0, kShownBytes)) {
    if (c >= 0x20 && c != 0x7f)
      result += static_cast<char>(c);
    else
      result += std::string("\\x") + llvm::hexdigit(c >> 4, true) + llvm::hexdigit(c & 15, true);
  }
  return text.size() > kShownBytes ? result + "…" : result;
}

std::string quoted(std::string_view text) { return "'" + escaped(text) + "'"; }

} // namespace sluice::import
