// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The spine of the command line: from arguments to exit code.
#include "runtime/api/command_line.h"

#include "runtime/api/attentive_input.h"
#include "runtime/api/calls.h"
#include "runtime/api/checkpointing.h"
#include "runtime/api/comparison.h"
#include "runtime/api/concurrent_session.h"
#include "runtime/api/describe.h"
#include "runtime/api/line_reader.h"
#include "runtime/api/outputs.h"
#include "runtime/api/values.h"
#include "runtime/api/variable_files.h"
#include "runtime/base/cgroup.h"
#include "runtime/memory/kept_forms.h"

#include <csignal>
#include <new>
#include <unistd.h>

namespace sluice::rt {

namespace {

// Events of a rank: a file of some 40 MB, which viewers open at once.
constexpr uint64_t kDefaultTraceLimit = 200'000;

class CommandLine {
public:
  explicit CommandLine(const CommandLineHost &host)
      : host_(host), diagnostics_(host.console),
        checkpoints_(options_.checkpoint, host_.runner, diagnostics_) {}

  ExitCode run(std::span<const char *const> arguments) {
    diagnostics_.useJson(wantsJsonDiagnostics(arguments));
    Failure failure = parseOptions(arguments, options_, roleOf(host_.runner));
    if (!failure)
      failure = act();
    // Whatever failed because of it, the end of the cluster is the cause.
    if (ClusterEnd end = host_.runner.clusterEnd(); failure && end)
      failure = clusterFailure(end);
    if (failure)
      diagnostics_.error(failure);
    // A flag that is refused may be the one that tells where to write.
    bool writes = tracing_ && failure.exit != ExitCode::kUsage;
    return writes ? writeTrace(failure.exit) : failure.exit;
  }

private:
  Failure act() {
    if (options_.help)
      return print(helpText(host_.runner, host_.program));
    if (options_.version)
      return print(versionLine(host_.runner));
    if (options_.describe)
      return print(describeJson(host_.runner));
    if (Failure failure = checkTrace())
      return failure;
    configure();
    if (Status status = host_.runner.openDevices(); !status.ok())
      return deviceFailure(status);
    if (Failure failure = clusterFailure(host_.runner.join(options_.cluster)))
      return failure;
    if (host_.runner.serves())
      return serve();
    return options_.calls ? answerCalls() : callOnce();
  }

  Failure print(const std::string &text) { return ioFailure(host_.console.write(text)); }

  void configure() {
    if (uint64_t limit = options_.memoryLimit.value_or(host_.memoryLimit))
      setMemoryLimit(limit);
    KeptForms::limit(options_.run.limits[Limit::kPackedBytes]);
    guardBuffers(options_.guardPages);
    if (options_.timeout)
      makeTimer();
    options_.cluster.mostStrangers = options_.run.limits[Limit::kStrangers];
    options_.cluster.checkpointFolder = options_.checkpoint.folder.value_or("");
    options_.run.print = [console = &host_.console](std::string_view text) {
      console->writeError(std::string(text) + '\n');
    };
    if (options_.trace)
      host_.recording->record(traceLimit());
    host_.runner.setOptions(options_.run);
    tracing_ = options_.trace.has_value();
  }

  void makeTimer() {
    Failure failure = modelFailure(
        {Code::kDeadlineExceeded,
         format(
             "the call has taken longer than the %g s of --timeout, and has not ended when asked: "
             "a single kernel takes long",
             *options_.timeout)});
    timer_.emplace(*options_.timeout, diagnostics_.text(failure), static_cast<int>(failure.exit));
    options_.run.timer = &*timer_;
  }

  Failure serve() {
    Failure failure = clusterFailure(host_.runner.serve());
    Runner::Served served = host_.runner.served();
    calls_ = served.calls;
    seconds_ = served.seconds;
    writeStats();
    return failure;
  }

  // All that can be refused is refused before the first call, and nothing is written before the
  // last one has succeeded.
  Failure callOnce() {
    size_t index = 0;
    if (Failure failure = selectSignature(host_.runner.signatures(), options_, index))
      return failure;
    const SignatureInfo &signature = host_.runner.signatures()[index];
    std::vector<Tensor> feeds, expected, fetches;
    if (Failure failure = checkOutputs(signature, options_, host_.disk))
      return failure;
    if (Failure failure = readFeeds(signature, options_, host_.disk, feeds))
      return failure;
    if (Failure failure = readExpected(signature, options_, host_.disk, expected))
      return failure;
    if (Failure failure = start())
      return failure;
    if (checkpoints_.isOver(steps()))
      return saveState();
    if (Failure failure = callSteps(index, feeds, fetches))
      return failure;
    if (Failure failure = deliverOutputs(signature, options_, fetches, host_.disk, host_.console))
      return failure;
    if (Failure failure = saveState())
      return failure;
    if (Failure failure = checkpoints_.finish())
      return failure;
    writeStats();
    return compareExpected(signature, fetches, expected);
  }

