// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device names in all forms that graphs have.
#include "compiler/import/DeviceName.h"

#include <gtest/gtest.h>

namespace sluice::import {
namespace {

std::string canonical(const std::string &text) {
  auto name = DeviceName::parse(text);
  return name ? name->text() : "malformed";
}

TEST(DeviceName, FullNames) {
  const std::string full = "/job:worker/replica:0/task:12/device:CPU:3";
  EXPECT_EQ(canonical(full), full);
  EXPECT_TRUE(DeviceName::parse(full)->isFull());
  for (const char *text :
       {"/replica:0/task:12/device:CPU:3", "/job:worker/task:12/device:CPU:3",
        "/job:worker/replica:0/device:CPU:3", "/job:worker/replica:0/task:12/device:*:3",
        "/job:worker/replica:0/task:12/device:CPU"})
    EXPECT_FALSE(DeviceName::parse(text)->isFull()) << text;
  EXPECT_EQ(canonical("/device:CPU:3/task:12/replica:0/job:worker"), full);
}

TEST(DeviceName, PartialNames) {
  EXPECT_EQ(canonical(""), "");
  EXPECT_EQ(canonical("/task:1"), "/task:1");
  EXPECT_EQ(canonical("/task:2147483647"), "/task:2147483647");
  EXPECT_EQ(canonical("/job:*/replica:*/task:*/device:*:*"), "");
  EXPECT_EQ(canonical("/device:CPU:*"), "/device:CPU:*");
  EXPECT_EQ(canonical("/device:CPU"), "/device:CPU:*");
  EXPECT_EQ(canonical("/device:*:7"), "/device:*:7");
  EXPECT_EQ(canonical("/device:XLA_CPU:0"), "/device:XLA_CPU:0");
}

TEST(DeviceName, OldNames) {
  EXPECT_EQ(canonical("/cpu:0"), "/device:CPU:0");
  EXPECT_EQ(canonical("/job:w/GPU:1"), "/job:w/device:GPU:1");
  EXPECT_EQ(canonical("/gpu:*"), "/device:GPU:*");
  EXPECT_EQ(canonical("/device:gpu:1"), "/device:GPU:1");
}

TEST(DeviceName, TheLastOfTwoPartsCounts) {
  EXPECT_EQ(canonical("/job:a/task:1/job:b/task:*"), "/job:b");
  EXPECT_EQ(canonical("/cpu:0/device:GPU:1"), "/device:GPU:1");
  EXPECT_EQ(canonical("/device:CPU:1/device:GPU"), "/device:GPU:*");
}

TEST(DeviceName, Malformed) {
  for (const char *text :
       {"/", "cpu:0", "/cpu", "/cpu:", "/cpu:x", "/gpu:-1", "/job:", "/job:/task:x/gpu:-1",
        "/job:a b", "/job:1a", "/job:a;b", "/task:x", "/task:1x", "/task:2147483648",
        "/task:99999999999999999999", "/replica:", "/device:", "/device:CPU:", "/device::0",
        "/device:CPU:0 ", "/device:CPU:0/", "//job:a", "/tpu:0", "/job:a/nix:0"})
    EXPECT_EQ(canonical(text), "malformed") << text;
}

TEST(DeviceName, Allows) {
  DeviceName full = *DeviceName::parse("/job:worker/replica:0/task:1/device:CPU:0");
  auto allows = [&](const char *text) { return DeviceName::parse(text)->allows(full); };
  EXPECT_TRUE(allows(""));
  EXPECT_TRUE(allows("/job:worker/replica:0/task:1/device:CPU:0"));
  EXPECT_TRUE(allows("/job:*/task:1"));
  EXPECT_TRUE(allows("/cpu:0"));
  EXPECT_FALSE(allows("/job:ps"));
  EXPECT_FALSE(allows("/replica:1"));
  EXPECT_FALSE(allows("/task:0"));
  EXPECT_FALSE(allows("/gpu:0"));
  EXPECT_FALSE(allows("/cpu:1"));
}

} // namespace
} // namespace sluice::import
