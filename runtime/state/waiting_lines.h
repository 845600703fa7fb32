// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects that firings wait for: who wants something that is not there yet stands in a line.
//
// A *wish* is what a firing wants, as an object with a function that is tried again whenever
// something has changed. It is fulfilled at once where nobody stands in line before it, which
// allocates nothing; else it is parked (runtime/state/parking.h). All that an object knows is
// guarded by its mutex, which nobody holds while a firing is resumed.
#pragma once

#include "runtime/state/parking.h"

#include <array>
#include <deque>
#include <mutex>
#include <vector>

namespace sluice::rt {

class WaitingLines : public Waitable {
public:
  bool withdraw(const ParkedCall &call) override;

protected:
  // What trying a wish has led to. Moved: something has changed, but it is not over.
  enum class Outcome : uint8_t { kWaits, kMoved, kEnded };

  class Wish {
  public:
    virtual ~Wish() = default;
    // With the object's mutex. Results of a wish that has ended are in `outputs`, or it has failed.
    virtual Outcome attempt(std::span<Tensor> outputs, Status &status) = 0;
    // With the mutex: it will not be tried again, and gives back what it has taken so far.
    virtual void giveBack() {}
  };

  // Who comes first is served first, or whoever can be.
  enum class Turns : uint8_t { kInOrder, kAnybody };

  WaitingLines(Kind kind, Turns turns) : Waitable(kind), turns_(turns) {}

  // There are two lines, 0 and 1. Tries the wish, which then stands in a line, of these words, if
  // it has to wait. W is a Wish that can be moved.
  template <typename W> Status ask(size_t line, W wish, Client client, const char *what) {
    std::unique_lock<std::mutex> lock(mutex_);
    Status status;
    bool mayTry = turns_ == Turns::kAnybody || lines_[line].empty();
    Outcome outcome = mayTry ? wish.attempt(client.outputs, status) : Outcome::kWaits;
    if (outcome != Outcome::kEnded) {
      if (!client.parking)
        return internalError(std::string(what) + " would wait where nothing can");
      lines_[line].push_back(
          {client.parking->park(*this, what), std::make_unique<W>(std::move(wish))});
    }
    serveOthers(lock);
    return status;
  }
  // After a change that was made with the lock, which it gives up.
  void serveOthers(std::unique_lock<std::mutex> &lock);

  // All that stand in the line fail. With the mutex; they are told by the next `serveOthers`.
  void refuseAll(size_t line, const Status &status);

  mutable std::mutex mutex_;

private:
  struct Waiting {
    std::unique_ptr<ParkedCall> call;
    std::unique_ptr<Wish> wish;
  };
  using Line = std::deque<Waiting>;
  using Ended = std::vector<std::pair<std::unique_ptr<ParkedCall>, Status>>;

  bool serve(Line &line);

  const Turns turns_;
  std::array<Line, 2> lines_;
  Ended ended_; // not told yet
};

} // namespace sluice::rt
