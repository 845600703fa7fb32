// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codelets find what was packed of their operands, but of none that they write to.
#include "test/runtime/executor/graph_builder.h"

#include "runtime/codelet/operands.h"
#include "runtime/codelet/support.h"

#include <cmath>
#include <cstring>

namespace sluice::rt {
namespace {

constexpr DType f32 = DType::kF32;
constexpr int64_t kM = 17, kK = 80, kN = 96, kTurns = 6;

float *floats(const SluiceTensorRef &ref) { return static_cast<float *>(ref.data); }
float *floats(const SluiceOutputRef &ref) { return static_cast<float *>(ref.data); }

void multiply(const float *x, const float *w, float *y) {
  sluice_gemm_f32(kM, kN, kK, x, kK, 0, w, kN, 0, y, kN, 0);
}

// y = x w.
int32_t productBody(SluiceCodeletCall *call) {
  multiply(floats(call->inputs[0]), floats(call->inputs[1]), floats(call->outputs[0]));
  return kSluiceOk;
}
constexpr SluiceCodelet kProduct = codeletOf(nullptr, productBody, 0, nullptr);

// The same with a matrix that is packed before a loop.
int32_t loopBody(SluiceCodeletCall *call) {
  const float *packed =
      sluice_keep_b_f32(kK, kN, floats(call->inputs[1]), kN, 0, static_cast<float *>(call->arena));
  for (int i = 0; i < 2; ++i) {
    KeptForms::giveBack(); // never what is used
    sluice_gemm_packed_f32(kM, kN, kK, floats(call->inputs[0]), kK, packed, nullptr, kN,
                           floats(call->outputs[0]), kN);
  }
  return kSluiceOk;
}
const SluiceCodelet kLoop = codeletOf(nullptr, loopBody, sluice_packed_bytes_f32(kK, kN), nullptr);

// w becomes another matrix again and again, where it lies if it may; y is the product with the
// last.
void update(float *w) {
  for (int64_t i = 0; i < kK * kN; ++i)
    w[i] = 0.5f * w[i] + 1;
}
int32_t updatingBody(SluiceCodeletCall *call) {
  float *w = floats(call->outputs[1]);
  if (w != floats(call->inputs[1]))
    std::memcpy(w, call->inputs[1].data, sizeof(float) * kK * kN);
  for (int i = 0; i < kTurns; ++i) {
    multiply(floats(call->inputs[0]), w, floats(call->outputs[0]));
    update(w);
    multiply(floats(call->inputs[0]), w, floats(call->outputs[0]));
  }
  return kSluiceOk;
}
constexpr uint32_t kSecondFromSecond[] = {0, 2};
constexpr SluiceCodelet kUpdating = codeletOf(nullptr, updatingBody, 0, kSecondFromSecond);

// y is the sum of its elements as well, so that all outputs fit into tokens.
int32_t scalarBody(SluiceCodeletCall *call) {
  std::vector<float> y(kM * kN);
  multiply(floats(call->inputs[0]), floats(call->inputs[1]), y.data());
  *floats(call->outputs[0]) = y[kM * kN / 2];
  return kSluiceOk;
}
constexpr SluiceCodelet kScalar = codeletOf(nullptr, scalarBody, 0, nullptr);

Tensor waves(Shape shape, float step) {
  Tensor t = *Tensor::allocate(f32, shape);
  for (int64_t i = 0; i < t.elements(); ++i)
    t.data<float>()[i] = std::sin(step * static_cast<float>(i + 1));
  return t;
}
std::vector<float> listOf(const Tensor &t) {
  return {t.values<float>().begin(), t.values<float>().end()};
}
std::vector<float> productOf(const Tensor &x, const float *w) {
  std::vector<float> y(kM * kN);
  multiply(x.data<float>(), w, y.data()); // of no codelet, so nothing is kept
  return y;
}
uint64_t reused() { return KeptForms::figures().reused; }

class KeptInCodelets : public testing::Test {
protected:
  std::unique_ptr<Executor> build(const SluiceCodelet &code, Shape shape) {
    auto x = graph_.feed("x:0", f32), w = graph_.feed("w:0", f32);
    graph_.addCodelet(code, 2).outputs = {{f32, std::move(shape), {}}};
    graph_.fetch("y:0", graph_.runCodelet("group", 0, {x, w}), f32);
    return graph_.build();
  }
  Tensor call(Executor &executor) {
    auto y = executor.call(0, std::vector{x_, w_});
    EXPECT_TRUE(y.ok()) << y.status().toString();
    return (*y)[0];
  }

