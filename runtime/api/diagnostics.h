// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Failures of a command line: an exit code with its error, and how they are told to the user.
#pragma once

#include "runtime/api/console.h"
#include "runtime/api/runner.h"
#include "runtime/base/exit_codes.h"
#include "runtime/base/status.h"

#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

struct [[nodiscard]] Failure {
  ExitCode exit = ExitCode::kOk;
  Status status;
  explicit operator bool() const { return exit != ExitCode::kOk; }
};

Failure usageFailure(std::string message);
Failure ioFailure(const Status &status);
Failure mismatchFailure(std::string message);
// A failed call or refused data; exhausted memory and time have exit codes of their own. Success
// stays success. `where`, if given, goes before the message: "'x.npy': …".
Failure modelFailure(const Status &status, std::string_view where = {});

// What the program runs on cannot be opened.
Failure deviceFailure(const Status &status);

// The cluster has ended before its time.
Failure clusterFailure(const ClusterEnd &end);

// Writes diagnostics to standard error, one line each, as text or as JSON.
class Diagnostics {
public:
  explicit Diagnostics(Console &console) : console_(console) {}
  void useJson(bool json) { json_ = json; }
  void error(const Failure &failure);
  // What `error` writes.
  std::string text(const Failure &failure) const;
  void warning(std::string_view message) { remark("warning", message); }
  // Something worth knowing that is as it should be.
  void note(std::string_view message) { remark("note", message); }

private:
  void remark(std::string_view severity, std::string_view message);

  Console &console_;
  bool json_ = false;
};

// `"code":…,"node":…,"message":…` for an object that the caller opens and closes.
void appendErrorMembers(std::string_view code, const Status &status, std::string &out);
// " (did you mean 'y'?)" for the name nearest to a wrong one, or nothing if none is near.
std::string suggestion(std::string_view wrong, const std::vector<std::string_view> &names);
// The text within single quotes, control characters escaped and cut where it is very long.
std::string named(std::string_view text);

} // namespace sluice::rt
