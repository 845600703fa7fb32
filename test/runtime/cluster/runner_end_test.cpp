// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of a rank: workers wake its transport, so they end first.
#include "runtime/cluster/cluster_runner.h"
#include "test/runtime/executor/products.h"

namespace sluice::rt {
namespace {

// Counts threads that have not been joined.
class CountedThreads final : public Threads {
public:
  std::unique_ptr<ThreadHandle> start(const char *name, std::function<void()> body) override {
    return std::make_unique<Counted>(systemThreads().start(name, std::move(body)), running);
  }
  int running = 0;

private:
  struct Counted final : ThreadHandle {
    Counted(std::unique_ptr<ThreadHandle> thread, int &running)
        : thread(std::move(thread)), running(running) {
      ++running;
    }
    ~Counted() override {
      thread.reset();
      --running;
    }
    std::unique_ptr<ThreadHandle> thread;
    int &running;
  };
};

// Of a rank without peers. Tells how many threads could still wake it when it goes.
class LonelyTransport final : public Transport {
public:
  LonelyTransport(const CountedThreads &threads, int &left) : threads_(threads), left_(left) {}
  ~LonelyTransport() override { left_ = threads_.running; }
  uint32_t rank() const override { return 0; }
  uint32_t size() const override { return 1; }
  void send(uint32_t, MessageHeader, std::span<const char>, std::span<const char>, Owner) override {
  }
  void flush() override {}
  bool poll(Handler &) override { return false; }
  void wait(uint64_t) override {}
  void wake() override {}
  uint64_t silence(uint32_t) const override { return 0; }
  uint64_t unsent(uint32_t) const override { return 0; }
  void close(uint64_t) override {}

private:
  const CountedThreads &threads_;
  int &left_;
};

class LonelyRank final : public ClusterRunner {
public:
  LonelyRank(std::unique_ptr<Program> program, CountedThreads &threads, int &left)
      : ClusterRunner(std::move(program), threads, systemClock()) {
    transport_ = std::make_unique<LonelyTransport>(threads, left);
    member_.attach(*transport_);
  }

private:
  void drive() override { (void)member_.progress(); }
};

TEST(RunnerEnd, WorkersEndBeforeTheTransport) {
  Products products;
  CountedThreads threads;
  int left = -1;
  {
    LonelyRank rank(products.program(), threads, left);
    RunOptions options;
    options.workers = 1;
    rank.setOptions(options);
    Tensor feed = Products::feed();
    ASSERT_TRUE(rank.call(0, std::span(&feed, 1)).ok());
    ASSERT_GE(threads.running, 1); // a worker, and who helps it
  }
  EXPECT_EQ(left, 0);
}

} // namespace
} // namespace sluice::rt
