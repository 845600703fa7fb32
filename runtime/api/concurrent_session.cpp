// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ConcurrentSession.
#include "runtime/api/concurrent_session.h"

namespace sluice::rt {

ConcurrentSession::ConcurrentSession(CallSession &session, Runner &runner, unsigned calls,
                                     std::optional<double> seconds, Threads &threads, Print print)
    : session_(session), runner_(runner), print_(std::move(print)) {
  session_.answerAtOnce(seconds, [this] {
    std::lock_guard<std::mutex> lock(mutex_);
    tellWhatToExpect();
  });
  for (unsigned i = 0; i < calls; ++i)
    if (auto thread = threads.start("sluice-call", [this] { answerQuestions(); }))
      threads_.push_back(std::move(thread));
  std::lock_guard lock(mutex_);
  tellWhatToExpect();
}

ConcurrentSession::~ConcurrentSession() {
  (void)finish();
  threads_.clear(); // joins
}

// A call whose firings all wait may be helped by one that begins; but not if it would have to wait
// for a thread, or for this very call, as those do that set or read the state.
void ConcurrentSession::tellWhatToExpect() {
  runner_.expectMoreCalls(!ended_ && busy_ < threads_.size() && session_.waitingForOthers() == 0);
}

Status ConcurrentSession::ask(RequestLine line) {
  std::unique_lock lock(mutex_);
  if (threads_.empty()) { // the system has none for us
    runner_.expectCalls(1);
    lock.unlock();
    std::string response = answer(std::move(line), numAsked_);
    lock.lock();
    keep(numAsked_++, std::move(response));
    return printed_;
  }
  answered_.wait(lock, [this] { return busy_ < threads_.size(); });
  if (!printed_.ok())
    return printed_;
  ++busy_;
  runner_.expectCalls(1); // not before: there was no thread for it
  questions_.push_back({numAsked_++, std::string(line.text), std::move(line.decoded)});
  tellWhatToExpect();
  asked_.notify_one();
  return okStatus();
}

Status ConcurrentSession::finish() {
  std::unique_lock lock(mutex_);
  ended_ = true;
  tellWhatToExpect();
  asked_.notify_all();
  answered_.wait(lock, [this] { return busy_ == 0; });
  return printed_;
}

void ConcurrentSession::answerQuestions() {
  std::unique_lock lock(mutex_);
  while (true) {
    asked_.wait(lock, [this] { return ended_ || !questions_.empty(); });
    if (questions_.empty())
      return;
    Question question = std::move(questions_.front());
    questions_.pop_front();
    lock.unlock();
    std::string response = answer({question.text, std::move(question.decoded)}, question.number);
    lock.lock();
    keep(question.number, std::move(response));
    --busy_;
    tellWhatToExpect();
    answered_.notify_all();
  }
}

// Nothing is printed any more once a checkpoint could not be written.
std::string ConcurrentSession::answer(RequestLine line, uint64_t number) {
  std::string response = session_.answer(std::move(line), number);
  if (Failure failure = session_.checkpointFailure()) {
    std::lock_guard<std::mutex> lock(mutex_);
    printed_ = failure.status;
  }
  return response;
}

void ConcurrentSession::keep(uint64_t number, std::string response) {
  responses_.emplace(number, std::move(response += '\n'));
  for (auto first = responses_.begin(); first != responses_.end() && first->first == numPrinted_;
       first = responses_.erase(first)) {
    ++numPrinted_;
    if (printed_.ok())
      printed_ = print_(first->second);
  }
}

} // namespace sluice::rt
