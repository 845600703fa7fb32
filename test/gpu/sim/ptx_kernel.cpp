// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes modules of bodies, and runs them.
#include "test/gpu/sim/ptx_kernel.h"

namespace sluice::test {

std::string PtxKernelText::text() const {
  return ".version 7.8\n.target sm_90\n.address_size 64\n" + variables +
         "\n.visible .entry test(.param .u64 .ptr .global .align 8 to, .param .u64 from)\n" +
         attributes +
         "\n{\n.reg .pred %p<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<32>;\n.reg .b64 %d<32>;\n"
         "ld.param.b64 %d0, [to];\nld.param.b64 %d1, [from];\n" +
         body + "\nret;\n}\n";
}

PtxOutcome runPtx(const PtxKernelText &kernel, const std::vector<uint64_t> &inputs, PtxShape shape,
                  uint64_t seed) {
  SimulatedDriver driver(seed, {{"SLUICE_SIM_PTX", "1"}});
  driver.begin();
  PtxOutcome outcome;
  std::string image = kernel.text();
  Module module = nullptr;
  Function function = nullptr;
  testing::internal::CaptureStderr();
  outcome.load = driver.cuModuleLoadData(&module, image.c_str());
  if (outcome.load == kSuccess) {
    EXPECT_EQ(driver.cuModuleGetFunction(&function, module, "test"), kSuccess);
    Stream stream = driver.stream();
    DevicePointer to = driver.upload(std::vector<uint64_t>(shape.results)),
                  from = driver.upload(inputs.empty() ? std::vector<uint64_t>(1) : inputs);
    void *parameters[] = {&to, &from};
    driver.cuLaunchKernel(function, shape.blocks, 1, 1, shape.threads, 1, 1, shape.dynamicBytes,
                          stream, parameters, nullptr);
    outcome.run = driver.cuStreamSynchronize(stream);
    if (outcome.run == kSuccess)
      outcome.results = driver.download<uint64_t>(to, shape.results);
  }
  outcome.messages = testing::internal::GetCapturedStderr();
  return outcome;
}

uint64_t computePtx(char kind, const std::string &instruction,
                    const std::vector<uint64_t> &inputs) {
  std::string body;
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string number = std::to_string(i + 1), wide = "%d" + std::to_string(i + 4);
    body += "ld.global.b64 " + wide + ", [%d1+" + std::to_string(8 * i) + "];\n" +
            "cvt.u32.u64 %r" + number + ", " + wide + ";\n" + "cvt.u16.u64 %h" + number + ", " +
            wide + ";\n";
  }
  body += instruction + "\n";
  if (kind == 'r')
    body += "cvt.u64.u32 %d3, %r0;\n";
  else if (kind == 'h')
    body += "cvt.u64.u16 %d3, %h0;\n";
  else if (kind == 'p')
    body += "selp.b64 %d3, 1, 0, %p0;\n";
  PtxOutcome outcome = runPtx({body + "st.global.b64 [%d0], %d3;"}, inputs);
  EXPECT_EQ(outcome.load, kSuccess) << instruction << ": " << outcome.messages;
  EXPECT_EQ(outcome.run, kSuccess) << instruction << ": " << outcome.messages;
  return outcome.results.empty() ? 0xbadbadbad : outcome.results[0];
}

} // namespace sluice::test
