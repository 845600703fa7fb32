// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program to its end or to a deadline, and collects what it writes.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace sluice::conformance {

struct Finished {
  int exitCode = 0; // of a program that left by itself
  int signal = 0;   // of one that was killed
  bool timedOut = false;
  std::string startError; // not empty: the program could not be started
  std::string out;
  std::string err;

  // "exit code 3", "signal 11", "no end after 20 s".
  std::string describe(std::chrono::seconds deadline) const;
};

// The program gets a process group of its own; at the deadline the whole group is killed, so
// that nothing it started lives on. Thread-safe.
Finished runProgram(const std::vector<std::string> &arguments, std::chrono::seconds deadline);

} // namespace sluice::conformance
