// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --load and --save of checkpoints: which path is one, what is in it, and what is refused.
#include "runtime/api/variable_checkpoints.h"
#include "runtime/io/bundle/bundle_writer.h"
#include "runtime/io/bundle/message.h"
#include "runtime/io/bundle/object_tensors.h"
#include "runtime/io/bundle/table_checkpoint.h"
#include "test/runtime/api/bench.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

constexpr const char *kX = "x=1x2xf32=1,2";

TEST(VariableCheckpoints, FormsOfPaths) {
  EXPECT_EQ(savedCheckpoint("a/c.ckpt"), "a/c.ckpt");
  EXPECT_EQ(savedCheckpoint("a/c-7.index"), "a/c-7");
  for (const char *path : {"c", "c.safetensors", ".index", "c.ckpt.safetensors", ""})
    EXPECT_FALSE(savedCheckpoint(path)) << path;
  MemoryDisk disk;
  disk.files["c.index"] = disk.files["w"] = disk.files["w.index"] = "";
  EXPECT_EQ(loadedCheckpoint("c", disk), "c");
  EXPECT_EQ(loadedCheckpoint("c.index", disk), "c");
  EXPECT_EQ(loadedCheckpoint("c.data-00000-of-00001", disk), "c");
  EXPECT_FALSE(loadedCheckpoint("w", disk)); // a file of its own, with another beside it
  EXPECT_FALSE(loadedCheckpoint("nothing", disk));
  EXPECT_FALSE(loadedCheckpoint("of.data-files/other/w.safetensors", disk));
}

TEST(VariableCheckpoints, WhatIsSavedIsLoaded) {
  Bench b;
  b.runner.variable("counter")->value = Tensor::scalar(4.0f);
  b.runner.variable("label")->value = Tensor::string("text");
  EXPECT_EQ(b.run({"--run=train", "--save=state.ckpt"}), 0) << b.err;
  EXPECT_EQ(b.disk.files.size(), 2u);
  for (const char *path : {"state.ckpt", "state.ckpt.index", "state.ckpt.data-00000-of-00001"}) {
    Bench other;
    other.disk.files = b.disk.files;
    EXPECT_EQ(other.run({"--load", path, "--input", kX}), 0) << other.err;
    EXPECT_EQ(other.out, "y:0 f32[1,2] =\n[[6, 7]]\n");
    EXPECT_EQ(*other.runner.variable("label")->value.data<std::string>(), "text");
    EXPECT_FALSE(other.runner.variable("table")->initialized());
  }
}

TEST(VariableCheckpoints, TheFirstFormat) {
  Bench b;
  Tensor five = Tensor::scalar(5.0f);
  const SavedTensor saved[] = {{"counter", {}, TensorSlice::whole(0), &five}};
  ASSERT_TRUE(writeTableCheckpoint("old", saved, b.disk).ok());
  EXPECT_EQ(b.run({"--load=old", "--input", kX}), 0) << b.err;
  EXPECT_EQ(b.out, "y:0 f32[1,2] =\n[[6, 7]]\n");
}

std::string field(uint32_t number, std::string_view bytes) {
  MessageWriter writer;
  writer.bytes(number, bytes);
  return writer.take();
}

// An object with one attribute that is a variable.
std::string object(std::string_view name, std::string_view key) {
  return field(1, field(2, field(1, "VARIABLE_VALUE") + field(2, name) + field(3, key)));
}

TEST(VariableCheckpoints, ObjectsByTheirNames) {
  Bench b;
  auto writer = BundleWriter::begin("c", b.disk);
  ASSERT_TRUE(writer.ok());
  const std::string key = "model/n/.ATTRIBUTES/VARIABLE_VALUE";
  ASSERT_TRUE((*writer)->add(key, Tensor::scalar(5.0f)).ok());
  ASSERT_TRUE((*writer)->add("save_counter", Tensor::scalar(int64_t{1})).ok());
  ASSERT_TRUE((*writer)->add(kObjectGraph, Tensor::string(object("counter", key))).ok());
  ASSERT_TRUE((*writer)->commit().ok());
  EXPECT_EQ(b.run({"--load=c", "--input", kX}), 0) << b.err;
  EXPECT_EQ(b.out, "y:0 f32[1,2] =\n[[6, 7]]\n");
  EXPECT_EQ(b.err, "warning: 'c': the program has no variables 'save_counter': their values are "
                   "ignored\n");
}

TEST(VariableCheckpoints, NamesThatSeveralObjectsHave) {
  auto tensors = tensorsOfVariables(object("a", "1") + object("b", "2") + object("a", "3") +
                                    object("b", "2") + object("", "4"));
  ASSERT_TRUE(tensors.ok());
  EXPECT_EQ(*tensors, (std::map<std::string, std::string>{{"b", "2"}}));
  EXPECT_EQ(tensorsOfVariables("\x0a\x05").status().code(), Code::kDataLoss);
}

TEST(VariableCheckpoints, WhatIsRefused) {
  Bench b;
  b.runner.variable("counter")->value = Tensor::scalar(4.0f);
  ASSERT_EQ(b.run({"--input", kX, "--save=c.ckpt"}), 0) << b.err;
  const std::string data = "c.ckpt.data-00000-of-00001";
  b.disk.files[data][0] ^= 1;
  EXPECT_EQ(b.run({"--load=c.ckpt", "--input", kX}), 1);
  EXPECT_NE(b.err.find("DATA_LOSS: 'c.ckpt': tensor 'counter': wrong checksum"), std::string::npos)
      << b.err;
  b.disk.files.erase(data);
  EXPECT_EQ(b.run({"--load=c.ckpt", "--input", kX}), 3);
  EXPECT_NE(b.err.find("cannot read '" + data), std::string::npos) << b.err;
  b.disk.files["c.ckpt.index"].pop_back();
  EXPECT_EQ(b.run({"--load=c.ckpt", "--input", kX}), 1);
  EXPECT_EQ(b.runner.variable("counter")->value.data<float>()[0], 4);
  b.disk.failingWrites["full.ckpt.index"] = {Code::kUnavailable, "full"};
  EXPECT_EQ(b.run({"--input", kX, "--save=full.ckpt"}), 3);
  EXPECT_EQ(b.run({"--input", kX, "--save=d.ckpt", "--output=y=@d.ckpt.index.npy"}), 0) << b.err;
  EXPECT_EQ(b.run({"--input", kX, "--save=e.npy.index", "--output=y=@e.npy"}), 0) << b.err;
}

} // namespace
} // namespace sluice::rt
