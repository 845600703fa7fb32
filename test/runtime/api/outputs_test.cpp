// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs that would destroy each other.
#include "runtime/io/npz.h"
#include "test/runtime/api/bench.h"

#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

bool has(const std::string &text, std::string_view part) { return text.find(part) != text.npos; }

constexpr const char *kX = "x=1x2xf32=1,2";

TEST(Outputs, AreComparedByFileNotByName) {
  Bench b;
  for (const char *other : {"--save=./a.npy", "--output=y:0=@./a.npy"}) {
    EXPECT_EQ(b.run({"--signature=both", "--input", kX, "--output", "loss=@a.npy", other}), 2);
    EXPECT_TRUE(has(b.err, "is to be written twice")) << b.err;
  }
  b.runner.variable("counter")->value = Tensor::scalar(1.0f);
  EXPECT_EQ(b.run({"--signature=both", "--input", kX, "--output", "loss=@a.npz[l]", "--output",
                   "y=@./a.npz[y]"}),
            0)
      << b.err;
  for (const char *key : {"y", "l"})
    EXPECT_TRUE(NpzArray::open(b.disk.files["a.npz"], key).ok()) << key;
}

} // namespace
