// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lock for who helps whom, which is taken once for each call and helper, and for which nobody
// sleeps if it can be avoided. Pieces are taken from a counter.
#include "runtime/base/parallel.h"

#include "runtime/base/affinity.h"
#include "runtime/base/cancellation.h"
#include "runtime/base/denormal_mode.h"
#include "runtime/base/processor_count.h"
#include "runtime/base/spinning.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

namespace sluice::rt {

namespace {

// A call, on its caller's stack.
struct Job {
  PieceFn run;
  const void *context;
  int64_t pieces, costOfPiece;
  const Cancellation *cancellation = Cancellation::here();
  std::atomic<int64_t> nextPiece{0};
  std::atomic<int> helpers{0};        // grows only under the lock, while the job is in the list
  int processor = presentProcessor(); // of the caller
  Job *next = nullptr;

  int64_t piecesLeft() const { return pieces - nextPiece.load(std::memory_order_relaxed); }
  // How many were done here.
  int64_t work() {
    int64_t done = 0;
    for (int64_t piece; (piece = nextPiece.fetch_add(1, std::memory_order_relaxed)) < pieces;
         ++done)
      run(context, piece);
    return done;
  }
};

// One who helps. All is changed under the lock.
struct Helper {
  std::unique_ptr<ThreadHandle> thread;
  std::condition_variable called;
  Affinity *affinity = nullptr; // once it runs
  int processor = -1;           // where it is, or was last
  Helper *nextAsleep = nullptr;
  bool isAsleep = false;
};

using Lock = std::unique_lock<std::mutex>;

thread_local bool isInPiece = false, isComputing = false;

// How much work has to go without help before somebody is woken for the next. That doubles with
// each who was woken in vain, and falls again with those who had enough to do.
class WakingRule {
public:
  bool isDue(int64_t cost) const {
    return cost >= kCostWorthWaking || missed_.load(std::memory_order_relaxed) + cost >= due();
  }
  void wentWithout(int64_t cost) { missed_.fetch_add(cost, std::memory_order_relaxed); }
  void hasWoken() { missed_.store(0, std::memory_order_relaxed); }
  // Somebody goes to sleep again who did so much.
  void hasDone(int64_t cost) {
    const int64_t next = cost >= kCostWorthWaking / 2 ? due() / 2 : due() * 2;
    due_.store(std::clamp(next, kCostWorthWaking, kMost), std::memory_order_relaxed);
  }

private:
  static constexpr int64_t kMost = kCostWorthWaking * 64;
  int64_t due() const { return due_.load(std::memory_order_relaxed); }

  std::atomic<int64_t> missed_{0}, due_{kCostWorthWaking};
};

} // namespace

class Helpers {
public:
  explicit Helpers(ProcessorCount *shared = nullptr) : count_(shared ? *shared : own_) {}

  void allow(ParallelThreads &allowed) {
    Lock lock = lockSoon(mutex_);
    allowed.next = allowed_;
    allowed_ = &allowed;
    updateMost();
  }

  void disallow(ParallelThreads &allowed) {
    Lock lock = lockSoon(mutex_);
    ParallelThreads **link = &allowed_;
    while (*link != &allowed)
      link = &(*link)->next;
    *link = allowed.next;
    updateMost();
    if (allowed_)
      return;
    // A generation of helpers ends; the next one may begin before.
    ++generation_;
    news_.fetch_add(1, std::memory_order_relaxed);
    std::vector<std::unique_ptr<Helper>> ending = std::move(started_);
    started_.clear();
    while (asleep_)
      nextAsleep()->called.notify_one();
    lock.unlock();
    for (std::unique_ptr<Helper> &helper : ending)
      helper->thread.reset(); // joins; until all have ended, one may call another
  }

  int most() const { return most_.load(std::memory_order_relaxed); }
  void beginComputing() { count_.computing.fetch_add(1, std::memory_order_relaxed); }
  void beginComputingInTurn() { awaitProcessor(count_); }
  void endComputing() { leaveProcessor(count_); }

