// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lock for who helps whom, which is taken once for each call and helper. Pieces are taken from
// a counter.
#include "runtime/base/parallel.h"

#include "runtime/base/cancellation.h"
#include "runtime/base/denormal_mode.h"
#include "runtime/base/pause.h"
#include "runtime/base/processor_count.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace sluice::rt {

namespace {

// A call, on its caller's stack.
struct Job {
  PieceFn run;
  const void *context;
  int64_t pieces;
  const Cancellation *cancellation = Cancellation::here();
  std::atomic<int64_t> nextPiece{0};
  std::atomic<int> helpers{0}; // grows only under the lock, while the job is in the list
  Job *next = nullptr;

  bool hasPieces() const { return nextPiece.load(std::memory_order_relaxed) < pieces; }
  void work() {
    for (int64_t piece; (piece = nextPiece.fetch_add(1, std::memory_order_relaxed)) < pieces;)
      run(context, piece);
  }
};

thread_local bool isInPiece = false, isComputing = false;

} // namespace

class Helpers {
public:
  explicit Helpers(ProcessorCount *shared = nullptr) : count_(shared ? *shared : own_) {}

  void allow(ParallelThreads &allowed) {
    std::lock_guard lock(mutex_);
    allowed.next = allowed_;
    allowed_ = &allowed;
    updateMost();
  }

  void disallow(ParallelThreads &allowed) {
    std::unique_lock lock(mutex_);
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
    std::vector<std::unique_ptr<ThreadHandle>> ending = std::move(started_);
    started_.clear();
    lock.unlock();
    changed_.notify_all();
    ending.clear(); // joins
  }

  int most() const { return most_.load(std::memory_order_relaxed); }
  void beginComputing() { count_.computing.fetch_add(1, std::memory_order_relaxed); }
  void beginComputingInTurn() { awaitProcessor(count_); }
  void endComputing() { leaveProcessor(count_); }

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
    std::lock_guard lock(mutex_);
    const int64_t wanted = std::min<int64_t>(room(), job.pieces - 1);
    job.next = jobs_;
    jobs_ = &job;
    news_.fetch_add(1, std::memory_order_relaxed);
    for (int64_t missing = wanted - idle_; missing > 0; --missing)
      if (!start())
        break;
    for (int64_t i = 0; i < std::min<int64_t>(wanted, idle_); ++i)
      changed_.notify_one();
  }

  // Of the present generation, one less than may compute; no more than the system gives.
  bool start() {
    if (!allowed_ || static_cast<int>(started_.size()) + 1 >= most())
      return false;
    const unsigned generation = generation_;
    auto thread =
        allowed_->threads.start("sluice-helper", [this, generation] { help(generation); });
    if (!thread)
      return false;
    started_.push_back(std::move(thread));
    return true;
  }

  void unlink(Job &job) {
    for (Job **link = &jobs_; *link; link = &(*link)->next)
      if (*link == &job) {
        *link = job.next;
        return;
      }
  }

  // Waits for those who help, actively at first: they are about to end.
  void remove(Job &job) {
    constexpr int kTurns = 2000;
    std::unique_lock lock(mutex_);
    unlink(job);
    lock.unlock();
    for (int turn = 0; turn < kTurns && job.helpers.load(std::memory_order_acquire); ++turn)
      pauseSpinning();
    lock.lock();
    ended_.wait(lock, [&] { return job.helpers.load(std::memory_order_acquire) == 0; });
  }

  Job *openJob() {
    while (jobs_ && !jobs_->hasPieces())
      jobs_ = jobs_->next; // its caller knows
    return room() > 0 ? jobs_ : nullptr;
  }

  // Actively at first: a product is several calls, one after the other.
  void awaitNews(std::unique_lock<std::mutex> &lock) {
    constexpr int kTurns = 1000;
    const unsigned known = news_.load(std::memory_order_relaxed);
    ++idle_;
    lock.unlock();
    for (int turn = 0; turn < kTurns && news_.load(std::memory_order_relaxed) == known; ++turn)
      pauseSpinning();
    lock.lock();
    if (news_.load(std::memory_order_relaxed) == known)
      changed_.wait(lock);
    --idle_;
  }

  void help(unsigned generation) {
    FlushDenormals flush;
    isInPiece = isComputing = true;
    std::unique_lock lock(mutex_);
    while (generation == generation_) {
      Job *job = openJob();
      if (!job) {
        awaitNews(lock);
        continue;
      }
      job->helpers.fetch_add(1, std::memory_order_relaxed);
      beginComputing();
      lock.unlock();
      {
        CancellationScope scope(job->cancellation);
        job->work();
      }
      lock.lock();
      endComputing();
      job->helpers.fetch_sub(1, std::memory_order_release);
      ended_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_, ended_;
  ProcessorCount own_;
  ProcessorCount &count_;
  std::atomic<int> most_{0};
  std::atomic<unsigned> news_{0}; // changes under the lock when helpers have to look
  ParallelThreads *allowed_ = nullptr;
  Job *jobs_ = nullptr;
  std::vector<std::unique_ptr<ThreadHandle>> started_;
  int idle_ = 0;
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

void runPieces(int64_t pieces, PieceFn run, const void *context) {
  if (pieces < 2 || !hasParallelThreads()) {
    for (int64_t piece = 0; piece < pieces; ++piece)
      run(context, piece);
    return;
  }
  ComputingThread computing;
  Job job{.run = run, .context = context, .pieces = pieces};
  helpers().run(job);
}

} // namespace sluice::rt