  uint64_t steps() const { return options_.steps.value_or(1); }

  Failure callSteps(size_t signature, const std::vector<Tensor> &feeds,
                    std::vector<Tensor> &fetches) {
    uint64_t leftover = 0;
    while (checkpoints_.step() < steps()) {
      double start = monotonicSeconds();
      TimedCall timed(options_.run.timer);
      Result<std::vector<Tensor>> result = host_.runner.call(signature, feeds);
      seconds_ += monotonicSeconds() - start;
      ++calls_;
      if (!result.ok())
        return modelFailure(result.status());
      fetches = std::move(*result);
      if (leftover == 0)
        leftover = host_.runner.leftoverTokens();
      if (checkpoints_.countCall(checkpoints_.step() + 1 == steps()))
        if (Failure failure = checkpoints_.save())
          return failure;
    }
    if (leftover != 0)
      diagnostics_.warning(std::to_string(leftover) + " tokens were left unconsumed by a call");
    return {};
  }

  Failure answerCalls() {
    if (options_.save)
      if (Failure failure = checkVariableFiles(*options_.save, host_.disk))
        return failure;
    if (Status status = host_.runner.allowCalls(callsAtOnce()); !status.ok())
      return usageFailure("--concurrent-calls: " + status.message());
    if (Failure failure = start())
      return failure;
    CallSession session(host_.runner, options_.run.limits, options_.run.timer);
    session.checkpointWith(checkpoints_);
    Failure failure;
    if (*options_.calls == "-") {
      failure = answerLines(host_.console.input(), session);
    } else {
      Result<std::unique_ptr<ByteSource>> file = host_.disk.open(*options_.calls);
      failure = file.ok() ? answerLines(**file, session) : ioFailure(file.status());
    }
    calls_ = session.calls();
    seconds_ = session.seconds();
    if (!failure)
      failure = checkpoints_.finish();
    if (failure)
      return failure;
    writeStats();
    if (session.failures() == 0)
      return saveState();
    return modelFailure(Status(
        Code::kAborted, std::to_string(session.failures()) + " of " + std::to_string(calls_) +
                            " calls failed" + (options_.save ? "; variables were not saved" : "")));
  }

  unsigned callsAtOnce() const {
    return static_cast<unsigned>(options_.concurrentCalls.value_or(1));
  }

  Failure answerLines(ByteSource &source, CallSession &session) {
    AttentiveInput input(source, host_.runner);
    LineReader lines(input, options_.run.limits[Limit::kRequestBytes]);
    RequestLine line;
    if (callsAtOnce() > 1)
      return answerAtOnce(lines, session);
    for (;;) {
      Result<bool> more = lines.next(line);
      if (!more.ok())
        return ioFailure(more.status());
      if (!*more || host_.runner.clusterEnd())
        return clusterFailure(host_.runner.clusterEnd());
      if (line.text.find_first_not_of(" \t\r") == line.text.npos)
        continue;
      std::string response = session.answer(std::move(line));
      // Who has the answer to a request finds it in the checkpoint that is due.
      if (Failure failure = session.checkpointFailure())
        return failure;
      if (Failure failure = print(response += '\n'))
        return failure;
    }
  }

  Failure answerAtOnce(LineReader &lines, CallSession &session) {
    ConcurrentSession answers(
        session, host_.runner, callsAtOnce(), options_.timeout, systemThreads(),
        [this](const std::string &response) { return host_.console.write(response); });
    RequestLine line;
    for (;;) {
      Result<bool> more = lines.next(line);
      bool goesOn = more.ok() && *more && !host_.runner.clusterEnd();
      if (goesOn && line.text.find_first_not_of(" \t\r") != line.text.npos)
        goesOn = answers.ask(std::move(line)).ok();
      if (!goesOn) {
        Status printed = answers.finish();
        if (Failure failure = session.checkpointFailure())
          return failure;
        if (Failure failure = ioFailure(more.ok() ? printed : more.status()))
          return failure;
        return clusterFailure(host_.runner.clusterEnd());
      }
    }
  }

  // What the program does by itself comes first: a state that is loaded has the last word, and one
  // that a run goes on from has the only one.
  Failure start() {
    if (Failure failure = checkpoints_.begin(); failure || checkpoints_.hasResumed())
      return failure;
    std::span<const SignatureInfo> signatures = host_.runner.signatures();
    for (size_t i = 0; i < signatures.size(); ++i) {
      if (!signatures[i].initializes)
        continue;
      TimedCall timed(options_.run.timer);
      if (Result<std::vector<Tensor>> result = host_.runner.call(i, {}); !result.ok())
        return modelFailure(result.status(), "initializer " + named(signatures[i].name));
    }
    return loadState();
  }

