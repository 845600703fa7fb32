// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The LSTM floor: weights packed into panels, tiles of rows and columns held in registers, gates
// with the runtime's own functions.
#include "test/bench/loop_floors.h"

#include "runtime/elements/polynomials_f32.h"

#include <algorithm>
#include <cstring>

namespace sluice::bench {

namespace {
// One AVX register.
constexpr int64_t kLanes = 8;
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

Lanes load(const float *from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

// Rows of a against a panel of packed columns: chains over rising k.
template <int kRows, int kVectors>
void multiplyTile(int64_t depth, const float *a, const float *panel, float *out, int64_t outRow) {
  Lanes sum[kRows][kVectors] = {};
  for (int64_t k = 0; k < depth; ++k)
    for (int row = 0; row < kRows; ++row) {
      Lanes factor = Lanes{} + a[row * depth + k];
      for (int v = 0; v < kVectors; ++v) {
        Lanes column = load(panel + (k * kVectors + v) * kLanes);
        sum[row][v] = __builtin_elementwise_fma(factor, column, sum[row][v]);
      }
    }
  for (int row = 0; row < kRows; ++row)
    for (int v = 0; v < kVectors; ++v)
      std::memcpy(out + row * outRow + v * kLanes, &sum[row][v], sizeof(Lanes));
}

// One row needs many columns at once to hide the latency of multiply-adds.
constexpr int kWide = 8, kNarrow = 2;
int64_t panelWidth(int64_t batch) { return kLanes * (batch < 4 ? kWide : kNarrow); }
} // namespace

LstmFloor::LstmFloor(int64_t batch, int64_t units)
    : batch_(batch), units_(units), depth_(2 * units), width_(4 * units),
      packed_(static_cast<size_t>(depth_ * width_)), both_(static_cast<size_t>(batch * depth_)),
      gates_(static_cast<size_t>(batch * width_)), c_(static_cast<size_t>(batch * units)),
      all_(static_cast<size_t>(kRnnSteps * batch * units)) {}

void LstmFloor::pack(const float *w) {
  const int64_t panel = panelWidth(batch_);
  float *to = packed_.data();
  for (int64_t column = 0; column < width_; column += panel)
    for (int64_t k = 0; k < depth_; ++k, to += panel)
      std::memcpy(to, w + k * width_ + column, static_cast<size_t>(panel) * sizeof(float));
}

void LstmFloor::multiply() {
  const int64_t panel = panelWidth(batch_);
  for (int64_t column = 0; column < width_; column += panel) {
    const float *columns = packed_.data() + column * depth_;
    for (int64_t row = 0; row < batch_;) {
      const float *a = both_.data() + row * depth_;
      float *out = gates_.data() + row * width_ + column;
      int64_t left = batch_ - row;
      if (batch_ < 4) {
        multiplyTile<1, kWide>(depth_, a, columns, out, width_);
        row += 1;
      } else if (left >= 6) {
        multiplyTile<6, kNarrow>(depth_, a, columns, out, width_);
        row += 6;
      } else if (left >= 4) {
        multiplyTile<4, kNarrow>(depth_, a, columns, out, width_);
        row += 4;
      } else {
        multiplyTile<1, kNarrow>(depth_, a, columns, out, width_);
        row += 1;
      }
    }
  }
}

void LstmFloor::applyGates(const float *bias, float *h) {
  namespace f32 = rt::element::f32;
  for (int64_t row = 0; row < batch_; ++row) {
    const float *gates = gates_.data() + row * width_;
    float *c = c_.data() + row * units_, *out = h + row * units_;
    for (int64_t u = 0; u < units_; ++u) {
      float i = f32::sigmoid(gates[u] + bias[u]);
      float j = f32::tanh(gates[units_ + u] + bias[units_ + u]);
      float f = f32::sigmoid(gates[2 * units_ + u] + bias[2 * units_ + u]);
      float o = f32::sigmoid(gates[3 * units_ + u] + bias[3 * units_ + u]);
      c[u] = c[u] * f + i * j;
      out[u] = f32::tanh(c[u]) * o;
    }
  }
}

void LstmFloor::run(const float *rows, const float *w, const float *bias, float *h) {
  pack(w);
  std::fill(c_.begin(), c_.end(), 0.0f);
  std::fill_n(h, batch_ * units_, 0.0f);
  const auto bytes = static_cast<size_t>(units_) * sizeof(float);
  for (int64_t t = 0; t < kRnnSteps; ++t) {
    for (int64_t row = 0; row < batch_; ++row) {
      float *both = both_.data() + row * depth_;
      std::memcpy(both, rows + (t * batch_ + row) * units_, bytes);
      std::memcpy(both + units_, h + row * units_, bytes);
    }
    multiply();
    applyGates(bias, h);
    std::memcpy(all_.data() + t * batch_ * units_, h, bytes * static_cast<size_t>(batch_));
  }
}

} // namespace sluice::bench
