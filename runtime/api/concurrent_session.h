// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests of --calls that several threads answer at a time. Responses come in the order of
// requests.
#pragma once

#include "runtime/api/calls.h"
#include "runtime/api/console.h"
#include "runtime/base/threads.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace sluice::rt {

class ConcurrentSession {
public:
  using Print = std::function<Status(const std::string &response)>;
  // The runner must allow so many calls; `seconds` bounds each.
  ConcurrentSession(CallSession &session, Runner &runner, unsigned calls,
                    std::optional<double> seconds, Threads &threads, Print print);
  ~ConcurrentSession();

  // Gives a request to a thread once one is free, unless a response could not be printed.
  Status ask(RequestLine line);
  // When all are answered. A failure to print a response.
  Status finish();

private:
  struct Question {
    uint64_t number;
    std::string text;
    std::vector<DecodedText> decoded;
  };

  void answerQuestions();
  std::string answer(RequestLine line, uint64_t number);
  void keep(uint64_t number, std::string response);
  void tellWhatToExpect();

  CallSession &session_;
  Runner &runner_;
  const Print print_;

  std::mutex mutex_;
  std::condition_variable asked_, answered_;
  std::deque<Question> questions_;            // that no thread has begun with
  std::map<uint64_t, std::string> responses_; // that wait for those before them
  uint64_t numAsked_ = 0, numPrinted_ = 0;
  unsigned busy_ = 0; // threads with a request
  bool ended_ = false;
  Status printed_;
  std::vector<std::unique_ptr<ThreadHandle>> threads_;
};

} // namespace sluice::rt
