// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command lines that are refused before anything runs.
#include "test/runtime/api/bench.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace sluice::rt;

namespace {

constexpr const char *kX = "x=1x2xf32=1,2";

struct UsageCase {
  std::vector<const char *> arguments;
  const char *message;
};

const UsageCase kWrongUsage[] = {
    {{"--inptu", kX}, "unknown flag '--inptu' (did you mean '--input'?)"},
    {{"--zzzzzzzz=3"}, "unknown flag '--zzzzzzzz'; --help lists all flags"},
    {{"x=zeros"}, "unexpected argument 'x=zeros'"},
    {{"-"}, "unexpected argument '-'"},
    {{""}, "unexpected argument ''"},
    {{"-x"}, "unknown flag '-x'"},
    {{"\xff\xfe"}, "unexpected argument '\\xff\\xfe'"},
    {{"--input"}, "--input needs a value: --input=NAME=VALUE"},
    {{"--input", "--stats"}, "--input needs a value"},
    {{"--input", "x"}, "--input: expected NAME=VALUE but got 'x'"},
    {{"--input", "=zeros"}, "--input: expected NAME=VALUE but got '=zeros'"},
    {{"--input", "x="}, "--input: expected a value for 'x'"},
    {{"--input="}, "--input: expected NAME=VALUE but got an empty string"},
    {{"--signature", ""}, "--signature: expected NAME but got an empty string"},
    {{"--load="}, "--load: expected FILE but got an empty string"},
    {{"--run", "a", "--run=a"}, "--run is given twice for 'a'"},
    {{"--stats", "--stats"}, "--stats is given twice"},
    {{"--stats=1"}, "--stats takes no value"},
    {{"--steps=1", "--steps=1"}, "--steps is given twice"},
    {{"--steps=0"}, "--steps: expected a whole number from 1 to 9223372036854775807 but got '0'"},
    {{"--steps=-1"}, "--steps: expected a whole number"},
    {{"--steps", "-1"}, "--steps: expected a whole number"},
    {{"--steps=1e9"}, "--steps: expected a whole number"},
    {{"--steps=0x10"}, "--steps: expected a whole number"},
    {{"--steps=99999999999999999999"}, "--steps: expected a whole number"},
    {{"--workers=1025"}, "--workers: expected a whole number from 0 to 1024"},
    {{"--workers=abc"}, "--workers: expected a whole number"},
    {{"--parallel-iterations=0"}, "--parallel-iterations: expected a whole number from 1"},
    {{"--parallel-iterations=2147483648"}, "--parallel-iterations: expected"},
    {{"--schedule-seed=18446744073709551616"}, "--schedule-seed: expected a whole number"},
    {{"--random-seed=1.5"}, "--random-seed: expected a whole number"},
    {{"--memory-limit=0"}, "--memory-limit: expected a number of bytes"},
    {{"--memory-limit=17179869184G"}, "--memory-limit: expected a number of bytes"},
    {{"--memory-limit=5X"}, "--memory-limit: expected a number of bytes"},
    {{"--card-library=always"}, "--card-library: expected auto or never but got 'always'"},
    {{"--allow-tf32=yes"}, "--allow-tf32 takes no value"},
    {{"--guard-pages=both"}, "--guard-pages: expected behind or before but got 'both'"},
    {{"--expected=y=zeros", "--rtol=-1"}, "--rtol: expected a number of at least 0"},
    {{"--expected=y=zeros", "--rtol=nan"}, "--rtol: expected a number of at least 0"},
    {{"--expected=y=zeros", "--atol=0,5"}, "--atol: expected a number of at least 0"},
    {{"--atol=1"}, "--atol needs --expected"},
    {{"--diagnostics-format=xml"}, "--diagnostics-format: expected text or json but got 'xml'"},
    {{"--calls=-", "--input", kX}, "--calls and --input exclude each other"},
    {{"--calls=-", "--steps=2"}, "--calls and --steps exclude each other"},
};

TEST(Usage, RefusesWrongUsage) {
  for (const UsageCase &c : kWrongUsage) {
    Bench b;
    EXPECT_EQ(b.run(c.arguments), 2) << c.message;
    EXPECT_TRUE(b.err.starts_with("error: USAGE: ")) << b.err;
    EXPECT_NE(b.err.find(c.message), b.err.npos) << b.err << "expected: " << c.message;
    EXPECT_EQ(std::count(b.err.begin(), b.err.end(), '\n'), 1) << b.err;
    EXPECT_EQ(b.runner.calls, 0u);
  }
}

TEST(Usage, SurvivesHugeArguments) {
  std::string huge(2 << 20, 'a');
  for (const char *prefix : {"", "--", "--input=", "--input=x=", "--steps=", "--output=y="}) {
    Bench b;
    std::string argument = prefix + huge;
    EXPECT_EQ(b.run({argument.c_str()}), 2) << prefix;
    EXPECT_LT(b.err.size(), 1000u);
  }
}

} // namespace
