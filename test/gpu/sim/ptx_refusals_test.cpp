// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is no PTX that the simulator knows is refused when it is loaded, with its line; and what
// images programs get to.
#include "runtime/sim/image.h"
#include "test/gpu/sim/handwritten_twin.h"
#include "test/gpu/sim/ptx_kernel.h"

#include <fstream>
#include <sstream>

namespace sluice::test {
namespace {

void expectRefused(const PtxKernelText &kernel, const std::string &words) {
  PtxOutcome outcome = runPtx(kernel);
  EXPECT_EQ(outcome.load, kInvalidPtx) << kernel.body;
  EXPECT_NE(outcome.messages.find(words), std::string::npos) << outcome.messages;
}

TEST(PtxRefusals, unknownInstructionsAreNamedWithTheirLine) {
  expectRefused({"add.s32 %r1, %r2, %r3;\n  wgmma.fence.sync;"},
                "line 15, in 'test': unknown instruction 'wgmma.fence.sync'");
  for (const char *instruction :
       {"add.rn.brightly.f32 %r0, %r1, %r2;", "add.rm.f32 %r0, %r1, %r2;",
        "add.f32 %r0, %r1, %r2;", // which ptxas may join with a product
        "mul.s32 %r0, %r1, %r2;", "cvt.f32.f64 %r0, %d2;", "ld.global.v3.b32 {%r1}, [%d0];",
        "shl.b32 %r0, %r1;", "bar.sync 0, 64;"})
    expectRefused({instruction}, "unknown instruction");
}

TEST(PtxRefusals, operandsHaveTheirSizes) {
  expectRefused({"add.s32 %r1, %d2, %r3;"}, "expected '%d2' to have 4 bytes");
  expectRefused({"add.rn.f32 %r1, %r2, 1;"}, "floating point");
  expectRefused({"mov.b32 %r1, %r77;"}, "'%r77'");
  expectRefused({"setp.lt.s32 %r1, %r2, %r3;"}, "'%r1'");
  expectRefused({"@%r1 bra $there;\n$there:"}, "a predicate");
  expectRefused({"bra $nowhere;"}, "'$nowhere'");
  expectRefused({"ld.global.b32 %r1, [%r2];"}, "address of 64 bits");
}

TEST(PtxRefusals, parametersAreReadWithinTheirBounds) {
  expectRefused({"ld.param.b64 %d2, [to+8];"}, "out of bounds");
  expectRefused({"ld.param.b32 %r2, [to+2];"}, "misaligned");
}

TEST(PtxRefusals, functionsAreNotCalled) {
  expectRefused({"call.uni printf, (to);"}, "cudaGraphSetConditional");
}

TEST(PtxRefusals, damagedTextIsRefused) {
  std::string text = PtxKernelText{"$a: add.s32 %r1, %r2, %r3;\nst.global.v2.b32 [%d0+8], {%r1, "
                                   "%r4};\n@!%p1 bra $a;\nmov.b32 %r1, 0f3F800000;",
                                   ".global .align 4 .u32 table[3] = {1, 20};"}
                         .text();
  SimulatedDriver driver(1, {{"SLUICE_SIM_PTX", "1"}});
  driver.begin();
  testing::internal::CaptureStderr();
  Module module = nullptr;
  EXPECT_EQ(driver.cuModuleLoadData(&module, text.c_str()), kSuccess);
  for (size_t length = text.find(".entry") + 1; length + 4 < text.size(); ++length)
    EXPECT_NE(driver.cuModuleLoadData(&module, text.substr(0, length).c_str()), kSuccess) << length;
  testing::internal::GetCapturedStderr();
}

TEST(PtxRefusals, theLogSaysWhatIsWrong) {
  SimulatedDriver driver(1, {{"SLUICE_SIM_PTX", "1"}});
  driver.begin();
  char log[64] = "";
  JitOption names[] = {kJitErrorLogBuffer, kJitErrorLogBufferBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  std::string text = PtxKernelText{"wgmma.fence.sync;"}.text();
  Module module = nullptr;
  testing::internal::CaptureStderr();
  EXPECT_EQ(driver.cuModuleLoadDataEx(&module, text.c_str(), 2, names, values), kInvalidPtx);
  testing::internal::GetCapturedStderr();
  EXPECT_STREQ(log, "line 14, in 'test': unknown instruction 'wgmma.fence.sync'");
}

// A program goes on to its text, as if the card were a newer one.
TEST(PtxRefusals, cubinsAreNotTaken) {
  std::ostringstream bytes;
  bytes << std::ifstream(SLUICE_RECORDED_CUBIN, std::ios::binary).rdbuf();
  SimulatedDriver driver(1, {{"SLUICE_SIM_PTX", "1"}});
  driver.begin();
  Module module = nullptr;
  testing::internal::CaptureStderr();
  EXPECT_EQ(driver.cuModuleLoadData(&module, bytes.str().c_str()), kNoBinaryForGpu);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(PtxRefusals, blocksAreWhatTheTextSays) {
  PtxOutcome outcome = runPtx({"", "", ".reqntid 32"}, {}, {64});
  EXPECT_NE(outcome.messages.find("expected blocks of 32 x 1 x 1"), std::string::npos)
      << outcome.messages;
}

} // namespace
} // namespace sluice::test
