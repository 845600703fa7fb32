// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags of the compiler, of executables and of the launcher.
#include "tools/sluice-conformance/commands.h"

#include "tools/sluice-conformance/files.h"

#include "llvm/ADT/STLExtras.h"

namespace sluice::conformance {

using llvm::StringRef;

static bool isSeparate(const Settings &settings) {
  return settings.placement && settings.placement->transport == Transport::kTcp;
}

// The flag that makes the compiler run what it has compiled.
static std::string wayToRun(const Settings &settings) {
  if (settings.placement)
    return settings.placement->transport == Transport::kSimulated ? "--execute=sim"
                                                                  : "--execute=local";
  const std::string &phase = *settings.interpretPhase;
  return phase.empty() ? "--interpret" : "--interpret=" + phase;
}

// What a pass leaves wrong is found behind that pass.
static constexpr const char *kVerify = "--verify-each";

bool Commands::compilerAnswersCalls() const {
  return settings_.interpretPhase || (settings_.placement && !isSeparate(settings_));
}

std::string Commands::fileOf(size_t program, StringRef kind) const {
  return pathIn(folder_, "program" + std::to_string(program) + kind.str());
}

Command Commands::compiler(size_t program, const std::string &graph) const {
  Command command{settings_.compiler, graph};
  if (auto chosen = chosen_.find(program); chosen != chosen_.end())
    llvm::append_range(command, chosen->second);
  else
    command.insert(command.end(), {"--signatures", signaturesFile(program)});
  llvm::append_range(command, settings_.compilerFlags);
  if (const std::optional<Placement> &placement = settings_.placement) {
    command.insert(command.end(), {"--devices", std::to_string(placement->devices)});
    if (placement->seed)
      command.insert(command.end(), {"--placement-seed", std::to_string(*placement->seed)});
    command.insert(command.end(), {"--partition-summary", summaryFile(program)});
  }
  return command;
}

Command Commands::compile(size_t program, const std::string &graph) const {
  Command command = compiler(program, graph);
  command.insert(command.end(), {"-o", fileOf(program, ""), kVerify});
  return command;
}

Command Commands::call(size_t program, const std::string &graph, const std::string &calls) const {
  Command command;
  if (compilerAnswersCalls()) {
    command = compiler(program, graph);
    command.insert(command.end(), {wayToRun(settings_), kVerify});
  } else if (isSeparate(settings_)) {
    command = {settings_.launcher, fileOf(program, "/manifest.json")};
  } else {
    command = {fileOf(program, "")};
  }
  command.insert(command.end(), {"--calls", calls});
  llvm::append_range(command, settings_.programFlags);
  return command;
}

} // namespace sluice::conformance
