// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One test from its files to a verdict. All programs are compiled before the first call is made:
// a test with an unsupported op is skipped as a whole.
#include "tools/sluice-conformance/replay.h"

#include "tools/sluice-conformance/check.h"
#include "tools/sluice-conformance/commands.h"
#include "tools/sluice-conformance/files.h"
#include "tools/sluice-conformance/graph_skeleton.h"
#include "tools/sluice-conformance/messages.h"
#include "tools/sluice-conformance/plan.h"
#include "tools/sluice-conformance/subprocess.h"
#include "tools/sluice-conformance/supported_ops.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <set>

namespace sluice::conformance {

using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

constexpr int kExitMalformed = 1, kExitUsage = 2, kExitUnsupported = 4;

Outcome failure(std::string reason) {
  Outcome outcome;
  outcome.verdict = Verdict::kFailed;
  outcome.reason = std::move(reason);
  return outcome;
}

class Replay {
public:
  Replay(const RecordedTest &test, const Settings &settings, const std::string &folder)
      : test_(test), settings_(settings), folder_(folder), commands_(settings, folder) {}

  Outcome run() {
    if (std::optional<Outcome> problem = readGraphs())
      return *problem;
    std::optional<Outcome> problem = asks() ? attempt(Sharing::kProgramPerSignature) : attemptAll();
    return problem ? *problem : passed();
  }

private:
  bool asks() const { return settings_.asking != Asking::kNothing; }

  // Shares programs as far as the compiler allows.
  std::optional<Outcome> attemptAll() {
    bool grown = lastGraphHoldsAll();
    std::optional<Outcome> problem =
        attempt(grown ? Sharing::kOneProgram : Sharing::kProgramPerGraph);
    // A rewritten function can make an old run invalid although the nodes look the same.
    if (problem && wasRefused_ && grown && graphs_.size() > 1)
      problem = attempt(Sharing::kProgramPerGraph);
    // What must fail when it runs may be refused instead, but nothing else with it.
    if (problem && wasRefused_ && llvm::any_of(test_.runs, mayBeRefused))
      problem = attempt(Sharing::kProgramPerRun);
    return problem;
  }

  Outcome passed() {
    Outcome passed;
    passed.digest = llvm::toHex(hash_.final(), /*LowerCase=*/true).substr(0, 32);
    passed.traceDigest = traceDigest_;
    for (size_t i = 0; settings_.placement && i < plan_.programs.size(); ++i) {
      if (refused_.count(i))
        continue;
      Expected<EdgeCounts> counts = readPartitionSummary(commands_.summaryFile(i));
      if (!counts)
        return failure("partition summary: " + llvm::toString(counts.takeError()));
      passed.cut += *counts;
    }
    return passed;
  }

  std::optional<Outcome> readGraphs() {
    for (const RecordedRun &run : test_.runs) {
      if (graphs_.count(run.graph))
        continue;
      std::string file = pathIn(test_.folder, run.graph);
      auto buffer =
          llvm::MemoryBuffer::getFile(test_.isModel ? pathIn(file, "saved_model.pb") : file);
      if (!buffer)
        return failure("cannot read " + run.graph + ": " + buffer.getError().message());
      graphs_[run.graph] = test_.isModel ? GraphSkeleton::parseModel((*buffer)->getBuffer())
                                         : GraphSkeleton::parse((*buffer)->getBuffer());
    }
    return std::nullopt;
  }

  bool lastGraphHoldsAll() const {
    const GraphSkeleton &last = graphs_.at(lastGraph(test_));
    return llvm::all_of(graphs_, [&](const auto &entry) { return last.extends(entry.second); });
  }

  std::optional<Outcome> attempt(Sharing sharing) {
    plan_ = planCalls(test_, sharing);
    wasRefused_ = false;
    refused_.clear();
    needs_.assign(plan_.programs.size(), {});
    choosePrograms();
    for (const Call &call : plan_.calls) {
      const Signature &s = plan_.programs[call.program].signatures[call.signature];
      if (!s.isOfModel) // whose names are not the graph's
        graphs_.at(plan_.programs[call.program].graph)
            .addNeeds(needs_[call.program], s.feeds, s.roots(), s.targets);
    }
    liveState_ = {};
    knowsState_ = false;
    hash_ = llvm::BLAKE3();
    traceDigest_.clear();
    if (std::optional<Outcome> problem = compileAll())
      return problem;
    for (size_t first = 0; first < plan_.calls.size();)
      if (std::optional<Outcome> problem = runBatch(first))
        return problem;
    return std::nullopt;
  }

  void choosePrograms() {
    for (size_t i = 0; i < plan_.programs.size(); ++i)
      if (test_.isModel)
        commands_.choose(i, modelFlags(plan_.programs[i]));
      else if (asks())
        commands_.choose(i, signatureFlags(plan_.programs[i].signatures.front()));
  }

