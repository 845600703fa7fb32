// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sluice-run: starts all ranks of a compiled cluster on this machine.
#include "runtime/io/json.h"
#include "tools/sluice-run/launcher.h"
#include "tools/sluice-run/merge_traces.h"
#include "tools/sluice-run/rank_trace_files.h"
#include "tools/sluice-run/written_files.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace sluice;
using namespace sluice::run;

// A standard stream that the parent left closed must not become the number of a socket.
static void fillStandardStreams() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0)
      ::open("/dev/null", O_RDONLY);
}

static void warn(const Options &options, const std::string &message, OutputQueue &out) {
  if (!options.json)
    return out.add("sluice-run: warning: " + message + "\n");
  std::string json = R"({"severity":"warning","message":)";
  rt::appendJsonString(message, json);
  out.add(json + "}\n");
}

static void complain(const Options &options, int exitCode, const std::string &message,
                     OutputQueue &out) {
  std::string line = message;
  std::replace(line.begin(), line.end(), '\n', ' ');
  if (!options.json) {
    out.add("sluice-run: error: " + line + "\n");
    return;
  }
  std::string json =
      R"({"severity":"error","exit_code":)" + std::to_string(exitCode) + R"(,"message":)";
  rt::appendJsonString(line, json);
  out.add(json + "}\n");
}

static int report(const Launcher &launcher, const Verdict &verdict, const Options &options,
                  OutputQueue &out) {
  if (!verdict.cause) {
    if (verdict.exitCode != kOk)
      complain(options, verdict.exitCode, verdict.text, out);
    return verdict.exitCode;
  }
  size_t rank = verdict.cause->rank;
  std::string message =
      "rank " + std::to_string(rank) + " (" + launcher.rank(rank).device + ") " + verdict.text;
  if (const std::string &lastError = launcher.lastError(rank); !lastError.empty())
    message += ": " + lastError;
  complain(options, verdict.exitCode, message, out);
  return verdict.exitCode;
}

static int merge(const Options &options, const std::string &to,
                 const std::vector<std::string> &files, OutputQueue &out) {
  std::vector<std::string> warnings;
  rt::Status status = mergeTraces(to, files, warnings);
  for (const std::string &warning : warnings)
    warn(options, warning, out);
  if (!status.ok())
    complain(options, kInputOutput, status.message(), out);
  return status.ok() ? kOk : kInputOutput;
}

static int print(const Options &options, std::string_view text, OutputQueue &complaints) {
  OutputQueue out(STDOUT_FILENO);
  out.add(text);
  out.finish(std::chrono::hours(1));
  if (out.error() == 0)
    return kOk;
  std::string reason = std::strerror(out.error());
  complain(options, kInputOutput, "cannot write to standard output: " + reason, complaints);
  return kInputOutput;
}

static int launch(const Options &options, OutputQueue &out) {
  rt::Result<std::vector<Rank>> ranks = readManifest(options.manifest);
  if (!ranks.ok()) {
    complain(options, kInputOutput, ranks.status().message(), out);
    return kInputOutput;
  }
  if (rt::Status status = checkWrittenFiles(options, *ranks); !status.ok()) {
    complain(options, kUsage, status.message(), out);
    return kUsage;
  }
  bool traces = !options.trace.empty() && !options.askedAlone;
  RankTraceFiles parts(options.trace, traces ? ranks->size() : 0);
  Launcher launcher(std::move(*ranks), options, out);
  if (rt::Status status = launcher.start(); !status.ok()) {
    complain(options, kInputOutput, status.message(), out);
    return kInputOutput;
  }
  int exitCode = report(launcher, launcher.run(), options, out);
  // Ranks that refuse their flags leave none.
  if (!traces || (exitCode != kOk && parts.written().empty()))
    return exitCode;
  for (size_t rank : parts.missing())
    warn(options,
         "rank " + std::to_string(rank) + " (" + launcher.rank(rank).device + ") has left no trace",
         out);
  int merged = merge(options, options.trace, parts.written(), out);
  return exitCode == kOk ? merged : exitCode;
}

int main(int argc, char **argv) {
  std::signal(SIGPIPE, SIG_IGN);
  fillStandardStreams();
  Options options;
  OutputQueue out(STDERR_FILENO);
  int exitCode = kUsage;
  if (rt::Status status = parseOptions({argv + 1, argv + argc}, options); !status.ok())
    complain(options, kUsage, status.message(), out);
  else if (options.help || options.version)
    exitCode = print(
        options, options.help ? manual::helpText(runManual()) : "sluice-run " SLUICE_VERSION "\n",
        out);
  else if (!options.merged.empty())
    exitCode = merge(options, options.merged, options.toMerge, out);
  else
    exitCode = launch(options, out);
  out.finish(std::chrono::seconds(5));
  return exitCode;
}
