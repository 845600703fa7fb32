// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is suggested for a name that there is not.
#include "compiler/import/NearestNames.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::import {
namespace {

std::string suggestion(llvm::StringRef wrong, std::vector<llvm::StringRef> names) {
  return didYouMean(wrong, names);
}

TEST(NearestNames, BySpelling) {
  EXPECT_EQ(suggestion("lgits", {"x", "logits", "labels"}), " (did you mean 'logits'?)");
  EXPECT_EQ(suggestion("loss", {"x", "y"}), "");
  EXPECT_EQ(suggestion("layer1", {"layer2", "layer3", "layer4", "layer5"}),
            " (did you mean 'layer2', 'layer3' or 'layer4'?)");
}

TEST(NearestNames, EndsOfPathsComeFirst) {
  EXPECT_EQ(suggestion("logits", {"logits_1", "model/dense/logits", "model/xlogits"}),
            " (did you mean 'model/dense/logits' or 'logits_1'?)");
}

TEST(NearestNames, TooMuchToCompare) {
  EXPECT_EQ(suggestion("", {"x"}), "");
  EXPECT_EQ(suggestion(std::string(300, 'x'), {"x"}), "");
  std::vector<llvm::StringRef> many(100001, "logits");
  EXPECT_EQ(suggestion("logit", many), "");
}

} // namespace
} // namespace sluice::import