  bool findsHelp(int64_t cost) {
    if (spinning_.load(std::memory_order_relaxed) > 0 || rule_.isDue(cost))
      return true;
    rule_.wentWithout(cost);
    return false;
  }

  void run(Job &job) {
    add(job);
    isInPiece = true;
    job.work();
    isInPiece = false;
    remove(job);
  }

private:
  void updateMost() {
    int most = 0;
    for (ParallelThreads *allowed = allowed_; allowed; allowed = allowed->next)
      most = std::max(most, allowed->most);
    most_.store(most, std::memory_order_relaxed);
  }

  int room() const { return most() - count_.computing.load(std::memory_order_relaxed); }

  void add(Job &job) {
    Lock lock = lockSoon(mutex_);
    job.next = jobs_;
    jobs_ = &job;
    news_.fetch_add(1, std::memory_order_relaxed);
    if (spinning_.load(std::memory_order_relaxed) == 0 && room() > 0)
      wake(lock);
    else
      callOneMore(lock, job);
  }

  // If there is more to do than those who are awake will. Each who comes calls the next.
  void callOneMore(Lock &lock, const Job &job) {
    const int awake = spinning_.load(std::memory_order_relaxed);
    const int64_t left = job.piecesLeft() - 1 - awake;
    if (left > 0 && room() > awake && left * job.costOfPiece >= kCostWorthWaking)
      wake(lock);
  }

  void wake(Lock &lock) {
    rule_.hasWoken();
    if (!asleep_) {
      start();
      return;
    }
    Helper &helper = *nextAsleep();
    apartFromOthers(helper);
    helper.affinity->avoidUsed();
    lock.unlock();
    helper.called.notify_one(); // which takes long
  }

  // The last that went to sleep, whose memory is the warmest.
  Helper *nextAsleep() {
    Helper *helper = std::exchange(asleep_, asleep_->nextAsleep);
    helper->isAsleep = false;
    return helper;
  }

  // Who is awake keeps its processor.
  void apartFromOthers(Helper &helper) {
    helper.affinity->startOver();
    helper.affinity->isUsed(presentProcessor());
    for (const Job *job = jobs_; job; job = job->next)
      helper.affinity->isUsed(job->processor);
    for (const std::unique_ptr<Helper> &other : started_)
      if (other.get() != &helper && !other->isAsleep)
        helper.affinity->isUsed(other->processor);
  }

  // Of the present generation, one less than may compute; no more than the system gives.
  void start() {
    if (!allowed_ || static_cast<int>(started_.size()) + 1 >= most())
      return;
    auto helper = std::make_unique<Helper>();
    helper->thread = allowed_->threads.start(
        "sluice-helper",
        [this, self = helper.get(), generation = generation_] { help(*self, generation); });
    if (helper->thread)
      started_.push_back(std::move(helper));
  }

  void unlink(Job &job) {
    for (Job **link = &jobs_; *link; link = &(*link)->next)
      if (*link == &job) {
        *link = job.next;
        return;
      }
  }

  // Waits for those who help: pieces that have begun are about to end.
  void remove(Job &job) {
    Lock lock = lockSoon(mutex_);
    unlink(job);
    lock.unlock();
    const auto isDone = [&] { return job.helpers.load(std::memory_order_acquire) == 0; };
    if (spinUntil(kTurnsOfWaking, isDone))
      return;
    lockSoon(lock);
    ended_.wait(lock, isDone);
  }

  Job *openJob() {
    while (jobs_ && jobs_->piecesLeft() <= 0)
      jobs_ = jobs_->next; // its caller knows
    return room() > 0 ? jobs_ : nullptr;
  }

