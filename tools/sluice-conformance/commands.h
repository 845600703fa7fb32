// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command lines of a replay: how a program is compiled and called, for each way to run it.
#pragma once

#include "tools/sluice-conformance/replay.h"

#include <map>
#include <string>
#include <vector>

namespace sluice::conformance {

using Command = std::vector<std::string>;

class Commands {
public:
  // Files go into `folder`.
  Commands(const Settings &settings, std::string folder)
      : settings_(settings), folder_(std::move(folder)) {}

  // The compiler itself answers calls: it compiles for each batch of them anew.
  bool compilerAnswersCalls() const;
  // Flags that say what of the graph or model is compiled, in place of the file of signatures.
  void choose(size_t program, Command flags) { chosen_[program] = std::move(flags); }
  // Makes what answers calls.
  Command compile(size_t program, const std::string &graph) const;
  // Answers the calls in the file.
  Command call(size_t program, const std::string &graph, const std::string &calls) const;

  std::string fileOf(size_t program, llvm::StringRef kind) const;
  std::string signaturesFile(size_t program) const { return fileOf(program, ".signatures.json"); }
  std::string summaryFile(size_t program) const { return fileOf(program, ".partition.json"); }

private:
  Command compiler(size_t program, const std::string &graph) const;

  const Settings &settings_;
  std::string folder_;
  std::map<size_t, Command> chosen_; // by program
};

} // namespace sluice::conformance