  Command modelFlags(const Program &program) const {
    Command flags;
    for (const std::string &tag : test_.tags)
      flags.insert(flags.end(), {"--tag", tag});
    for (const Signature &signature : program.signatures)
      flags.insert(flags.end(), {"--signature", signature.name});
    return flags;
  }

  std::string graphOf(size_t program) const {
    return pathIn(test_.folder, plan_.programs[program].graph);
  }

  // The flags that take the place of a file are written for whoever repeats the command.
  bool writeSignatures(size_t program) const {
    const Program &planned = plan_.programs[program];
    if (!asks())
      return writeFile(commands_.signaturesFile(program),
                       [&](auto &stream) { stream << signaturesJson(planned); });
    return writeFile(commands_.fileOf(program, ".flags"), [&](auto &stream) {
      stream << llvm::join(signatureFlags(planned.signatures.front()), "\n") << '\n';
    });
  }

  // Where one process compiles and runs, nothing is to be done ahead.
  std::optional<Outcome> compileAll() {
    for (size_t i = 0; i < plan_.programs.size(); ++i) {
      if (!writeSignatures(i))
        return failure("cannot write to " + folder_);
      if (commands_.compilerAnswersCalls())
        continue;
      Finished finished = runProgram(commands_.compile(i, graphOf(i)), settings_.deadline);
      if (std::optional<Outcome> problem = judgeCompilation(i, finished))
        return problem;
    }
    return std::nullopt;
  }

  static bool mayBeRefused(const RecordedRun &run) { return run.errorCode == "INVALID_ARGUMENT"; }

  // A crash is never a refusal.
  static bool isRefusal(const Finished &finished) {
    return !finished.signal && !finished.timedOut && finished.startError.empty() &&
           (finished.exitCode == kExitMalformed || finished.exitCode == kExitUsage);
  }

  std::optional<Outcome> judgeCompilation(size_t program, const Finished &finished) {
    if (finished.exitCode == kExitUnsupported)
      return judgeUnsupported(program, finished);
    if (!finished.exitCode && !finished.signal && !finished.timedOut && finished.startError.empty())
      return std::nullopt;
    wasRefused_ = isRefusal(finished);
    bool mustFail = llvm::all_of(plan_.calls, [&](const Call &call) {
      return call.program != program || mayBeRefused(test_.runs[call.run]);
    });
    if (wasRefused_ && finished.exitCode == kExitMalformed && mustFail) {
      refused_.insert(program);
      return std::nullopt;
    }
    return failure("compiler: " + finished.describe(settings_.deadline) + ": " +
                   firstError(finished.err));
  }

  // The compiler is not believed: the graph must have an op that no graph may use. Where all ops
  // are supported, though not for all elements, a node that the test needs must be named.
  std::optional<Outcome> judgeUnsupported(size_t program, const Finished &finished) {
    std::set<std::string> ops = opsOfModel(finished.err);
    bool isNamed = false;
    for (const GraphSkeleton::Needs &needs : needs_) {
      for (const std::string &op : needs.ops)
        if (!isSupportedOp(op))
          ops.insert(op);
      isNamed |= llvm::any_of(needs.nodes, [&](const std::string &node) {
        return StringRef(finished.err).contains("node '" + node + "'");
      });
    }
    if (ops.empty() && !isNamed && !hasOwnGradients(program))
      return failure("compiler: exit code 4, but every op that is needed is supported: " +
                     firstError(finished.err));
    if (ops.empty() && asks() && !hasOwnGradients(program) && compilesForward(program))
      return failure("compiler: exit code 4, but without gradients it compiles: " +
                     firstError(finished.err));
    return skipped(ops.empty() ? firstError(finished.err) : llvm::join(ops, ", "));
  }

  static Outcome skipped(const std::string &reason) {
    Outcome outcome;
    outcome.verdict = Verdict::kSkipped;
    outcome.reason = reason;
    return outcome;
  }

  // Whether a node has a gradient that a Python function computes: no file holds that.
  bool hasOwnGradients(size_t program) {
    auto graph = llvm::MemoryBuffer::getFile(graphOf(program));
    return graph && (*graph)->getBuffer().contains("_gradient_op_type") &&
           (*graph)->getBuffer().contains("CustomGradient-");
  }

  // Whether the program itself is supported, and only its gradients may not be.
  bool compilesForward(size_t program) {
    commands_.choose(program, forwardFlags(plan_.programs[program].signatures.front()));
    return runProgram(commands_.compile(program, graphOf(program)), settings_.deadline).exitCode !=
           kExitUnsupported;
  }

  // Ops of the model that no graph may use, and that the compiler complains of: what each signature
  // needs is in functions.
  std::set<std::string> opsOfModel(StringRef messages) const {
    std::set<std::string> ops;
    if (!test_.isModel)
      return ops;
    for (const auto &[file, graph] : graphs_)
      for (const std::string &op : graph.ops())
        if (!isSupportedOp(op) && messages.contains("op " + op + " "))
          ops.insert(op);
    return ops;
  }