  GraphBuilder graph_;
  Tensor x_ = waves(Shape{kM, kK}, 0.7f), w_ = waves(Shape{kK, kN}, 0.3f);
};

TEST_F(KeptInCodelets, FromCallToCallUntilSomebodyWrites) {
  for (const SluiceCodelet *code : {&kProduct, &kLoop}) {
    graph_ = {};
    auto executor = build(*code, Shape{kM, kN});
    for (int turn = 0; turn < 3; ++turn) {
      const std::vector<float> expected = productOf(x_, w_.data<float>());
      uint64_t before = reused();
      for (int i = 0; i < kTurns; ++i)
        EXPECT_EQ(listOf(call(*executor)), expected);
      EXPECT_GE(reused(), before + 3);
      ASSERT_TRUE(w_.solelyOwned());
      update(w_.data<float>());
    }
  }
}

TEST_F(KeptInCodelets, WhoseResultsFitIntoTokens) {
  auto executor = build(kScalar, Shape{});
  const std::vector<float> expected = productOf(x_, w_.data<float>());
  uint64_t before = reused();
  for (int i = 0; i < kTurns; ++i)
    EXPECT_EQ(*call(*executor).data<float>(), expected[kM * kN / 2]);
  EXPECT_GE(reused(), before + 3);
}

TEST_F(KeptInCodelets, NotOfWhatTheyWriteTo) {
  for (bool held : {true, false}) {
    GraphBuilder g;
    auto x = g.feed("x:0", f32), w = g.feed("w:0", f32);
    auto from = held ? w : g.kernel("nd.neg", "neg", 0, {w}, {f32}, f32, false);
    g.addCodelet(kUpdating, 2).outputs = {{f32, Shape{kM, kN}, {}}, {f32, Shape{kK, kN}, {}}};
    auto y = g.runCodelet("group", 0, {x, from});
    g.fetch("y:0", y, f32);
    auto executor = g.build();
    Tensor current = *w_.clone();
    for (int64_t i = 0; !held && i < kK * kN; ++i)
      current.data<float>()[i] = -current.data<float>()[i];
    for (int i = 0; i < kTurns; ++i)
      update(current.data<float>());
    const std::vector<float> expected = productOf(x_, current.data<float>());
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(listOf(call(*executor)), expected) << held;
  }
}

// A kernel that works in place gets an operand that was multiplied before, and lets go of what was
// packed of it.
TEST_F(KeptInCodelets, KernelsInPlace) {
  GraphBuilder g;
  auto x = g.feed("x:0", f32), w = g.feed("w:0", f32);
  std::vector<GraphBuilder::Value> products;
  std::vector<AttrDesc> attrs(4, intAttr(0));
  for (int round = 0; round < 3; ++round) {
    // Each product waits for the one before, and the update for all.
    for (int i = 0; i < kTurns; ++i) {
      auto y = g.kernel("nd.matmul", "product", 0, {x, w}, {f32, f32}, f32, false);
      g.node(y).attrs = attrs;
      if (i > 0)
        g.node(y).orders = {products.back()};
      products.push_back(y);
    }
    w = g.kernel("nd.neg", "neg", 0, {w}, {f32}, f32, false);
    g.node(w).orders = {products.back()};
  }
  for (auto product : products)
    g.fetch("y", product, f32);
  auto executor = g.build();
  auto results = executor->call(0, std::vector{x_, w_});
  ASSERT_TRUE(results.ok()) << results.status().toString();
  std::vector<float> expected = productOf(x_, w_.data<float>());
  for (size_t i = 0; i < results->size(); ++i) {
    if (i > 0 && i % kTurns == 0)
      for (float &element : expected)
        element = -element;
    EXPECT_EQ(listOf((*results)[i]), expected) << i;
  }
}

} // namespace
} // namespace sluice::rt
