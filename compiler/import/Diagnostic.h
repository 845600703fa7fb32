// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Problems found in an input file, and the exit code that each asks for.
//
// The importer never prints: it appends to a DiagnosticList, and the driver shows the list as text
// or as JSON. A note belongs to the error or warning before it and points at another place.
#pragma once

#include "runtime/base/exit_codes.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::import {

enum class Severity : uint8_t { kError, kWarning, kNote };

using rt::ExitCode;

// Where a problem is. Everything may be empty.
struct Place {
  std::string location; // "model.pbtxt:12:3", or the file name alone
  std::string node;
  std::string op;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  ExitCode exitCode = ExitCode::kBadGraph;
  Place place;
  std::string message;
};

class DiagnosticList {
public:
  void error(ExitCode exitCode, Place place, std::string message);
  void warning(Place place, std::string message);
  // Belongs to the diagnostic before it, and vanishes with it.
  void note(Place place, std::string message);

  // All of another list, after these.
  void append(const DiagnosticList &other);

  bool hasErrors() const { return errors_ > 0; }
  // The exit code of the first error, or kOk.
  ExitCode exitCode() const { return firstCode_; }
  const std::vector<Diagnostic> &all() const { return diagnostics_; }
  // Errors that were counted but not kept, so that hostile input cannot flood the list.
  uint64_t suppressed() const { return errors_ + warnings_ - kept_; }

private:
  bool keep(uint64_t &counter);

  std::vector<Diagnostic> diagnostics_;
  ExitCode firstCode_ = ExitCode::kOk;
  uint64_t errors_ = 0;
  uint64_t warnings_ = 0;
  uint64_t kept_ = 0;
  bool lastKept_ = false;
};

// "model.pbtxt:12:3: node 'x' (AddV2): error: …", without a line break at the end.
std::string formatText(const Diagnostic &diagnostic);
// One JSON object on one line.
std::string formatJson(const Diagnostic &diagnostic);
// A line for each, and one for those that were not kept.
std::string formatLines(const DiagnosticList &diagnostics, bool json);

// The text with bytes that do not print escaped, cut when very long.
std::string escaped(std::string_view text);
// The same in single quotes.
std::string quoted(std::string_view text);

} // namespace sluice::import
