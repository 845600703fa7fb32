// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings that end late, and firings that never do.
#include "test/runtime/executor/late_workers.h"
#include "test/runtime/executor/products.h"

namespace sluice::rt {
namespace {

class EnqueuedWork : public testing::Test {
protected:
  Status run() { return runToEnd(machine_, std::span(&feed_, 1), fetches_, environment_); }

  Products products_;
  std::unique_ptr<Program> program_ = products_.program();
  Tensor feed_ = Products::feed();
  Tensor fetches_[2];
  Environment environment_;
  LateWorkers workers_;
  Limits limits_ = [] {
    Limits limits;
    limits.set(Limit::kKernelSeconds, 1);
    return limits;
  }();
  TokenMachine machine_{*program_->signatures()[0], {}, {}, workers_, nullptr, nullptr, limits_};
};

TEST_F(EnqueuedWork, isAwaited) {
  for (int call = 0; call < 2; ++call) {
    Status status = run();
    EXPECT_TRUE(status.ok()) << status.toString();
    EXPECT_TRUE(fetches_[0].valid());
  }
  EXPECT_FALSE(machine_.stuck());
  EXPECT_EQ(machine_.counters().offloaded, 4u);
}

TEST_F(EnqueuedWork, thatNeverEndsEndsTheCall) {
  workers_.ends = 0;
  for (int call = 0; call < 2; ++call) {
    Status status = run();
    EXPECT_EQ(status.code(), Code::kDeadlineExceeded);
    EXPECT_EQ(status.node(), "a");
    EXPECT_EQ(status.message(),
              "no worker has ended it for 1 s, the limit; see --limit kernel-seconds");
    EXPECT_TRUE(machine_.stuck());
    // By the first call: what is stuck begins no other.
    EXPECT_EQ(machine_.counters().offloaded, 2u);
  }
}

TEST_F(EnqueuedWork, thatNeverEndsEndsARankAsWell) {
  workers_.ends = 0;
  machine_.begin(std::span(&feed_, 1), fetches_, environment_);
  while (!machine_.failed())
    (void)machine_.advance(10);
  EXPECT_EQ(machine_.finish().code(), Code::kDeadlineExceeded);
}

TEST_F(EnqueuedWork, isAwaitedNoLongerThanThatOnceTheCallHasFailed) {
  workers_.ends = 0;
  machine_.begin(std::span(&feed_, 1), fetches_, environment_);
  while (machine_.advance(10)) {
  }
  machine_.abort(invalidArgument("another reason"));
  EXPECT_EQ(machine_.finish().message(), "another reason");
  EXPECT_TRUE(machine_.stuck());
}

// The first of those that are under way is named.
TEST(EnqueuedWorkOfMany, isToldByTheOldest) {
  Limits limits;
  limits.set(Limit::kKernelSeconds, 1);
  for (unsigned ends : {0u, 1u}) {
    Products products{"a", "b", "c"};
    auto program = products.program();
    LateWorkers workers;
    workers.ends = ends;
    TokenMachine machine(*program->signatures()[0], {}, {}, workers, nullptr, nullptr, limits);
    Tensor feed = Products::feed(), fetches[3];
    Environment environment;
    Status status = runToEnd(machine, std::span(&feed, 1), fetches, environment);
    EXPECT_EQ(machine.counters().offloaded, 3u);
    EXPECT_EQ(status.code(), Code::kDeadlineExceeded);
    EXPECT_EQ(status.node(), ends ? "b" : "a");
  }
}

// Whether work is worth a worker is what the compiler has estimated of a codelet, else what its
// operands say; of a kernel, what the kernel says.
class WorthAWorker : public testing::Test {
protected:
  // Two nodes of that work. The second one would wait for the first one, the first for the second.
  uint64_t enqueuedOf(GraphBuilder &graph, std::span<const Tensor> feeds) {
    auto program = graph.buildProgram();
    LateWorkers workers;
    TokenMachine machine(*program->signatures()[0], {}, {}, workers);
    Tensor fetches[2];
    Environment environment;
    Status status = runToEnd(machine, feeds, fetches, environment);
    EXPECT_TRUE(status.ok()) << status.toString();
    return machine.counters().offloaded;
  }
};

constexpr uint64_t kLeastWork = 500'000;

TEST_F(WorthAWorker, codelets) {
  static constexpr SluiceCodelet kNothing = codeletOf(
      [](SluiceCodeletCall *call) -> int32_t {
        call->outputs[0].dims[0] = 0;
        return kSluiceOk;
      },
      [](SluiceCodeletCall *) -> int32_t { return kSluiceOk; }, 0, nullptr);
  const struct {
    uint64_t estimated;
    size_t elements;
    uint64_t enqueued;
  } rows[] = {{kLeastWork, 1, 2},
              {kLeastWork - 1, 2 * kLeastWork, 0},
              {0, kLeastWork / 2, 2},
              {0, kLeastWork / 2 - 1, 0}};
  for (const auto &row : rows) {
    GraphBuilder g;
    auto one = g.feed("one", DType::kF32), x = g.feed("x", DType::kF32);
    CodeletDesc &codelet = g.addCodelet(kNothing, 2);
    codelet.outputs = {{DType::kF32, Shape::unknownDims(1), {1, 0}}};
    codelet.members = {g.member("nd.neg", "neg", {{0, 1}}, DType::kF32),
                       g.member("nd.neg", "neg", {{0, 1}}, DType::kF32)};
    codelet.work = row.estimated;
    for (const char *name : {"a", "b"})
      g.fetch(name, g.runCodelet(name, 0, {one, x}), DType::kF32);
    const Tensor feeds[] = {Tensor::scalar(1.f),
                            Tensor::vector<float>(std::vector<float>(row.elements))};
    EXPECT_EQ(enqueuedOf(g, feeds), row.enqueued) << row.estimated << " of " << row.elements;
  }
}

TEST_F(WorthAWorker, kernels) {
  static uint64_t work;
  Kernel kernel = *findKernel("nd.neg", std::vector{DType::kF32}, std::vector{DType::kF32})->kernel;
  kernel.work = [](const KernelCall &) { return work; };
  for (uint64_t w : {kLeastWork, kLeastWork - 1}) {
    work = w;
    GraphBuilder g;
    auto x = g.feed("x", DType::kF32);
    for (const char *name : {"a", "b"})
      g.fetch(name, g.kernel(kernel, name, 0, {x}, DType::kF32), DType::kF32);
    Tensor feed = Tensor::vector<float>(std::vector<float>(10));
    EXPECT_EQ(enqueuedOf(g, std::span(&feed, 1)), w == kLeastWork ? 2u : 0u);
  }
}

} // namespace
} // namespace sluice::rt
