// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists that say how much they leave out.
#include "runtime/base/short_list.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

TEST(ShortList, NamesAllOfFew) {
  ShortList list(2);
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.text(), "");
  list.add("a");
  EXPECT_FALSE(list.empty());
  EXPECT_EQ(list.text(), "a");
  list.add("b");
  EXPECT_EQ(list.text(), "a, b");
}

TEST(ShortList, CountsTheRestOfMany) {
  ShortList list(2);
  for (std::string_view item : {"a", "b", "c", "d"})
    list.add(item);
  EXPECT_EQ(list.text(), "a, b and 2 more");
}

} // namespace
} // namespace sluice::rt
