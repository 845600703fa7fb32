// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What interpreted kernels do with memory, and what is found of it with every seed.
#include "test/gpu/sim/ptx_kernel.h"

#include <bit>

namespace sluice::test {
namespace {

void expectFinding(const PtxKernelText &kernel, Result result, const char *words,
                   PtxShape shape = {}) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    PtxOutcome outcome = runPtx(kernel, {}, shape, seed);
    EXPECT_EQ(outcome.load, kSuccess) << outcome.messages;
    EXPECT_EQ(outcome.run, result) << outcome.messages;
    EXPECT_NE(outcome.messages.find(words), std::string::npos) << outcome.messages;
  }
}

TEST(PtxMemory, vectorsMove) {
  PtxOutcome outcome = runPtx({"ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%d1];\n"
                               "st.global.v2.b32 [%d0+8], {%r1, %r4};\n"
                               "ld.global.s8 %r5, [%d1+1];\ncvt.s64.s32 %d2, %r5;\n"
                               "st.global.b64 [%d0], %d2;"},
                              {0x2000000018001, 0x400000003}, {1, 1, 0, 2});
  EXPECT_EQ(outcome.results, (std::vector<uint64_t>{0xffffffffffffff80, 0x400018001}))
      << outcome.messages;
}

// The code believes in the alignment of a better one: LLVM does where a variable has none.
TEST(PtxMemory, sharedVariablesAreAlignedAsTheySayAndNoBetter) {
  for (const char *before : {"", ".shared .align 4 .b8 small[12];\n"}) {
    PtxKernelText kernel = {"mov.b32 %r1, 0;\n"
                            "st.shared.v4.b32 [large], {%r1, %r1, %r1, %r1};"};
    if (*before)
      kernel.body += "st.shared.b32 [small], %r1;";
    kernel.variables = std::string(before) + ".shared .align 16 .b8 large[1024];";
    PtxOutcome fine = runPtx(kernel);
    EXPECT_EQ(fine.run, kSuccess) << fine.messages;
    kernel.variables = std::string(before) + ".shared .align 4 .b8 large[1024];";
    expectFinding(kernel, kMisalignedAddress, "not a multiple of 16");
  }
}

TEST(PtxMemory, misalignedAccessesAreFound) {
  expectFinding({"ld.global.b64 %d2, [%d1+4];"}, kMisalignedAddress, "not a multiple of 8");
  expectFinding({"ld.global.v2.b32 {%r1, %r2}, [%d0+4];"}, kMisalignedAddress,
                "not a multiple of 8");
}

TEST(PtxMemory, accessesOutOfBoundsAreFound) {
  expectFinding({"ld.global.b64 %d2, [%d1+8];"}, kIllegalAddress, "out of bounds");
  expectFinding({"mov.b32 %r1, 0;\nst.shared.b32 [one+8], %r1;", ".shared .align 4 .b8 one[8];"},
                kIllegalAddress, "out of bounds");
  expectFinding({".local .align 8 .b8 own[16];\n"
                 "mov.b32 %r1, 0;\nst.local.b32 [own+16], %r1;"},
                kIllegalAddress, "out of bounds");
}

TEST(PtxMemory, addressesOfOtherSpacesAreFound) {
  expectFinding({"mov.b64 %d2, one;\ncvta.shared.u64 %d3, %d2;\nst.global.b64 [%d3], %d2;",
                 ".shared .align 8 .b8 one[8];"},
                kInvalidAddressSpace, "as memory of the device");
  expectFinding({"mov.b64 %d2, one;\nst.b64 [%d2], %d2;", ".shared .align 8 .b8 one[8];"},
                kIllegalAddress, "out of bounds");
}

TEST(PtxMemory, ownMemoryIsReachedByBothKindsOfAddresses) {
  PtxOutcome outcome = runPtx({".local .align 8 .b8 own[16];\n"
                               "mov.b64 %d2, own;\ncvta.local.u64 %d3, %d2;\n"
                               "mov.b64 %d4, 77;\nst.local.b64 [%d2+8], %d4;\n"
                               "ld.b64 %d5, [%d3+8];\nst.global.b64 [%d0], %d5;\n"
                               "ld.local.b64 %d6, [own];\nst.global.b64 [%d0+8], %d6;"},
                              {}, {1, 1, 0, 2});
  EXPECT_EQ(outcome.results, (std::vector<uint64_t>{77, ~0ull})) << outcome.messages;
}

TEST(PtxMemory, tablesHaveTheirValues) {
  PtxOutcome outcome = runPtx({"ld.global.b32 %r1, [table+4];\nld.const.b8 %r2, [bytes+2];\n"
                               "ld.global.b32 %r3, [table+8];\nadd.s32 %r1, %r1, %r2;\n"
                               "add.s32 %r1, %r1, %r3;\n"
                               "cvt.u64.u32 %d2, %r1;\nst.global.b64 [%d0], %d2;",
                               ".global .align 4 .u32 table[3] = {1, 20};\n"
                               ".const .align 1 .b8 bytes[3] = {1, 2, 3};"});
  EXPECT_EQ(outcome.results, std::vector<uint64_t>{23}) << outcome.messages;
}

// Each thread hands its number to its neighbour.
const char *const kHandOver = "mov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\n"
                              "mov.b64 %d3, row;\nadd.s64 %d4, %d3, %d2;\n"
                              "st.shared.b32 [%d4], %r1;\n";
const char *const kTake = "add.s32 %r2, %r1, 1;\nand.b32 %r2, %r2, 63;\n"
                          "mul.wide.u32 %d5, %r2, 4;\nadd.s64 %d6, %d3, %d5;\n"
                          "ld.shared.b32 %r3, [%d6];\ncvt.u64.u32 %d7, %r3;\n"
                          "mul.wide.u32 %d8, %r1, 8;\nadd.s64 %d9, %d0, %d8;\n"
                          "st.global.b64 [%d9], %d7;";

