// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long work on variables and generators goes to workers; what uses the same variable waits for it,
// in its order, and nothing else does.
#include "runtime/state/variable.h"
#include "test/runtime/executor/graph_builder.h"
#include "test/runtime/executor/late_workers.h"

#include <algorithm>

namespace sluice::rt {
namespace {

constexpr DType f32 = DType::kF32, kHandle = DType::kHandle;
constexpr int64_t kMany = 1 << 20;

Tensor full(float value) {
  Tensor tensor = *Tensor::allocate(f32, Shape{kMany});
  std::fill_n(tensor.data<float>(), kMany, value);
  return tensor;
}

class HeldObjects : public testing::Test {
protected:
  HeldObjects() {
    for (Ref<Variable> *variable : {&v_, &w_}) {
      *variable = Ref<Variable>::adopt(new Variable("v", f32, Shape{kMany}));
      (*variable)->value = full(1);
    }
  }
  void update(const char *name, GraphBuilder::Value variable, GraphBuilder::Value by) {
    auto updated = g_.kernel("state.assign_add", name, 0, {variable, by}, {kHandle, f32},
                             DType::kInvalid, false);
    g_.node(updated).outputTypes.clear();
    g_.node(updated).outputIsScalar.clear();
  }
  void read(const char *name, GraphBuilder::Value variable) {
    g_.fetch(name, g_.kernel("state.read", name, 0, {variable}, {kHandle}, f32, false), f32);
  }
  std::vector<Tensor> feeds() {
    return {full(2), Tensor::handle(Ref<Object>::share(v_.get())),
            Tensor::handle(Ref<Object>::share(w_.get()))};
  }

  GraphBuilder g_;
  Ref<Variable> v_, w_;
  Environment environment_;
  LateWorkers workers_;
};

TEST_F(HeldObjects, whoeverUsesTheSameVariableWaits) {
  auto by = g_.feed("by", f32), v = g_.feed("v", kHandle), w = g_.feed("w", kHandle);
  update("first", v, by);
  update("second", v, by);
  read("v:0", v);
  read("w:0", w);
  auto program = g_.buildProgram();
  TokenMachine machine(*program->signatures()[0], {}, {}, workers_);
  std::vector<Tensor> feeds = this->feeds();
  Tensor fetches[2];
  workers_.ends = 0;
  machine.begin(feeds, fetches, environment_);
  while (machine.advance(1)) {
  }
  EXPECT_EQ(machine.counters().offloaded, 1u);
  EXPECT_EQ(machine.counters().kernels, 2u); // with the one that reads w
  EXPECT_FALSE(fetches[0].valid());
  EXPECT_TRUE(fetches[1].valid());
  EXPECT_FALSE(machine.idle());

  workers_.ends = 1;
  while (machine.advance(1) || (workers_.ends && machine.step(1))) {
  }
  EXPECT_FALSE(machine.done()); // the other update is under way
  EXPECT_EQ(machine.counters().offloaded, 2u);
  EXPECT_FALSE(fetches[0].valid());

  workers_.ends = ~0u;
  while (machine.step(~0u)) {
  }
  ASSERT_TRUE(machine.finish().ok());
  EXPECT_EQ(fetches[0].data<float>()[kMany - 1], 5);
  EXPECT_EQ(fetches[1].data<float>()[0], 1);
}

TEST_F(HeldObjects, aCallThatFailsForgetsWhoWaits) {
  auto by = g_.feed("by", f32), v = g_.feed("v", kHandle), w = g_.feed("w", kHandle);
  (void)w;
  update("update", v, by);
  read("v:0", v);
  auto program = g_.buildProgram();
  TokenMachine machine(*program->signatures()[0], {}, {}, workers_);
  std::vector<Tensor> feeds = this->feeds();
  Tensor fetches[1];
  workers_.ends = 0;
  machine.begin(feeds, fetches, environment_);
  while (machine.advance(1)) {
  }
  machine.abort(invalidArgument("enough"));
  workers_.ends = ~0u;
  EXPECT_EQ(machine.finish().message(), "enough");
  EXPECT_FALSE(fetches[0].valid());
  ASSERT_TRUE(runToEnd(machine, feeds, fetches, environment_).ok());
  EXPECT_GE(fetches[0].data<float>()[0], 3);
}

// Each thread knows for which firing it draws.
TEST_F(HeldObjects, randomNumbersAreDrawnElsewhere) {
  auto by = g_.feed("by", f32);
  (void)by;
  g_.generator("random");
  g_.signature().constants.push_back(Tensor::vector<int32_t>(std::array{int32_t{kMany}}));
  GraphBuilder::Value shape{OperandDesc::kConstant,
                            static_cast<uint32_t>(g_.signature().constants.size() - 1)};
  for (const char *name : {"a", "b"}) {
    auto drawn = g_.kernel("state.random_uniform", name, 0, {shape}, {DType::kI32}, f32, false);
    g_.node(drawn).attrs = {intAttr(0), intAttr(5), intAttr(6)};
    g_.fetch(name, drawn, f32);
  }
  Tensor feed = full(0);
  std::vector<Tensor> expected;
  for (int workers : {0, 2}) {
    RunOptions options;
    options.workers = workers;
    auto fresh = g_.build();
    fresh->setOptions(options);
    auto result = fresh->call(0, std::span(&feed, 1));
    ASSERT_TRUE(result.ok()) << result.status().toString();
    EXPECT_EQ(statOf(*fresh, "kernels_enqueued") > 0, workers > 0);
    if (expected.empty())
      expected = *result;
    for (size_t i = 0; i < 2; ++i)
      EXPECT_EQ(std::memcmp((*result)[i].raw(), expected[i].raw(), expected[i].bytes()), 0);
  }
}

} // namespace
} // namespace sluice::rt
