// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which programs a test needs, which signatures they have, and which run is which call.
#pragma once

#include "tools/sluice-conformance/fixture.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace sluice::conformance {

struct Signature {
  std::string name;
  std::vector<std::string> feeds;   // sorted
  std::vector<std::string> fetches; // in the order of the run, each once; then the gradients
  std::vector<std::string> targets; // sorted, each once
  std::vector<GradientRequest> gradients = {};
  std::optional<TrainingRequest> training = std::nullopt;

  bool isOfModel = false; // then its name tells which one it is

  bool sameAs(const Signature &other) const {
    if (isOfModel || other.isOfModel)
      return isOfModel == other.isOfModel && name == other.name;
    return feeds == other.feeds && fetches == other.fetches && targets == other.targets &&
           gradients == other.gradients && training == other.training;
  }
  // Those of the graph itself.
  llvm::ArrayRef<std::string> plainFetches() const;
  // What has to be in the graph for the fetches: these, and all that the gradients name.
  std::vector<std::string> roots() const;
};

struct Program {
  std::string graph;
  std::vector<Signature> signatures;
};

struct Call {
  size_t run = 0;
  size_t program = 0;
  size_t signature = 0;
  // Whether the recorded state must be loaded because the live one may differ from it.
  bool loadState = false;
};

struct Plan {
  std::vector<Program> programs;
  std::vector<Call> calls; // one for each run, in order
};

enum class Sharing {
  kOneProgram,          // everything from the last graph, which contains the earlier ones
  kProgramPerGraph,     // for tests whose graph was rewritten between runs
  kProgramPerSignature, // for what is asked for on the command line: gradients, training
  kProgramPerRun,       // for tests of which the compiler may refuse a run that must fail
};

Plan planCalls(const RecordedTest &test, Sharing sharing);

// Name of the graph that was written last: graph10.pb comes after graph9.pb.
std::string lastGraph(const RecordedTest &test);

// The file that tells the compiler the signatures of a program.
llvm::json::Value signaturesJson(const Program &program);

// The same for a single signature, with gradients or training, on the command line.
std::vector<std::string> signatureFlags(const Signature &signature);
// Without either: asks for what they are derivatives of.
std::vector<std::string> forwardFlags(const Signature &signature);

// One line of the calls file. `liveState` is what the process would otherwise not know: the
// variables that an earlier process left, for a run without a recorded state.
llvm::json::Value callJson(const Plan &plan, const RecordedTest &test, const Call &call,
                           const llvm::json::Object *liveState);

} // namespace sluice::conformance
