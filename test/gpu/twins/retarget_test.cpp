// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a twin keeps of its module, and what no twin can be made of.
#include "compiler/codegen/sim/CompileTwin.h"
#include "test/gpu/twins/kernel_calls.h"

#include "llvm/IR/Instructions.h"

#include <cfloat>
#include <fstream>

namespace sluice::test {
namespace {

TEST(Retarget, atomicsAndDynamicSharedMemory) {
  KernelRuns runs("histogram");
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SimulatedDriver driver(seed, runs.settings());
    driver.begin();
    Function function = driver.function(runs.image(), "histogram");
    Stream stream = driver.stream();
    std::vector<uint8_t> bytes(256);
    std::vector<int> expected(16);
    for (size_t i = 0; i < bytes.size(); ++i)
      ++expected[bytes[i] = i * i % 13];
    DevicePointer from = driver.upload(bytes), to = driver.upload(std::vector<int>(16));
    void *parameters[] = {&to, &from};
    auto launch = [&](unsigned block, unsigned shared) {
      return driver.cuLaunchKernel(function, 4, 1, 1, block, 1, 1, shared, stream, parameters,
                                   nullptr);
    };
    testing::internal::CaptureStderr();
    EXPECT_EQ(launch(32, 64), kInvalidValue); // it says which blocks it wants
    launch(64, 64);
    EXPECT_EQ(driver.cuStreamSynchronize(stream), kSuccess);
    EXPECT_EQ(driver.download<int>(to, 16), expected);
    launch(64, 48); // three quarters of what it needs
    EXPECT_EQ(driver.cuStreamSynchronize(stream), kIllegalAddress);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("the launch's shared memory"),
              std::string::npos);
  }
}

TEST(Retarget, denormalsAreWhatTheKernelWants) {
  KernelRuns runs("halve");
  for (const char *name : {"halve", "halve_flushed"}) {
    SimulatedDriver driver(1, runs.settings());
    driver.begin();
    Function function = driver.function(runs.image(), name);
    Stream stream = driver.stream();
    DevicePointer place = driver.upload(std::vector<float>{FLT_MIN});
    void *parameters[] = {&place};
    EXPECT_EQ(driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr),
              kSuccess);
    EXPECT_EQ(driver.cuStreamSynchronize(stream), kSuccess);
    EXPECT_EQ(driver.download<float>(place, 1)[0] != 0, std::string(name) == "halve");
  }
}

// ---- What is refused ----------------------------------------------------------------------------

std::string refusal(KernelModule &kernel, const std::string &image) {
  auto object = codegen::compileTwin(kernel.module(), image);
  return object ? std::string() : llvm::toString(object.takeError());
}

TEST(Retarget, refusesWhatTheSimulatorDoesNotHave) {
  struct Case {
    const char *before, *after, *words;
  };
  const std::string image = KernelModule("axpy").image();
  for (const Case &one :
       {Case{"@llvm.nvvm.read.ptx.sreg.tid.x()\n  %add", "@llvm.nvvm.read.ptx.sreg.clock()\n  %add",
             "does not have 'llvm.nvvm.read.ptx.sreg.clock'"},
        Case{"%mul1 = fmul float %a, %3",
             "%mul1 = call float asm \"mul.f32 $0, $1, $1;\", \"=f,f\"(float %3)",
             "'axpy' holds assembly"}}) {
    KernelModule kernel("axpy");
    kernel.replaceText(one.before, one.after);
    EXPECT_NE(refusal(kernel, image).find(one.words), std::string::npos) << one.words;
  }
  KernelModule stranger("axpy");
  stranger.calls("llvm.nvvm.read.ptx.sreg.tid.x").at(0)->getCalledFunction()->setName("stranger");
  EXPECT_NE(refusal(stranger, image).find("does not have 'stranger'"), std::string::npos);
}

TEST(Retarget, refusesSharedVariablesOfUnknownAlignment) {
  KernelModule kernel("transpose");
  std::string image = kernel.image();
  kernel.module().getNamedGlobal("tile")->setAlignment(llvm::MaybeAlign());
  EXPECT_NE(refusal(kernel, image).find("explicit alignment of the shared variable 'tile'"),
            std::string::npos);
}

TEST(Retarget, refusesImagesThatAreNone) {
  KernelModule kernel("axpy");
  EXPECT_EQ(refusal(kernel, "nonsense"), "expected a cubin or PTX");
}

// A twin of another module with the same name is found out.
TEST(Retarget, theImageIsComparedWithTheTwin) {
  KernelModule kernel("axpy"), other("block_sum");
  TwinFolder folder;
  std::string image = other.image();
  folder.add(kernel, image);
  SimulatedDriver driver(1, {{"SLUICE_SIM_TWINS", folder.path()}});
  driver.begin();
  Module module;
  testing::internal::CaptureStderr();
  EXPECT_EQ(driver.cuModuleLoadData(&module, image.c_str()), kInvalidImage);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("expected the twin's kernel 'block_sum'"),
            std::string::npos);
}

// ---- A program that knows nothing of the simulator ----------------------------------------------

TEST(Retarget, programsFindTheSimulatedDriverAsALibrary) {
  KernelRuns runs("axpy");
  std::string folder = runs.settings()["SLUICE_SIM_TWINS"], file = folder + "/axpy.ptx";
  std::ofstream(file) << runs.image();
  std::string command =
      "SLUICE_SIM_TWINS=" + folder + " " SLUICE_DRIVER_PROGRAM " " SLUICE_SIM_LIBRARY " " + file;
  EXPECT_EQ(system(command.c_str()), 0);
}

} // namespace
} // namespace sluice::test
