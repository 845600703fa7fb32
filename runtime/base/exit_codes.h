// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exit codes of all programs: of the compiler, of the executables that it makes, and of what
// starts these. Scripts rely on them: a number keeps its meaning, and new reasons get new numbers.
#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::rt {

enum class ExitCode : uint8_t {
  kOk = 0,
  kFailed = 1,
  kBadGraph = kFailed, // as the compiler calls it
  kUsage = 2,
  kInputOutput = 3,
  kUnsupported = 4,
  kMismatch = 5,
  kExternalTool = 6,
  kPeerLost = 10,
  kPeerRefused = 11,
  kTimedOut = 12,
  kDeviceMissing = 13,
  kOutOfMemory = 14,
  kInternalError = 70,
};

// What a code says when a program ends with it. Empty: that program never does.
struct ExitMeaning {
  ExitCode code;
  std::string_view name;
  std::string_view ofCompiler;
  std::string_view ofExecutable;
  std::string_view ofLauncher; // sluice-run
  bool onlyOfMembers = false;  // an executable that runs alone never ends with it
};

// The help texts, the man pages and docs/reference/exit-codes.md are made of this table.
inline constexpr ExitMeaning kExitMeanings[] = {
    {ExitCode::kOk, "success", "success", "success", "all ranks succeeded"},
    {ExitCode::kFailed, "failed", "the graph is malformed", "the model or its data failed",
     "the model failed"},
    {ExitCode::kUsage, "usage", "wrong flags, or feeds and fetches that the graph does not have",
     "wrong usage: unknown flags or names, missing feeds, malformed literals",
     "wrong flags, of sluice-run or of a rank"},
    {ExitCode::kInputOutput, "file", "a file cannot be read or written",
     "a file could not be read or written, or the rank's address is not available",
     "the manifest, an executable or an address cannot be used, or a rank had file trouble"},
    {ExitCode::kUnsupported, "unsupported",
     "the graph needs an op or element type that is not supported; all of them are listed at once",
     "", ""},
    {ExitCode::kMismatch, "mismatch", "", "a fetch differs from --expected",
     "a fetch differs from --expected"},
    {ExitCode::kExternalTool, "linker",
     "the linker, or ptxas for cards of CUDA, is missing or failed", "", ""},
    {ExitCode::kPeerLost, "peer lost", "",
     "another rank was lost: killed, crashed, or its connection broke",
     "a peer was lost, or a rank was killed", true},
    {ExitCode::kPeerRefused, "peer refused", "",
     "another rank was refused, or refused us: other program, run, window or key",
     "a peer was refused", true},
    {ExitCode::kTimedOut, "time-out", "",
     "a call took longer than --timeout, or another rank did not start in time or was silent",
     "a time-out, or a rank that did not end after the others had ended"},
    {ExitCode::kDeviceMissing, "device missing", "",
     "the CPU lacks instructions that the program was compiled for (sluicec --march), or there is "
     "no "
     "card or driver as it needs (sluicec --target)",
     "a rank's CPU lacks instructions, or its card is missing"},
    {ExitCode::kOutOfMemory, "out of memory", "out of memory",
     "out of memory, or beyond --memory-limit", "out of memory"},
    {ExitCode::kInternalError, "bug", "a bug of the compiler",
     "a bug: the program's tables are damaged, or --guard-pages found an access beyond a tensor",
     "a bug: a program's tables are damaged, or --guard-pages found an access beyond a tensor"},
};

} // namespace sluice::rt
