// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of graphs as identifiers.
#include "compiler/emit/library/Identifiers.h"

#include <gtest/gtest.h>

using namespace sluice::emit;

TEST(Identifiers, PartsHaveLettersDigitsAndUnderscores) {
  EXPECT_EQ(identifierPart("layer/x:0"), "layer_x");
  EXPECT_EQ(identifierPart("x:1"), "x_1");
  EXPECT_EQ(identifierPart("a-b.c"), "a_b_c");
  EXPECT_EQ(identifierPart("gr\xc3\xbc"), "gr__");
}

TEST(Identifiers, MayStandAlone) {
  EXPECT_EQ(identifier("model"), "model");
  EXPECT_EQ(identifier("3d"), "m3d");
  EXPECT_EQ(identifier("_x"), "m_x");
  EXPECT_EQ(identifier(""), "m");
  EXPECT_EQ(identifier("class"), "class_");
  EXPECT_EQ(identifier("restrict"), "restrict_");
  EXPECT_EQ(identifier("xor_eq"), "xor_eq_");
}

TEST(Identifiers, OfClassesHaveCapitals) {
  EXPECT_EQ(className("my_model"), "MyModel");
  EXPECT_EQ(className("my-2nd model"), "My2ndModel");
  EXPECT_EQ(className("int"), "Int");
}

TEST(Identifiers, QualifiedNames) {
  for (const char *name : {"A", "a::B", "a::b::C"})
    EXPECT_TRUE(isQualifiedName(name)) << name;
  for (const char *name : {"", "a::", "::a", "a:b", "a::class", "1a", "a b", "_a"})
    EXPECT_FALSE(isQualifiedName(name)) << name;
}

TEST(Identifiers, ArePutAsideForWhatIsMadeOfThem) {
  TakenIdentifiers taken;
  EXPECT_EQ(taken.take("x", {"arg_$", "arg_$_size"}), "x");
  EXPECT_EQ(taken.take("x_size", {"arg_$", "arg_$_size"}), "x_size_2");
  EXPECT_EQ(taken.take("x", {"arg_$", "arg_$_size"}), "x_2");
  EXPECT_EQ(taken.take("x", {"result_$"}), "x");
}
