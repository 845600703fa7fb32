// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans programs, signatures and calls. A state is loaded only where the recorded one says that
// the live one differs, so that state which lives on between calls is tested as well.
#include "tools/sluice-conformance/plan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace sluice::conformance {

using llvm::StringRef;
namespace json = llvm::json;

static Signature signatureOf(const RecordedRun &run) {
  Signature signature;
  signature.isOfModel = !run.signature.empty();
  signature.name = run.signature;
  for (const auto &feed : run.feeds)
    signature.feeds.push_back(feed.first.str());
  llvm::sort(signature.feeds);
  for (const std::string &fetch : run.fetches)
    if (!llvm::is_contained(signature.fetches, fetch))
      signature.fetches.push_back(fetch);
  signature.targets = run.targets;
  llvm::sort(signature.targets);
  signature.targets.erase(llvm::unique(signature.targets), signature.targets.end());
  return signature;
}

static size_t addSignature(Program &program, Signature signature) {
  for (size_t i = 0; i < program.signatures.size(); ++i)
    if (program.signatures[i].sameAs(signature))
      return i;
  if (!signature.isOfModel)
    signature.name = "s" + std::to_string(program.signatures.size());
  program.signatures.push_back(std::move(signature));
  return program.signatures.size() - 1;
}

static size_t addProgram(Plan &plan, const std::string &graph, Sharing sharing) {
  for (size_t i = 0; i < plan.programs.size(); ++i)
    if (plan.programs[i].graph == graph && sharing != Sharing::kProgramPerRun)
      return i;
  plan.programs.push_back({graph, {}});
  return plan.programs.size() - 1;
}

std::string lastGraph(const RecordedTest &test) {
  auto numberOf = [](StringRef name) {
    StringRef stem = name.take_until([](char c) { return c == '.'; });
    uint64_t number = 0;
    stem.drop_until(llvm::isDigit).getAsInteger(10, number);
    return number;
  };
  std::string last;
  for (const RecordedRun &run : test.runs)
    if (last.empty() || numberOf(run.graph) > numberOf(last))
      last = run.graph;
  return last;
}

// What the live variables hold before `run` is known only if the run before it is recorded in
// full; after errors and random results the recorded state is loaded.
static bool mustLoadState(const RecordedTest &test, size_t run) {
  const RecordedRun &current = test.runs[run];
  if (!current.stateBefore)
    return false;
  if (run == 0)
    return !current.stateBefore->empty();
  const RecordedRun &previous = test.runs[run - 1];
  if (previous.nondeterministic || !previous.errorCode.empty() || !previous.stateAfter)
    return true;
  return *previous.stateAfter != *current.stateBefore;
}

Plan planCalls(const RecordedTest &test, Sharing sharing) {
  Plan plan;
  std::string last = lastGraph(test);
  for (size_t i = 0; i < test.runs.size(); ++i) {
    const RecordedRun &run = test.runs[i];
    Call call;
    call.run = i;
    call.program = addProgram(plan, sharing == Sharing::kOneProgram ? last : run.graph, sharing);
    call.signature = addSignature(plan.programs[call.program], signatureOf(run));
    bool otherProcess = !plan.calls.empty() && plan.calls.back().program != call.program;
    call.loadState = otherProcess || mustLoadState(test, i);
    plan.calls.push_back(call);
  }
  return plan;
}

json::Value signaturesJson(const Program &program) {
  json::Array signatures;
  for (const Signature &signature : program.signatures)
    signatures.push_back(json::Object{{"name", signature.name},
                                      {"feeds", json::Array(signature.feeds)},
                                      {"fetches", json::Array(signature.fetches)},
                                      {"targets", json::Array(signature.targets)}});
  return json::Object{{"signatures", std::move(signatures)}};
}

json::Value callJson(const Plan &plan, const RecordedTest &test, const Call &call,
                     const json::Object *liveState) {
  const RecordedRun &run = test.runs[call.run];
  json::Object request{
      {"signature", plan.programs[call.program].signatures[call.signature].name},
      {"inputs", json::Object(run.feeds)},
      {"want_state", true},
  };
  if (call.loadState && run.stateBefore)
    request["state"] = json::Object(*run.stateBefore);
  else if (call.loadState && liveState)
    request["state"] = json::Object(*liveState);
  return request;
}

} // namespace sluice::conformance
