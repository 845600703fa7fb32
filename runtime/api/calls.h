// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests and responses of --calls: one JSON object a line.
#pragma once

#include "runtime/api/diagnostics.h"
#include "runtime/api/runner.h"
#include "runtime/io/tensor_json.h"

#include <string>
#include <string_view>

namespace sluice::rt {

class CallSession {
public:
  // `timer` bounds each call, if given.
  CallSession(Runner &runner, const Limits &limits, CallTimer *timer)
      : runner_(runner), limits_(limits), timer_(timer) {}

  // The response to one request, a line without its newline. A request that is no request gets an
  // error as a failed call does.
  std::string answer(std::string_view line);

  uint64_t calls() const { return calls_; }
  uint64_t failures() const { return failures_; }
  double seconds() const { return seconds_; }

private:
  struct Request {
    size_t signature = 0;
    std::vector<Tensor> feeds;
    bool setsState = false;
    std::vector<std::pair<Variable *, Tensor>> state;
    std::vector<std::string> ignoredState;
    bool wantsState = false;
    TensorText text = TensorText::kBase64; // of the response
  };

  Status read(std::string_view line, Request &request);
  Status readInputs(const JsonPart *inputs, Request &request);
  Status readState(const JsonPart *state, Request &request);
  Status applyState(Request &request);
  Status call(const Request &request, std::string &out);
  Status appendState(TensorText text, std::string &out);

  Runner &runner_;
  const Limits &limits_;
  CallTimer *timer_;
  uint64_t calls_ = 0;
  uint64_t failures_ = 0;
  double seconds_ = 0;
};

// Seconds of a clock that only goes forward.
double monotonicSeconds();

} // namespace sluice::rt