  // Makes all calls from `first` on that one process can serve, and moves `first` behind them.
  std::optional<Outcome> runBatch(size_t &first) {
    size_t program = plan_.calls[first].program;
    size_t end = first;
    while (end < plan_.calls.size() && plan_.calls[end].program == program)
      ++end;
    if (refused_.count(program)) {
      first = end;
      return std::nullopt;
    }
    llvm::ArrayRef<Call> calls = llvm::ArrayRef(plan_.calls).slice(first, end - first);
    std::string file = commands_.fileOf(program, ".calls" + std::to_string(first) + ".jsonl");
    bool written = writeFile(file, [&](auto &stream) {
      for (const Call &call : calls)
        stream << callJson(plan_, test_, call, &liveState_) << '\n';
    });
    if (!written)
      return failure("cannot write to " + folder_);
    first = end;
    Finished finished =
        runProgram(commands_.call(program, graphOf(program), file), settings_.deadline);
    traceDigest_ += traceDigests(finished.err);
    if (commands_.compilerAnswersCalls() && finished.out.empty() && finished.exitCode)
      return judgeCompilation(program, finished);
    // Derivatives that the interpreter finds are asked for where nothing has refused them yet.
    if (StringRef(finished.out).contains("but got one with a gradient of its own"))
      return skipped("a gradient that is a function");
    if (std::optional<std::string> reason = judgeCalls(calls, finished))
      return failure(*reason);
    return std::nullopt;
  }

  // Text of a failure in the given run, which users count from 1 as they are recorded.
  std::string inRun(size_t run, const std::string &reason) const {
    return "run " + std::to_string(test_.runs[run].madeOf.value_or(run) + 1) + ": " + reason;
  }

  std::optional<std::string> judgeCalls(llvm::ArrayRef<Call> calls, const Finished &finished) {
    if (StringRef report = sanitizerReport(finished.err); !report.empty())
      return report.str();
    StringRef rest = finished.out;
    bool anyFailed = false;
    for (const Call &call : calls) {
      StringRef line;
      do {
        std::tie(line, rest) = rest.split('\n');
      } while (!line.starts_with("{") && !rest.empty());
      if (!line.starts_with("{"))
        return inRun(call.run, "no answer: " + finished.describe(settings_.deadline) + ": " +
                                   firstError(finished.err));
      if (std::optional<std::string> reason = judgeAnswer(call, line, anyFailed))
        return inRun(call.run, *reason);
    }
    // Failed calls leave exit code 1, good ones 0; else the process did not end well.
    if (finished.exitCode != anyFailed || finished.signal || finished.timedOut)
      return "after the last run: " + finished.describe(settings_.deadline) + ": " +
             firstError(finished.err);
    return std::nullopt;
  }

  std::optional<std::string> judgeAnswer(const Call &call, StringRef line, bool &anyFailed) {
    Expected<json::Value> value = json::parse(line);
    if (!value)
      return "the answer is not JSON: " + llvm::toString(value.takeError());
    const json::Object *answer = value->getAsObject();
    anyFailed |= answer && answer->get("error");
    const RecordedRun &run = test_.runs[call.run];
    const Signature &signature = plan_.programs[call.program].signatures[call.signature];
    if (!run.nondeterministic)
      hash_.update(canonicalAnswer(*answer));
    if (const json::Object *state = answer->getObject("state")) {
      bool changed = run.keepsState && knowsState_ && *state != liveState_;
      liveState_ = *state;
      knowsState_ = true;
      if (changed)
        return "expected variables as they were before but some have changed";
    }
    return checkAnswer(*answer, run, signature, graphs_.at(run.graph),
                       needs_[call.program].variables);
  }

  const RecordedTest &test_;
  const Settings &settings_;
  const std::string &folder_;
  Commands commands_;
  std::map<std::string, GraphSkeleton> graphs_; // by file name
  Plan plan_;
  std::vector<GraphSkeleton::Needs> needs_; // of each program
  std::set<size_t> refused_;                // programs that must fail, and do not compile
  bool wasRefused_ = false;                 // the last compilation
  json::Object liveState_;                  // as of the last answer
  bool knowsState_ = false;
  llvm::BLAKE3 hash_;
  std::string traceDigest_;
};

} // namespace

static Outcome replayTest(const TestLocation &location, const Settings &settings,
                          const std::string &folder) {
  Expected<RecordedTest> test = loadAsking(location, settings.asking, folder);
  if (!test)
    return failure("cannot be read: " + llvm::toString(test.takeError()));
  Outcome outcome;
  if (!test->inexpressible.empty()) {
    outcome.verdict = Verdict::kSkipped;
    outcome.reason = test->inexpressible;
    return outcome;
  }
  if (settings.asking != Asking::kNothing && test->runs.empty()) {
    outcome.verdict = Verdict::kNotCounted;
    return outcome;
  }
  return Replay(*test, settings, folder).run();
}

Outcome replay(const TestLocation &location, const Settings &settings, const std::string &folder) {
  auto start = std::chrono::steady_clock::now();
  Outcome outcome = replayTest(location, settings, folder);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

} // namespace sluice::conformance
