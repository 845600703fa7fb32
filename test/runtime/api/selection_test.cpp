// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which signature is meant, what it is given, and what --help says of it.
#include "runtime/api/flag_table.h"
#include "runtime/io/npz.h"
#include "test/runtime/api/bench.h"

#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

constexpr const char *kX = "x=1x2xf32=1,2";

bool has(const std::string &text, std::string_view part) { return text.find(part) != text.npos; }

// A program with some signatures of the fake one.
struct Few : Bench {
  explicit Few(std::initializer_list<size_t> which) {
    std::vector<SignatureInfo> few;
    for (size_t i : which)
      few.push_back(runner.signatures_[i]);
    runner.signatures_ = few;
  }
};

TEST(Selection, HelpHasAnExampleOfTheFirstSignature) {
  const std::pair<size_t, const char *> rows[] = {
      {0, "--input x=@input.npy --output y=-"},
      {1, "--run train"},
      {2, "--input s=@input.json --input n=zeros --output s=-"},
      {3, "--input x=@input.npy --output y=-"}};
  for (const auto &[signature, example] : rows) {
    Few b{signature};
    EXPECT_EQ(b.run({"--help"}), 0);
    EXPECT_TRUE(b.out.ends_with(std::string("\nexample:\n  ./fake ") + example + '\n')) << b.out;
  }
  Few none{};
  EXPECT_EQ(none.run({"--help"}), 0);
  EXPECT_TRUE(none.out.starts_with("fake: a compiled dataflow graph\n\nusage: ./fake [FLAG]...\n\n"
                                   "signatures:\n  none\n\nflags"))
      << none.out;
  EXPECT_FALSE(has(none.out, "example:"));
}

TEST(Selection, FlagsMayBeGivenOnceUnlessTheyAreLists) {
  std::string lists;
  for (std::string_view name : flagNames(Role::kFirstRank))
    if (findFlag(name, Role::kFirstRank)->repeats)
      lists += std::string(name) + ' ';
  EXPECT_EQ(lists, "--input --output --run --expected --limit ");
}

TEST(Selection, OfTheOnlySignature) {
  Few two{0, 1}, one{0};
  two.runner.signatures_[0].name = one.runner.signatures_[0].name = "other";
  EXPECT_EQ(two.run(std::vector<const char *>()), 2);
  EXPECT_TRUE(has(two.err, "'other', 'step'; choose with --signature NAME")) << two.err;
  EXPECT_EQ(two.run({"--signature=none"}), 2);
  EXPECT_FALSE(has(two.err, "; choose with")) << two.err;
  EXPECT_EQ(one.run({"--input", kX, "--limit=json-depth=9", "--limit=request-bytes=999"}), 0)
      << one.err;
}

TEST(Selection, EveryNameIsLookedAt) {
  Bench b;
  b.runner.variable("counter")->value = Tensor::scalar(1.0f);
  b.runner.signatures_[1].targets.push_back("other");
  EXPECT_EQ(b.run({"--signature=step", "--run=train", "--run=other"}), 0) << b.err;
  EXPECT_EQ(b.run({"--signature=both", "--input", kX, "--run=train", "--run=nothing"}), 2);
  EXPECT_TRUE(has(b.err, "no target 'nothing'")) << b.err;
  EXPECT_EQ(b.run({"--signature=both", "--input", kX, "--output=y=-", "--output=nothing=-"}), 2);
  EXPECT_TRUE(has(b.err, "--output: the signature has no fetch 'nothing'")) << b.err;
  EXPECT_EQ(
      b.run({"--signature=both", "--input", kX, "--expected=y=zeros", "--expected=nothing=zeros"}),
      2);
  EXPECT_TRUE(has(b.err, "--expected: the signature has no fetch 'nothing'")) << b.err;
  for (const auto &[flag, message] :
       {std::pair("--input=nothing=1", "--input: no signature has the feed 'nothing'"),
        {"--output=nothing=-", "--output: no signature has the fetch 'nothing'"},
        {"--expected=nothing=1", "--expected: no signature has the fetch 'nothing'"},
        {"--run=nothing", "--run: no signature has the target 'nothing'"},
        {"--input=s=string=a", "no signature has all the given"},
        {"--output=s=-", "no signature has all the given"},
        {"--expected=s=string=a", "no signature has all the given"}}) {
    EXPECT_EQ(b.run({"--input", kX, "--run=train", "--output=loss=-", flag}), 2);
    EXPECT_TRUE(has(b.err, message)) << b.err;
  }
}

TEST(Selection, ArchivesAreToldApart) {
  Bench b;
  b.runner.variable("counter")->value = Tensor::scalar(1.0f);
  EXPECT_EQ(b.run({"--input", kX, "--output=y=@a.npz[k]", "--output=loss=@b.npz[k]",
                   "--output=y=@c.json"}),
            2);
  EXPECT_EQ(b.run({"--input", kX, "--output=y=@a.npz[k]", "--output=loss=@b.npz[k]"}), 0) << b.err;
  EXPECT_EQ(NpzArray::open(b.disk.files["a.npz"], "k")->read()->rank(), 2);
  EXPECT_EQ(NpzArray::open(b.disk.files["b.npz"], "k")->read()->rank(), 0);
}

TEST(Selection, AllDifferencesAreTold) {
  Bench b;
  b.runner.variable("counter")->value = Tensor::scalar(1.0f);
  EXPECT_EQ(b.run({"--input", kX, "--expected=y=1x2xf32=3,9", "--expected=loss=f32=1"}), 5);
  EXPECT_EQ(
      b.err,
      "trained\nerror: MISMATCH: output 'y:0' at [0,1]: expected 9 but got 4; 1 of 2 elements "
      "differ "
      "(rtol 1e-05, atol 1e-06); output 'loss:0' at []: expected 1 but got 0.5; 1 of 1 elements "
      "differ (rtol 1e-05, atol 1e-06)\n");
}

TEST(Selection, RandomFeedsDiffer) {
  Bench b;
  b.runner.signatures_[0].feeds.push_back({"z:0", DType::kF32, Shape{2}});
  b.runner.signatures_[0].fetches.clear();
  EXPECT_EQ(b.run({"--signature=main", "--input=x=1x2xf32=rand", "--input=z=2xf32=rand"}), 0)
      << b.err;
  ASSERT_EQ(b.runner.feeds.size(), 2u);
  EXPECT_NE(b.runner.feeds[0].data<float>()[0], b.runner.feeds[1].data<float>()[0]);
  EXPECT_NE(b.runner.feeds[0].data<float>()[1], b.runner.feeds[1].data<float>()[1]);
}

} // namespace
