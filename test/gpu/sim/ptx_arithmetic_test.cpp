// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of PTX against bits that the manual gives, at their corners.
#include "test/gpu/sim/ptx_kernel.h"

namespace sluice::test {
namespace {

struct Case {
  char kind;
  const char *instruction;
  std::vector<uint64_t> inputs;
  uint64_t expected;
};

void check(const std::vector<Case> &cases) {
  for (const Case &one : cases)
    EXPECT_EQ(computePtx(one.kind, one.instruction, one.inputs), one.expected)
        << std::hex << one.instruction << " of " << testing::PrintToString(one.inputs);
}

constexpr uint64_t kNan = 0x7fffffff, kWideNan = 0xfff8000000000000;

TEST(PtxArithmetic, integersWrap) {
  check({
      {'r', "add.s32 %r0, %r1, %r2;", {0x7fffffff, 1}, 0x80000000},
      {'r', "sub.s32 %r0, %r1, -1;", {0xffffffff}, 0},
      {'r', "mul.lo.s32 %r0, %r1, %r2;", {0x10001, 0x10001}, 0x20001},
      {'r', "mul.hi.s32 %r0, %r1, %r2;", {0xffffffff, 2}, 0xffffffff},
      {'r', "mul.hi.u32 %r0, %r1, %r2;", {0xffffffff, 2}, 1},
      {'d', "mul.wide.s32 %d3, %r1, %r2;", {0xffffffff, 2}, 0xfffffffffffffffe},
      {'d', "mul.wide.u32 %d3, %r1, 4;", {0xffffffff}, 0x3fffffffc},
      {'d', "mul.hi.u64 %d3, %d4, %d5;", {~0ull, 16}, 15},
      {'d', "mad.lo.s64 %d3, %d4, %d5, %d6;", {~0ull, 3, 10}, 7},
      {'r', "div.s32 %r0, %r1, %r2;", {0x80000000, 0xffffffff}, 0x80000000},
      {'r', "div.u32 %r0, %r1, %r2;", {7, 2}, 3},
      {'r', "rem.s32 %r0, %r1, %r2;", {0xfffffff9, 2}, 0xffffffff},
      {'r', "min.s32 %r0, %r1, %r2;", {0xffffffff, 1}, 0xffffffff},
      {'r', "min.u32 %r0, %r1, %r2;", {0xffffffff, 1}, 1},
      {'r', "abs.s32 %r0, %r1;", {0xfffffffb}, 5},
      {'h', "add.s16 %h0, %h1, %h2;", {0xffff, 2}, 1},
  });
}

TEST(PtxArithmetic, shiftsAreNotTakenModuloTheWidth) {
  check({
      {'r', "shl.b32 %r0, %r1, %r2;", {1, 31}, 0x80000000},
      {'r', "shl.b32 %r0, %r1, %r2;", {1, 32}, 0},
      {'r', "shr.u32 %r0, %r1, %r2;", {0x80000000, 40}, 0},
      {'r', "shr.s32 %r0, %r1, %r2;", {0x80000000, 40}, 0xffffffff},
      {'d', "shr.s64 %d3, %d4, %r2;", {0x8000000000000000, 4}, 0xf800000000000000},
      {'r', "shf.l.wrap.b32 %r0, %r1, %r2, %r3;", {0x80000000, 1, 33}, 3},
      {'r', "shf.r.clamp.b32 %r0, %r1, %r2, %r3;", {1, 0x12345678, 40}, 0x12345678},
  });
}

TEST(PtxArithmetic, bitsAndFields) {
  check({
      {'r', "bfe.u32 %r0, %r1, 8, 4;", {0xabcd}, 0xb},
      {'r', "bfe.s32 %r0, %r1, 8, 4;", {0xabcd}, 0xfffffffb},
      {'r', "bfe.u32 %r0, %r1, %r2, %r3;", {0xf0000000, 28, 32}, 0xf},
      {'r', "bfi.b32 %r0, %r1, %r2, 4, 8;", {0xab, 0xffffffff}, 0xfffffabf},
      {'r', "prmt.b32 %r0, %r1, %r2, 0x0716;", {0x33221100, 0x77665544}, 0x00771166},
      {'r', "popc.b32 %r0, %r1;", {0xf0f}, 8},
      {'r', "clz.b64 %r0, %d4;", {1}, 63},
      {'r', "brev.b32 %r0, %r1;", {1}, 0x80000000},
      {'r', "lop3.b32 %r0, %r1, %r2, %r3, 0x96;", {0xc, 0xa, 0x1}, 0xc ^ 0xa ^ 0x1},
      {'r', "not.b32 %r0, %r1;", {0xf}, 0xfffffff0},
      {'d', "mov.b64 %d3, {%r1, %r2};", {1, 2}, 0x200000001},
      {'r', "mov.b64 {%r4, %r0}, %d4;", {0x500000006}, 5},
      {'r', "mov.b32 %r0, {%h1, %h2};", {0x1111, 0x2222}, 0x22221111},
  });
}

TEST(PtxArithmetic, floatsRoundOnce) {
  check({
      // 1 + 2^-24 is a tie; a little more is not.
      {'r', "add.rn.f32 %r0, %r1, %r2;", {0x3f800000, 0x33800000}, 0x3f800000},
      {'r', "add.rn.f32 %r0, %r1, %r2;", {0x3f800000, 0x33800001}, 0x3f800001},
      // (1 + 2^-12)^2 - 1: the last bit of the product is lost without fma.
      {'r', "fma.rn.f32 %r0, %r1, %r2, %r3;", {0x3f800800, 0x3f800800, 0xbf800000}, 0x3a000400},
      {'r',
       "mul.rn.f32 %r4, %r1, %r2; add.rn.f32 %r0, %r4, %r3;",
       {0x3f800800, 0x3f800800, 0xbf801000},
       0},
      {'r', "fma.rn.f32 %r0, %r1, %r2, %r3;", {0x3f800800, 0x3f800800, 0xbf801000}, 0x33800000},
      {'r', "div.rn.f32 %r0, %r1, %r2;", {0x3f800000, 0x40400000}, 0x3eaaaaab},
      {'r', "sqrt.rn.f32 %r0, %r1;", {0x40000000}, 0x3fb504f3},
      {'r', "rcp.rn.f32 %r0, %r1;", {0x80000000}, 0xff800000},
      {'d',
       "fma.rn.f64 %d3, %d4, %d5, %d6;",
       {0x3ff0000000000001, 0x3ff0000000000001, 0xbff0000000000002},
       0x3970000000000000},
      {'r', "add.rn.f32 %r0, %r1, 0f3F800000;", {0x40000000}, 0x40400000},
      {'r', "ex2.approx.f32 %r0, %r1;", {0x40400000}, 0x41000000},
      {'r', "add.rn.sat.f32 %r0, %r1, %r2;", {0x40000000, 0x40000000}, 0x3f800000},
  });
}

TEST(PtxArithmetic, denormalsAreFlushedWhereItSaysSo) {
  check({
      {'r', "add.rn.f32 %r0, %r1, %r2;", {1, 1}, 2},
      {'r', "add.rn.ftz.f32 %r0, %r1, %r2;", {1, 1}, 0},
      {'r', "mul.rn.ftz.f32 %r0, %r1, %r2;", {0x80800000, 0x3f000000}, 0x80000000},
      {'r', "mul.rn.f32 %r0, %r1, %r2;", {0x00800000, 0x3f000000}, 0x00400000},
      {'r', "abs.ftz.f32 %r0, %r1;", {0x80000001}, 0},
      {'p', "setp.gt.ftz.f32 %p0, %r1, 0f00000000;", {1}, 0},
      {'p', "setp.gt.f32 %p0, %r1, 0f00000000;", {1}, 1},
      {'d', "add.rn.f64 %d3, %d4, %d5;", {1, 1}, 2},
      {'r', "copysign.f32 %r0, %r1, %r2;", {0x80000000, 1}, 0x80000001},
  });
}

TEST(PtxArithmetic, nanHasOnePattern) {
  check({
      {'r', "add.rn.f32 %r0, %r1, %r2;", {0x7f800000, 0xff800000}, kNan},
      {'r', "mul.rn.ftz.f32 %r0, %r1, %r2;", {0xffc00001, 0x3f800000}, kNan},
      {'d', "add.rn.f64 %d3, %d4, %d5;", {0x7ff0000000000000, 0xfff0000000000000}, kWideNan},
      {'r', "min.f32 %r0, %r1, %r2;", {0x7fc00000, 0x3f800000}, 0x3f800000},
      {'r', "min.NaN.f32 %r0, %r1, %r2;", {0x7fc00000, 0x3f800000}, kNan},
      {'r', "max.f32 %r0, %r1, %r2;", {0x7fc00000, 0x7fc00000}, kNan},
      {'r', "min.f32 %r0, %r1, %r2;", {0, 0x80000000}, 0x80000000},
      {'r', "max.f32 %r0, %r1, %r2;", {0x80000000, 0}, 0},
      {'p', "setp.ne.f32 %p0, %r1, %r1;", {kNan}, 0},
      {'p', "setp.neu.f32 %p0, %r1, %r1;", {kNan}, 1},
      {'p', "setp.nan.f32 %p0, %r1, %r1;", {kNan}, 1},
      {'p', "setp.ltu.f32 %p0, %r1, %r2;", {0x40000000, 0x3f800000}, 0},
  });
}

TEST(PtxArithmetic, predicatesAreJoined) {
  check({
      {'p', "setp.lt.s32 %p1, %r1, 0; setp.lt.and.s32 %p0, %r1, %r2, !%p1;", {1, 2}, 1},
      {'p', "setp.lt.s32 %p1, %r1, 0; setp.lt.or.u32 %p0, %r1, %r2, %p1;", {0xffffffff, 2}, 1},
      {'p', "setp.lt.s32 %p1|%p0, %r1, %r2;", {1, 2}, 0},
      {'p', "mov.pred %p1, -1; not.pred %p0, %p1;", {}, 0},
      {'r', "setp.eq.b32 %p1, %r1, 7; mov.b32 %r0, 1; @%p1 mov.b32 %r0, 2;", {7}, 2},
      {'r', "setp.eq.b32 %p1, %r1, 7; mov.b32 %r0, 1; @!%p1 mov.b32 %r0, 2;", {7}, 1},
  });
}

TEST(PtxArithmetic, conversionsToIntegersEndAtTheLimits) {
  check({
      {'r', "cvt.rzi.s32.f32 %r0, %r1;", {0xbfc00000}, 0xffffffff},
      {'r', "cvt.rni.s32.f32 %r0, %r1;", {0x40200000}, 2}, // 2.5
      {'r', "cvt.rmi.s32.f32 %r0, %r1;", {0xbfc00000}, 0xfffffffe},
      {'r', "cvt.rpi.s32.f32 %r0, %r1;", {0x3f800001}, 2},
      {'r', "cvt.rzi.s32.f32 %r0, %r1;", {0x4f800000}, 0x7fffffff},
      {'r', "cvt.rzi.u32.f32 %r0, %r1;", {0xbf800000}, 0},
      {'r', "cvt.rzi.s32.f32 %r0, %r1;", {kNan}, 0},
      {'d', "cvt.rzi.s64.f32 %d3, %r1;", {kNan}, 0x8000000000000000},
      {'d', "cvt.rzi.s64.f64 %d3, %d4;", {0x7ff0000000000000}, 0x7fffffffffffffff},
      {'r', "cvt.rzi.ftz.s32.f32 %r0, %r1;", {0x3f7fffff}, 0},
      {'r', "cvt.sat.u8.s32 %r0, %r1;", {0xffffffff}, 0},
      {'r', "cvt.sat.s8.s32 %r0, %r1;", {1000}, 127},
      {'r', "cvt.s8.s32 %r0, %r1;", {0x180}, 0xffffff80},
      {'r', "cvt.u8.u32 %r0, %r1;", {0x180}, 0x80},
      {'d', "cvt.s64.s32 %d3, %r1;", {0x80000000}, 0xffffffff80000000},
  });
}

TEST(PtxArithmetic, conversionsToFloatsRoundOnce) {
  check({
      {'r', "cvt.rn.f32.s32 %r0, %r1;", {0x1000001}, 0x4b800000},
      // Through f64 this would round up.
      {'r', "cvt.rn.f32.s64 %r0, %d4;", {0x2000001ffffffff}, 0x5c000000},
      {'r', "cvt.rn.f32.f64 %r0, %d4;", {0x3ff0000010000000}, 0x3f800000},
      {'r', "cvt.rp.f32.f64 %r0, %d4;", {0x3ff0000010000000}, 0x3f800001},
      {'r', "cvt.rz.f32.f64 %r0, %d4;", {0xbff000001fffffff}, 0xbf800000},
      {'r', "cvt.rmi.f32.f32 %r0, %r1;", {0xbf000000}, 0xbf800000},
      {'r', "cvt.sat.f32.f32 %r0, %r1;", {0xbf000000}, 0},
      {'d', "cvt.f64.f32 %d3, %r1;", {0x3fc00000}, 0x3ff8000000000000},
      {'h', "cvt.rn.f16.f32 %h0, %r1;", {0x477ff000}, 0x7c00}, // 65520: the tie beyond the largest
      {'h', "cvt.rn.f16.f32 %h0, %r1;", {0x33000000}, 0},      // half of the smallest: a tie
      {'h', "cvt.rn.f16.f32 %h0, %r1;", {0x33000001}, 1},
      {'h', "cvt.rn.bf16.f32 %h0, %r1;", {0x3f808000}, 0x3f80},
      {'h', "cvt.rn.bf16.f32 %h0, %r1;", {0x3f818000}, 0x3f82},
      {'r', "cvt.f32.bf16 %r0, %h1;", {0x3f80}, 0x3f800000},
      {'r', "cvt.f32.f16 %r0, %h1;", {0x0001}, 0x33800000},
      {'r', "cvt.rn.f16x2.f32 %r0, %r1, %r2;", {0x3f800000, 0x40000000}, 0x3c004000},
      {'h', "cvt.rn.f16.s32 %h0, %r1;", {2049}, 0x6800},
      {'h', "cvt.rn.bf16.u64 %h0, %d4;", {0x8080000000000001}, 0x5f01},
  });
}

TEST(PtxArithmetic, smallFloatsRoundOnce) {
  check({
      {'h', "add.rn.f16 %h0, %h1, %h2;", {0x3c00, 0x1000}, 0x3c00}, // 1 + 2^-11
      {'h', "mul.rn.bf16 %h0, %h1, %h2;", {0x3f81, 0x3f81}, 0x3f82},
      // 2048 * 1 + 1 is a tie; the last bit of 2^-24 decides, which double alone would keep as
      // well, and of 2^-24 * 2^-24 would not.
      {'h', "fma.rn.f16 %h0, %h1, %h2, %h3;", {0x0001, 0x0001, 0x6801}, 0x6801},
      {'h', "fma.rn.f16 %h0, %h1, %h2, %h3;", {0x6800, 0x3c00, 0x3c00}, 0x6800},
      {'r', "add.rn.f16x2 %r0, %r1, %r2;", {0x3c004000, 0x3c003c00}, 0x40004200},
      {'h', "neg.bf16 %h0, %h1;", {0x3f80}, 0xbf80},
  });
}

} // namespace
} // namespace sluice::test
