// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line that every executable and the interpreter share.
#pragma once

#include "runtime/api/console.h"
#include "runtime/api/recording_runner.h"
#include "runtime/api/runner.h"
#include "runtime/io/disk.h"

#include <span>
#include <string_view>

namespace sluice::rt {

// What a command line acts on.
struct CommandLineHost {
  Runner &runner;
  Disk &disk;
  Console &console;
  std::string_view program;             // how the user called it, for the usage text
  RecordingRunner *recording = nullptr; // null: --trace is refused
  uint64_t memoryLimit = 0;             // without --memory-limit; 0: none
};

// Does what the arguments (without the program's name) ask for and returns the exit code of the
// process; see docs/reference/executable-command-line.md.
int runCommandLine(std::span<const char *const> arguments, const CommandLineHost &host);

// The same with the files and standard streams of the process; argv[0] is the program's name. Makes
// the process ignore SIGPIPE and end with code 14 when memory is exhausted.
int runCommandLine(int argc, char **argv, Runner &runner);
int runCommandLine(int argc, char **argv, RecordingRunner &runner);

} // namespace sluice::rt
