// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intrinsics, as functions that twins call.
#include "runtime/sim/block.h"
#include "runtime/sim/twin_calls.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace sluice::rt::sim;

// Visible, as twins may be libraries of their own; and never inlined, since who called them is
// asked.
#define EXPORT extern "C" __attribute__((visibility("default"), noinline))
#define HERE __builtin_return_address(0)

// ---- Where a thread is --------------------------------------------------------------------------

#define SREG(name, value)                                                                          \
  EXPORT uint32_t sluice_sim_read_ptx_sreg_##name() { return value; }
SREG(tid_x, runningBlock().thread().index[0])
SREG(tid_y, runningBlock().thread().index[1])
SREG(tid_z, runningBlock().thread().index[2])
SREG(ntid_x, runningBlock().launch().block[0])
SREG(ntid_y, runningBlock().launch().block[1])
SREG(ntid_z, runningBlock().launch().block[2])
SREG(ctaid_x, runningBlock().blockIndex()[0])
SREG(ctaid_y, runningBlock().blockIndex()[1])
SREG(ctaid_z, runningBlock().blockIndex()[2])
SREG(nctaid_x, runningBlock().launch().grid[0])
SREG(nctaid_y, runningBlock().launch().grid[1])
SREG(nctaid_z, runningBlock().launch().grid[2])
SREG(laneid, runningBlock().lane())
SREG(warpid, runningBlock().warp())
SREG(warpsize, kWarpThreads)
SREG(lanemask_eq, 1u << runningBlock().lane())
SREG(lanemask_lt, (1u << runningBlock().lane()) - 1)
SREG(lanemask_le, (2u << runningBlock().lane()) - 1)
SREG(lanemask_gt, ~((2u << runningBlock().lane()) - 1))
SREG(lanemask_ge, ~((1u << runningBlock().lane()) - 1))

// ---- Barriers and fences ------------------------------------------------------------------------

EXPORT void sluice_sim_barrier_cta_sync_aligned_all(uint32_t number) {
  runningBlock().synchronize(number, true, HERE);
}
EXPORT void sluice_sim_barrier_cta_sync_all(uint32_t number) {
  runningBlock().synchronize(number, false, HERE);
}

#define VOTING_BARRIER(name, aligned, type, answer)                                                \
  EXPORT type sluice_sim_barrier_cta_red_##name(uint32_t number, bool vote) {                      \
    uint32_t votes = runningBlock().barrier(number, aligned, vote, HERE);                          \
    return answer;                                                                                 \
  }
VOTING_BARRIER(popc_aligned_all, true, uint32_t, votes)
VOTING_BARRIER(popc_all, false, uint32_t, votes)
VOTING_BARRIER(and_aligned_all, true, bool, votes == runningBlock().launch().threads())
VOTING_BARRIER(and_all, false, bool, votes == runningBlock().launch().threads())
VOTING_BARRIER(or_aligned_all, true, bool, votes != 0)
VOTING_BARRIER(or_all, false, bool, votes != 0)

static WarpAnswer exchange(WarpOperation operation, uint32_t mask, uint32_t value, const void *site,
                           uint32_t lane = 0, uint32_t clamp = 0,
                           MatrixFragments *fragments = nullptr) {
  return runningBlock().exchange({operation, mask, value, lane, clamp, site, fragments});
}

EXPORT void sluice_sim_bar_warp_sync(uint32_t mask) { runningBlock().synchronizeWarp(mask, HERE); }

// Threads run one at a time and see each other's writes at once.
EXPORT void sluice_sim_membar_cta() {}
EXPORT void sluice_sim_membar_gl() {}
EXPORT void sluice_sim_membar_sys() {}

// ---- Warps --------------------------------------------------------------------------------------

#define SHUFFLE(name, operation)                                                                   \
  EXPORT uint32_t sluice_sim_shfl_sync_##name##_i32(uint32_t mask, uint32_t value, uint32_t lane,  \
                                                    uint32_t clamp) {                              \
    return exchange(WarpOperation::operation, mask, value, HERE, lane, clamp).value;               \
  }                                                                                                \
  EXPORT float sluice_sim_shfl_sync_##name##_f32(uint32_t mask, float value, uint32_t lane,        \
                                                 uint32_t clamp) {                                 \
    uint32_t bits = std::bit_cast<uint32_t>(value);                                                \
    return std::bit_cast<float>(                                                                   \
        exchange(WarpOperation::operation, mask, bits, HERE, lane, clamp).value);                  \
  }
