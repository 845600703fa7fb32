// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests and responses of --calls: one JSON object a line.
#pragma once

#include "runtime/api/checkpointing.h"
#include "runtime/api/diagnostics.h"
#include "runtime/api/runner.h"
#include "runtime/io/tensor_json.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::rt {

class CallSession {
public:
  // `timer` bounds each call, if given.
  CallSession(Runner &runner, const Limits &limits, CallTimer *timer)
      : runner_(runner), limits_(limits), timer_(timer) {}

  // Several threads ask at a time; `seconds` bounds each call. `whenWaiting` is called whenever
  // waitingForOthers() has changed. Before the first request. Of each request the runner must
  // expect a call.
  void answerAtOnce(std::optional<double> seconds, std::function<void()> whenWaiting) {
    atOnce_ = true;
    mostSeconds_ = seconds;
    whenWaiting_ = std::move(whenWaiting);
  }

  // Requests are counted there, and checkpoints that are due are written, while no call is under
  // way, before the response to the request with which they were. Before the first request.
  void checkpointWith(Checkpointing &checkpoints) { checkpoints_ = &checkpoints; }

  // The response to one request, a line without its newline. A request that is no request gets an
  // error as a failed call does. One that sets or reads the state waits until no other call is
  // under way, and those after it wait for it. Threads say which number the request has, from 0 on.
  std::string answer(RequestLine line, std::optional<uint64_t> number = std::nullopt);
  // The first checkpoint that could not be written; then nothing should be answered any more.
  Failure checkpointFailure();
  // How many do so just now.
  unsigned waitingForOthers() const { return waitingForOthers_; }

  uint64_t calls() const { return calls_; }
  uint64_t failures() const { return failures_; }
  double seconds() const { return static_cast<double>(nanoseconds_) * 1e-9; }

private:
  struct Request {
    size_t signature = 0;
    std::vector<Tensor> feeds;
    bool setsState = false;
    std::vector<std::pair<Variable *, Tensor>> state;
    std::vector<std::string> ignoredState;
    bool wantsState = false;
    TensorText text = TensorText::kBase64; // of the response
    bool isExpected = false;               // its call has been announced, and not begun
    uint64_t number = 0;
  };

  Status read(RequestLine &line, Request &request);
  Status readMembers(RequestLine &line, Request &request);
  Status readInputs(const JsonPart *inputs, RequestLine &line, Request &request);
  Status readState(const JsonPart *state, RequestLine &line, Request &request);
  Status applyState(Request &request);
  // Act when it is the request's turn, among others or alone. As countCall.
  template <typename Act> bool enter(Request &request, const Act &act);
  template <typename Act> bool enterAlone(Request &request, const Act &act);
  void checkpointAlone();
  template <typename Open>
  void awaitTurn(std::unique_lock<std::mutex> &lock, Request &request, const Open &isOpen);
  void becomeAlone(std::unique_lock<std::mutex> &lock);
  void leaveAlone();
  void expectThoseAtGate();
  bool countCall();
  void writeCheckpoint();
  std::string answer(Request &request, Status status);
  void expect(Request &request, bool isExpected);
  Result<std::vector<Tensor>> makeCall(Request &request, uint64_t &leftover);
  Status call(Request &request, std::string &out);
  Status appendState(TensorText text, std::string &out);

  Runner &runner_;
  const Limits &limits_;
  CallTimer *timer_;
  bool atOnce_ = false;
  std::optional<double> mostSeconds_;
  std::function<void()> whenWaiting_;
  Checkpointing *checkpoints_ = nullptr;
  Failure checkpointFailure_;
  // Requests that set or read the state are answered alone, all others among each other.
  std::mutex gate_;
  std::condition_variable gateChanged_;
  uint64_t turn_ = 0; // the number of the request that enters next
  unsigned among_ = 0;
  bool alone_ = false;
  bool checkpointIsDue_ = false;
  std::vector<Request *> atGate_; // that have not entered
  std::atomic<unsigned> waitingForOthers_ = 0;
  std::atomic<uint64_t> calls_ = 0, failures_ = 0, nanoseconds_ = 0;
};

// Seconds of a clock that only goes forward.
double monotonicSeconds();

} // namespace sluice::rt