  // Variables that the file does not name keep their values, those on other ranks too.
  Failure loadState() {
    if (!options_.load)
      return {};
    if (Failure failure = modelFailure(host_.runner.readVariables()))
      return failure;
    if (Failure failure = loadVariables(*options_.load, options_.run.limits, host_.runner,
                                        host_.disk, diagnostics_))
      return failure;
    return modelFailure(host_.runner.writeVariables());
  }

  Failure saveState() {
    if (!options_.save)
      return {};
    if (Failure failure = modelFailure(host_.runner.readVariables()))
      return failure;
    return saveVariables(*options_.save, host_.runner, host_.disk);
  }

  void writeStats() {
    Stats stats = collectStats(host_.runner, calls_, seconds_);
    if (options_.stats)
      host_.console.writeError(statsText(stats));
    if (options_.statsJson)
      host_.console.writeError(statsJson(stats));
  }

  uint64_t traceLimit() const { return options_.traceLimit.value_or(kDefaultTraceLimit); }

  Failure checkTrace() {
    if (!options_.trace)
      return {};
    if (!host_.recording)
      return usageFailure("--trace: the interpreter records nothing");
    std::vector<std::string> saved;
    if (options_.save)
      saved = filesOfVariables(*options_.save);
    for (const std::string &file : saved)
      if (host_.disk.identity(*options_.trace) == host_.disk.identity(file))
        return usageFailure(named(*options_.trace) + " is to be written twice");
    return ioFailure(host_.disk.checkWritable(*options_.trace));
  }

  // Also of calls that have failed, and then their exit code is what counts.
  ExitCode writeTrace(ExitCode exit) {
    host_.recording->leave(); // nobody waits while we write
    if (uint64_t lost = host_.recording->lostEvents())
      diagnostics_.warning("the trace has the first " + std::to_string(traceLimit()) +
                           " events of a rank; " + std::to_string(lost) +
                           " later ones were left out, see --trace-limit");
    Failure failure = ioFailure(host_.disk.write(*options_.trace, host_.recording->trace()));
    if (failure)
      diagnostics_.error(failure);
    return exit == ExitCode::kOk ? failure.exit : exit;
  }

  Failure compareExpected(const SignatureInfo &signature, const std::vector<Tensor> &fetches,
                          const std::vector<Tensor> &expected) {
    std::string differences;
    for (size_t i = 0; i < expected.size(); ++i) {
      size_t index = *findPort(signature.fetches, options_.expected[i].name);
      Tolerance tolerance = defaultTolerance(expected[i].dtype());
      tolerance.rtol = options_.rtol.value_or(tolerance.rtol);
      tolerance.atol = options_.atol.value_or(tolerance.atol);
      std::string difference =
          describeMismatch(signature.fetches[index].name, fetches[index], expected[i], tolerance);
      if (!difference.empty() && !differences.empty())
        differences += "; ";
      differences += difference;
    }
    return differences.empty() ? Failure() : mismatchFailure(std::move(differences));
  }

  CommandLineHost host_;
  Diagnostics diagnostics_;
  Options options_;
  Checkpointing checkpoints_;
  std::optional<CallTimer> timer_;
  uint64_t calls_ = 0;
  double seconds_ = 0;
  bool tracing_ = false;
};

// operator new has nothing left: without exceptions the alternative is an abort.
[[noreturn]] void endWithoutMemory() {
  constexpr std::string_view message = "error: RESOURCE_EXHAUSTED: out of memory\n";
  (void)!::write(2, message.data(), message.size());
  ::_exit(static_cast<int>(ExitCode::kOutOfMemory));
}

} // namespace

int runCommandLine(std::span<const char *const> arguments, const CommandLineHost &host) {
  auto code = static_cast<int>(CommandLine(host).run(arguments));
  if (host.runner.stuck())
    ::_exit(code);
  return code;
}

// Who allows the process so much memory ends it with a signal if it takes more.
static uint64_t memoryLimitOfProcess() {
  std::optional<uint64_t> memory = processCgroupLimits().memory;
  return memory ? memoryLimitWithin(*memory) : 0;
}

static int runProcess(int argc, char **argv, Runner &runner, RecordingRunner *recording) {
  std::set_new_handler(endWithoutMemory);
  // A closed pipe and a file that may not grow are then failed writes, which have an exit code.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  ProcessConsole console;
  HostDisk disk;
  std::span<const char *const> arguments;
  if (argc > 1)
    arguments = {argv + 1, static_cast<size_t>(argc) - 1};
  return runCommandLine(arguments, {runner, disk, console, argc > 0 ? argv[0] : "program",
                                    recording, memoryLimitOfProcess()});
}

int runCommandLine(int argc, char **argv, Runner &runner) {
  return runProcess(argc, argv, runner, nullptr);
}

int runCommandLine(int argc, char **argv, RecordingRunner &runner) {
  return runProcess(argc, argv, runner, &runner);
}

} // namespace sluice::rt
