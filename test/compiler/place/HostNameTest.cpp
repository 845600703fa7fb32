// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which texts name a host.
#include "compiler/place/HostName.h"

#include <gtest/gtest.h>

namespace sluice::place {
namespace {

std::string canonical(llvm::StringRef text) { return canonicalHost(text).value_or("refused"); }

TEST(HostName, Names) {
  EXPECT_EQ(canonical("localhost"), "localhost");
  EXPECT_EQ(canonical("Node-1.Example.org"), "node-1.example.org");
  EXPECT_EQ(canonical("my_host"), "my_host");
  EXPECT_EQ(canonical("10gbit"), "10gbit");
  EXPECT_EQ(canonical(std::string(63, 'a')), std::string(63, 'a'));
  std::string longest = "a";
  for (int i = 0; i < 126; ++i)
    longest += ".a";
  EXPECT_EQ(longest.size(), 253u);
  EXPECT_EQ(canonical(longest), longest);
  EXPECT_EQ(canonical(longest + "a"), "refused");
}

TEST(HostName, Addresses) {
  EXPECT_EQ(canonical("127.0.0.1"), "127.0.0.1");
  EXPECT_EQ(canonical("::1"), "::1");
  EXPECT_EQ(canonical("[::1]"), "::1");
  EXPECT_EQ(canonical("[0:0:0:0:0:0:0:1]"), "::1");
  EXPECT_EQ(canonical("FE80::A"), "fe80::a");
}

TEST(HostName, Refused) {
  for (const char *text :
       {"",    " ",           "a b", " a",        "a\n",         "[::1",         "::1]",
        "[a]", "[127.0.0.1]", "[]",  "256.0.0.1", "1.2.3",       "1.2.3.4.5",    "a..b",
        ".a",  "a.",          "-a",  "a-",        "a:1",         "127.0.0.1:80", "::g",
        "a/b", "http://a",    "a@b", "\xc3\xa9",  "fe80::1%eth0"})
    EXPECT_EQ(canonical(text), "refused") << text;
  EXPECT_EQ(canonical(std::string(64, 'a')), "refused");
  EXPECT_EQ(canonical(llvm::StringRef("a\0b", 3)), "refused");
}

} // namespace
} // namespace sluice::place
