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
  for (size_t i = 0; i < run.gradients.size(); ++i)
    for (const std::string &x : run.gradients[i].xs)
      signature.fetches.push_back(gradientFetch(i, x));
  signature.gradients = run.gradients;
  signature.training = run.training;
  signature.targets = run.targets;
  llvm::sort(signature.targets);
  signature.targets.erase(llvm::unique(signature.targets), signature.targets.end());
  return signature;
}

llvm::ArrayRef<std::string> Signature::plainFetches() const {
  size_t derivatives = 0;
  for (const GradientRequest &request : gradients)
    derivatives += request.xs.size();
  return llvm::ArrayRef(fetches).drop_back(derivatives);
}

std::vector<std::string> Signature::roots() const {
  std::vector<std::string> roots = plainFetches().vec();
  for (const GradientRequest &request : gradients)
    llvm::append_range(roots, request.tensors());
  return roots;
}

// What the compiler calls the signatures that its command line describes.
static constexpr const char *kDirectSignature = "main";
static constexpr const char *kTrainingSignature = "train";

static size_t addSignature(Program &program, Signature signature) {
  for (size_t i = 0; i < program.signatures.size(); ++i)
    if (program.signatures[i].sameAs(signature))
      return i;
  if (signature.training)
    signature.name = kTrainingSignature;
  else if (!signature.gradients.empty())
    signature.name = kDirectSignature;
  else if (!signature.isOfModel)
    signature.name = "s" + std::to_string(program.signatures.size());
  program.signatures.push_back(std::move(signature));
  return program.signatures.size() - 1;
}

static size_t addProgram(Plan &plan, const std::string &graph, const Signature &signature,
                         Sharing sharing) {
  auto serves = [&](const Program &program) {
    return program.graph == graph && sharing != Sharing::kProgramPerRun &&
           (sharing != Sharing::kProgramPerSignature || program.signatures[0].sameAs(signature));
  };
  for (size_t i = 0; i < plan.programs.size(); ++i)
    if (serves(plan.programs[i]))
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
    Signature signature = signatureOf(run);
    Call call;
    call.run = i;
    call.program =
        addProgram(plan, sharing == Sharing::kOneProgram ? last : run.graph, signature, sharing);
    call.signature = addSignature(plan.programs[call.program], std::move(signature));
    bool otherProcess = !plan.calls.empty() && plan.calls.back().program != call.program;
    // Between runs with gradients are others, which are not made.
    call.loadState = otherProcess || !run.gradients.empty() || mustLoadState(test, i);
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

static std::vector<std::string> flagsFor(const Signature &signature,
                                         llvm::ArrayRef<std::string> fetches) {
  std::vector<std::string> flags;
  auto add = [&](const char *flag, llvm::ArrayRef<std::string> values) {
    for (const std::string &value : values)
      flags.insert(flags.end(), {flag, value});
  };
  add("--feed", signature.feeds);
  add("--fetch", fetches);
  add("--run", signature.targets);
  return flags;
}

std::vector<std::string> signatureFlags(const Signature &signature) {
  // A training step fetches the loss by itself.
  std::vector<std::string> flags = flagsFor(
      signature, signature.training ? llvm::ArrayRef<std::string>() : signature.plainFetches());
  if (signature.training)
    llvm::append_range(flags, signature.training->flags());
  for (const GradientRequest &request : signature.gradients)
    flags.insert(flags.end(), {"--gradients", request.text()});
  return flags;
}

std::vector<std::string> forwardFlags(const Signature &signature) {
  std::vector<std::string> fetches = signature.plainFetches().vec();
  for (const GradientRequest &request : signature.gradients)
    for (const GradientRequest::Y &y : request.ys)
      if (!llvm::is_contained(fetches, y.tensor))
        fetches.push_back(y.tensor);
  return flagsFor(signature, fetches);
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
