// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of a process that are under way. What one of them waits for, when all that it has left
// is parked, another one may bring, or one that will begin; else it waits in vain, and has to be
// told.
#pragma once

#include "runtime/workers/completion_inbox.h"

#include <functional>
#include <mutex>
#include <vector>

namespace sluice::rt {

// Where calls are at work. One that waits for others is elsewhere meanwhile, so that somebody can
// be alone with the state.
class Workplace {
public:
  virtual void leave() = 0;
  // When it may; false once it gives up, which is asked from time to time.
  virtual bool comeBack(const std::function<bool()> &givesUp) = 0;

protected:
  ~Workplace() = default;
};

class CallsUnderWay {
public:
  // A call, which was perhaps expected.
  void begin();
  void end();
  // So many more calls are about to begin, or fewer.
  void expect(int change);
  // Whether further ones may come while all that are under way wait.
  void expectMore(bool expects);
  // Whether some are about to begin, or may.
  bool mayGrow();
  // A call with this inbox waits a moment until something is there. False if there never will be:
  // no call is at work or has something in its inbox, and none is expected.
  bool awaitOthers(CompletionInbox &inbox, uint64_t nanoseconds);

private:
  bool nobodyCanHelp() const;

  std::mutex mutex_;
  size_t atWork_ = 0;
  int expected_ = 0;
  bool expectsMore_ = false;
  std::vector<const CompletionInbox *> waiting_;
};

} // namespace sluice::rt