  // Awake at first: a model is many calls, one after the other.
  void awaitNews(Lock &lock, Helper &self, int64_t &done) {
    const unsigned known = news_.load(std::memory_order_relaxed);
    spinning_.fetch_add(1, std::memory_order_relaxed);
    lock.unlock();
    spinUntil(kTurnsOfWaking, [&] { return news_.load(std::memory_order_relaxed) != known; });
    lockSoon(lock);
    spinning_.fetch_sub(1, std::memory_order_relaxed);
    if (news_.load(std::memory_order_relaxed) != known)
      return;
    rule_.hasDone(std::exchange(done, 0));
    self.nextAsleep = std::exchange(asleep_, &self);
    self.isAsleep = true;
    self.called.wait(lock, [&] { return !self.isAsleep; });
  }

  void help(Helper &self, unsigned generation) {
    FlushDenormals flush;
    isInPiece = isComputing = true;
    int64_t done = 0;
    Affinity affinity;
    Lock lock = lockSoon(mutex_);
    self.affinity = &affinity;
    apartFromOthers(self);
    lock.unlock();
    affinity.avoidUsed(); // moves it
    affinity.restore();
    lockSoon(lock);
    while (generation == generation_) {
      Job *job = openJob();
      if (!job) {
        awaitNews(lock, self, done);
        continue;
      }
      self.processor = presentProcessor();
      job->helpers.fetch_add(1, std::memory_order_relaxed);
      beginComputing();
      callOneMore(lock, *job);
      if (lock.owns_lock())
        lock.unlock();
      affinity.restore();
      {
        CancellationScope scope(job->cancellation);
        done += job->work() * job->costOfPiece;
      }
      lockSoon(lock);
      endComputing();
      job->helpers.fetch_sub(1, std::memory_order_release);
      ended_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable ended_;
  ProcessorCount own_;
  ProcessorCount &count_;
  WakingRule rule_;
  std::atomic<int> most_{0};
  std::atomic<unsigned> news_{0}; // changes under the lock when helpers have to look
  std::atomic<int> spinning_{0};  // changes under the lock: awake, and looking for work
  Helper *asleep_ = nullptr;
  ParallelThreads *allowed_ = nullptr;
  Job *jobs_ = nullptr;
  std::vector<std::unique_ptr<Helper>> started_;
  unsigned generation_ = 0;
};

static constinit thread_local Helpers *mine = nullptr;

// That of the process lives as long, like its threads.
static Helpers &helpers() {
  if (mine)
    return *mine;
  static Helpers *all = new Helpers();
  return *all;
}

HelperGroup::HelperGroup(ProcessorCount &count) : helpers_(new Helpers(&count)) {}
HelperGroup::~HelperGroup() { delete helpers_; }
HelperGroup::Scope::Scope(HelperGroup &group) : outer_(mine) { mine = group.helpers_; }
HelperGroup::Scope::~Scope() { mine = outer_; }

ParallelThreads::ParallelThreads(Threads &threads, int most)
    : threads(threads), most(most), group_(helpers()) {
  group_.allow(*this);
}
ParallelThreads::~ParallelThreads() { group_.disallow(*this); }

ComputingThread::ComputingThread(Turn turn) : isCounted_(!isComputing) {
  if (!isCounted_)
    return;
  isComputing = true;
  if (turn == Turn::kNow)
    helpers().beginComputing();
  else
    helpers().beginComputingInTurn();
}
ComputingThread::~ComputingThread() {
  if (!isCounted_)
    return;
  isComputing = false;
  helpers().endComputing();
}

bool hasParallelThreads() { return !isInPiece && helpers().most() > 1; }

bool findsHelp(int64_t cost) { return hasParallelThreads() && helpers().findsHelp(cost); }

void runPieces(int64_t pieces, int64_t costOfPiece, PieceFn run, const void *context) {
  if (pieces < 2 || !findsHelp(pieces * costOfPiece)) {
    for (int64_t piece = 0; piece < pieces; ++piece)
      run(context, piece);
    return;
  }
  ComputingThread computing;
  Job job{.run = run, .context = context, .pieces = pieces, .costOfPiece = costOfPiece};
  helpers().run(job);
}

} // namespace sluice::rt