SHUFFLE(idx, kShuffleIndex)
SHUFFLE(up, kShuffleUp)
SHUFFLE(down, kShuffleDown)
SHUFFLE(bfly, kShuffleXor)
EXPORT bool sluice_sim_in_range() { return runningBlock().thread().answer.inRange; }

#define VOTE(name, type, operation)                                                                \
  EXPORT type sluice_sim_vote_##name##_sync(uint32_t mask, bool vote) {                            \
    return exchange(WarpOperation::operation, mask, vote, HERE).value;                             \
  }
VOTE(all, bool, kAll)
VOTE(any, bool, kAny)
VOTE(uni, bool, kUniform)
VOTE(ballot, uint32_t, kBallot)

EXPORT uint32_t sluice_sim_match_any_sync_i32(uint32_t mask, uint32_t value) {
  return exchange(WarpOperation::kMatchAny, mask, value, HERE).value;
}

#define REDUCE(name, operation)                                                                    \
  EXPORT uint32_t sluice_sim_redux_sync_##name(uint32_t value, uint32_t mask) {                    \
    return exchange(WarpOperation::operation, mask, value, HERE).value;                            \
  }
REDUCE(add, kReduceAdd)
REDUCE(min, kReduceMin)
REDUCE(max, kReduceMax)
REDUCE(umin, kReduceUnsignedMin)
REDUCE(umax, kReduceUnsignedMax)
REDUCE(and, kReduceAnd)
REDUCE(or, kReduceOr)
REDUCE(xor, kReduceXor)

#define MULTIPLY(name, operation)                                                                  \
  EXPORT void sluice_sim_mma_##name(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3,            \
                                    uint32_t b0, uint32_t b1, float *sums) {                       \
    MatrixFragments own = {{a0, a1, a2, a3}, {b0, b1}, {sums[0], sums[1], sums[2], sums[3]}};      \
    exchange(WarpOperation::operation, ~0u, 0, HERE, 0, 0, &own);                                  \
    std::copy(std::begin(own.sums), std::end(own.sums), sums);                                     \
  }
MULTIPLY(m16n8k16_row_col_f32_f32, kMultiplyF16)
MULTIPLY(m16n8k16_row_col_bf16, kMultiplyBF16)
MULTIPLY(m16n8k8_row_col_tf32, kMultiplyTF32)

// ---- Arithmetic ---------------------------------------------------------------------------------

EXPORT float sluice_sim_sqrt_rn_f(float x) { return std::sqrt(x); }
EXPORT double sluice_sim_sqrt_rn_d(double x) { return std::sqrt(x); }
EXPORT float sluice_sim_sqrt_f(float x) { return std::sqrt(x); }
EXPORT float sluice_sim_fma_rn_f(float x, float y, float z) { return std::fma(x, y, z); }
EXPORT double sluice_sim_fma_rn_d(double x, double y, double z) { return std::fma(x, y, z); }
EXPORT float sluice_sim_div_rn_f(float x, float y) { return x / y; }
EXPORT double sluice_sim_div_rn_d(double x, double y) { return x / y; }
EXPORT float sluice_sim_rcp_rn_f(float x) { return 1 / x; }
EXPORT double sluice_sim_rcp_rn_d(double x) { return 1 / x; }
EXPORT float sluice_sim_add_rn_f(float x, float y) { return x + y; }
EXPORT double sluice_sim_add_rn_d(double x, double y) { return x + y; }
EXPORT float sluice_sim_mul_rn_f(float x, float y) { return x * y; }
EXPORT double sluice_sim_mul_rn_d(double x, double y) { return x * y; }

// ---- Accesses -----------------------------------------------------------------------------------

EXPORT void sluice_sim_read(const void *address, size_t bytes, size_t alignment) {
  runningBlock().access(reinterpret_cast<uint64_t>(address), bytes, alignment, AccessKind::kRead);
}
EXPORT void sluice_sim_write(const void *address, size_t bytes, size_t alignment) {
  runningBlock().access(reinterpret_cast<uint64_t>(address), bytes, alignment, AccessKind::kWrite);
}
EXPORT void sluice_sim_atomic(const void *address, size_t bytes, size_t alignment) {
  runningBlock().access(reinterpret_cast<uint64_t>(address), bytes, alignment, AccessKind::kAtomic);
}
EXPORT void sluice_sim_trap() {
  runningBlock().fail(sluice::rt::cuda::kIllegalInstruction, "reaches a trap");
}