TEST(PtxMemory, barriersOrderThreads) {
  PtxKernelText kernel = {std::string(kHandOver) + "bar.sync 0;\n" + kTake,
                          ".shared .align 4 .b8 row[256];", ".reqntid 64"};
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    PtxOutcome outcome = runPtx(kernel, {}, {64, 1, 0, 64}, seed);
    ASSERT_EQ(outcome.run, kSuccess) << outcome.messages;
    for (uint64_t i = 0; i < 64; ++i)
      EXPECT_EQ(outcome.results[i], (i + 1) % 64);
  }
}

TEST(PtxMemory, aMissingBarrierIsFound) {
  expectFinding({std::string(kHandOver) + kTake, ".shared .align 4 .b8 row[256];"}, kLaunchFailed,
                "race", {64, 1, 0, 64});
}

TEST(PtxMemory, aBarrierThatSomeDoNotReachIsFound) {
  expectFinding({"mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 7;\n@%p1 bra $end;\nbar.sync 0;\n"
                 "$end:"},
                kLaunchFailed, "divergent barrier", {64});
}

TEST(PtxMemory, sharedMemoryOfTheLaunchComesWithIt) {
  PtxKernelText kernel = {"mov.b64 %d2, more;\nmov.b64 %d4, 5;\nst.shared.b64 [%d2+8], %d4;\n"
                          "ld.shared.b64 %d5, [more+8];\nst.global.b64 [%d0], %d5;",
                          ".extern .shared .align 8 .b8 more[];"};
  EXPECT_EQ(runPtx(kernel, {}, {1, 1, 16}).results, std::vector<uint64_t>{5});
  expectFinding(kernel, kIllegalAddress, "out of bounds", {1, 1, 8});
}

TEST(PtxMemory, atomicUpdatesAreNoRace) {
  PtxKernelText kernel = {"atom.global.add.u32 %r1, [%d0], 1;\n"
                          "red.global.max.u32 [%d0+4], 9;"};
  PtxOutcome outcome = runPtx(kernel, {}, {32, 4});
  EXPECT_EQ(outcome.results, std::vector<uint64_t>{0x900000080}) << outcome.messages;
}

TEST(PtxMemory, lanesExchange) {
  PtxKernelText kernel = {"mov.u32 %r1, %tid.x;\n"
                          "shfl.sync.bfly.b32 %r2|%p1, %r1, 16, 31, -1;\n"
                          "add.s32 %r3, %r1, %r2;\nsetp.gt.u32 %p2, %r1, 3;\n"
                          "vote.sync.ballot.b32 %r4, %p2, -1;\n"
                          "redux.sync.add.u32 %r5, %r1, -1;\n"
                          "mul.wide.u32 %d2, %r1, 8;\nadd.s64 %d3, %d0, %d2;\n"
                          "add.s32 %r6, %r4, %r5;\n"
                          "mov.b64 %d4, {%r3, %r6};\nst.global.b64 [%d3], %d4;"};
  PtxOutcome outcome = runPtx(kernel, {}, {32, 1, 0, 32});
  ASSERT_EQ(outcome.run, kSuccess) << outcome.messages;
  for (uint64_t i = 0; i < 32; ++i)
    EXPECT_EQ(outcome.results[i], (0xfffffff0 + 496ull) << 32 % 64 | (2 * (i & 15) + 16));
}

// All of `a` is 2, and of `b` the lane's column: a sum of 16 products, and what it began with.
TEST(PtxMemory, lanesMultiplyMatrices) {
  for (bool isF16 : {true, false}) {
    std::string type = isF16 ? "f16" : "bf16";
    PtxKernelText kernel = {
        "mov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 2;\ncvt.rn.f32.u32 %r3, %r2;\n"
        "cvt.rn." +
        type +
        ".f32 %h1, %r3;\nmov.b32 %r4, {%h1, %h1};\n"
        "mov.b32 %r5, 0x40004000;\n"
        "mov.b32 %r6, 0f3f800000;\n"
        "mma.sync.aligned.m16n8k16.row.col.f32." +
        type + "." + type +
        ".f32 "
        "{%r8, %r9, %r10, %r11}, {%r5, %r5, %r5, %r5}, {%r4, %r4}, {%r6, %r6, %r6, %r6};\n"
        "mul.wide.u32 %d2, %r1, 8;\nadd.s64 %d3, %d0, %d2;\n"
        "mov.b64 %d4, {%r10, %r9};\nst.global.b64 [%d3], %d4;"};
    PtxOutcome outcome = runPtx(kernel, {}, {32, 1, 0, 32});
    ASSERT_EQ(outcome.run, kSuccess) << outcome.messages;
    for (uint64_t i = 0; i < 32; ++i) {
      auto bits = [](uint64_t column) {
        return uint64_t(std::bit_cast<uint32_t>(float(32 * column + 1)));
      };
      EXPECT_EQ(outcome.results[i], bits(i % 4 * 2 + 1) << 32 | bits(i % 4 * 2)) << i;
    }
  }
}

TEST(PtxMemory, aProductWithoutAllLanesIsFound) {
  PtxKernelText kernel = {
      "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 31;\nmov.b32 %r2, 0;\n"
      "@%p1 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r8, %r9, %r10, %r11}, "
      "{%r2, %r2, %r2, %r2}, {%r2, %r2}, {%r2, %r2, %r2, %r2};\nst.global.b32 [%d0], %r8;"};
  EXPECT_EQ(runPtx(kernel, {}, {32}).run, kLaunchFailed);
}

} // namespace
} // namespace sluice::test
