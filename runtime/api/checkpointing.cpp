// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checkpointing: when, and which exit codes; the rest is in runtime/checkpoint/.
#include "runtime/api/checkpointing.h"

namespace sluice::rt {

namespace {

std::string callsText(uint64_t calls) {
  return std::to_string(calls) + (calls == 1 ? " call" : " calls");
}

// A file or a folder, unless what is in it is the trouble.
Failure failureOf(const Status &status) {
  switch (status.code()) {
  case Code::kNotFound:
  case Code::kPermissionDenied:
  case Code::kUnavailable:
  case Code::kResourceExhausted:
    return ioFailure(status);
  default:
    return modelFailure(status);
  }
}

} // namespace

Failure Checkpointing::begin() {
  if (!options_.folder)
    return {};
  if (runner_.programHash().empty())
    return usageFailure("--checkpoint: only executables write checkpoints");
  Result<std::unique_ptr<CheckpointSeries>> series = CheckpointSeries::open(
      files_, *options_.folder,
      {std::string(runner_.programHash()), runner_.lasting(), runner_.remoteShards()});
  if (!series.ok()) {
    bool locked = series.status().code() == Code::kFailedPrecondition;
    return locked ? ioFailure(series.status()) : failureOf(series.status());
  }
  series_ = std::move(*series);
  if (options_.resume)
    return resume();
  if (!series_->isEmpty())
    return ioFailure(failedPrecondition(
        named(*options_.folder) + " has checkpoints of an earlier run, the newest after " +
        callsText(series_->newestStep()) + ": give --resume to go on, or another folder"));
  return {};
}

Failure Checkpointing::resume() {
  Result<std::optional<uint64_t>> step = series_->resume(
      options_.keep, [this](const std::string &text) { diagnostics_.warning(text); });
  if (!step.ok())
    return failureOf(step.status());
  if (!*step) {
    diagnostics_.note("no checkpoint in " + named(*options_.folder) + ": the run starts afresh");
    return {};
  }
  resumed_ = true;
  step_ = savedStep_ = **step;
  diagnostics_.note("resumed after " + callsText(step_));
  return {};
}

bool Checkpointing::isOver(uint64_t steps) {
  if (!resumed_ || step_ < steps)
    return false;
  diagnostics_.note("nothing is left to do: " + callsText(step_) + " of " + std::to_string(steps) +
                    " had been made");
  return true;
}

bool Checkpointing::countCall(bool isLast) {
  ++step_;
  return series_ && !isLast && options_.every && step_ % *options_.every == 0;
}

Failure Checkpointing::finish() { return series_ ? save() : Failure(); }

Failure Checkpointing::save() {
  if (step_ == savedStep_)
    return {};
  if (Status status = series_->save(step_, options_.keep); !status.ok())
    return failureOf(status);
  savedStep_ = step_;
  return {};
}

} // namespace sluice::rt
