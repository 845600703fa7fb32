// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the 32 threads of a warp do together: each brings a value and gets an answer. And products
// of small matrices, of which each has its parts.
#pragma once

#include <cstdint>

namespace sluice::rt::sim {

constexpr uint32_t kWarpThreads = 32;

enum class WarpOperation : uint8_t {
  kSync,
  kShuffleIndex,
  kShuffleUp,
  kShuffleDown,
  kShuffleXor,
  kBallot,
  kAll,
  kAny,
  kUniform,
  kMatchAny,
  kReduceAdd,
  kReduceMin,
  kReduceMax,
  kReduceUnsignedMin,
  kReduceUnsignedMax,
  kReduceAnd,
  kReduceOr,
  kReduceXor,
  kMultiplyF16,
  kMultiplyBF16,
  kMultiplyTF32,
};

// A lane's parts of a 16 by 16 matrix `a` and a 16 by 8 matrix `b` of small floats, two in a word,
// and of the 16 by 8 matrix of sums, where PTX has them: mma.m16n8k16. Of f32 whose low 13 bits
// nobody looks at, one in a word, they are 16 by 8 and 8 by 8: mma.m16n8k8.
struct MatrixFragments {
  uint32_t a[4], b[2];
  float sums[4]; // what they begin with, then with the product
};

struct WarpRequest {
  WarpOperation operation = WarpOperation::kSync;
  uint32_t mask = 0;          // lanes that take part
  uint32_t value = 0;         // what this one brings
  uint32_t lane = 0;          // shuffles: the other operand
  uint32_t clamp = 0;         // shuffles: as PTX has it, the segment's mask and its last lane
  const void *site = nullptr; // in the code
  MatrixFragments *fragments = nullptr; // products
};

struct WarpAnswer {
  uint32_t value = 0;
  bool inRange = false; // shuffles: the lane that was asked for is one of the segment
};

// The lane whose value a shuffle answers with; `inRange` as above, else the lane itself.
uint32_t shuffleSource(const WarpRequest &request, uint32_t lane, bool &inRange);

inline bool isMultiplication(WarpOperation operation) {
  return operation >= WarpOperation::kMultiplyF16;
}

// A product of all 32 lanes. Cards do not say in which order they sum up; here each sum is a chain
// of fused ones along k.
void multiplyFragments(const WarpRequest *const requests[kWarpThreads]);

// The answer of one lane, `requests` being those of all 32, valid where the mask says so.
WarpAnswer answerOf(const WarpRequest *const requests[kWarpThreads], uint32_t lane);

} // namespace sluice::rt::sim
