// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes that a line of the import tables does not read must have their defaults.
#include "compiler/import/tensorflow/UnreadAttributes.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

namespace sluice::import {
namespace {

constexpr const char *kOp = "Op\tx: N * T\ty: T\tT: type; N: int = 1; a: bool = true; b: int = 3; "
                            "c: string = 'on'; l: list(int) = []; use_locking: bool = true; "
                            "s: shape = { unknown_rank: true }; f: float = 0.5\t";

class UnreadAttributes : public ::testing::Test {
protected:
  // The problem of a node that has one attribute.
  std::string problem(const std::string &name, const graphdef::AttrValue &value,
                      llvm::StringLiteral read = "") {
    graphdef::NodeDef node;
    graphdef::AttrEntry *entry = node.add_attr();
    entry->set_key(name);
    *entry->mutable_value() = value;
    OpExpansion line{"Op", nullptr, Style::kPure, read};
    return problemOfUnreadAttributes(*table_.find("Op"), line, node);
  }
  static graphdef::AttrValue boolean(bool value) {
    graphdef::AttrValue attribute;
    attribute.set_b(value);
    return attribute;
  }
  static graphdef::AttrValue integer(int64_t value) {
    graphdef::AttrValue attribute;
    attribute.set_i(value);
    return attribute;
  }
  static graphdef::AttrValue text(const char *value) {
    graphdef::AttrValue attribute;
    attribute.set_s(value);
    return attribute;
  }

  OpTable table_{kOp};
};

TEST_F(UnreadAttributes, DefaultsAreTaken) {
  EXPECT_EQ(problem("a", boolean(true)), "");
  EXPECT_EQ(problem("b", integer(3)), "");
  EXPECT_EQ(problem("c", text("on")), "");
}

TEST_F(UnreadAttributes, OtherValuesAreRefusedByName) {
  EXPECT_EQ(problem("a", boolean(false)), "attribute 'a': expected true but got false");
  EXPECT_EQ(problem("b", integer(-1)), "attribute 'b': expected 3 but got -1");
  EXPECT_EQ(problem("c", text("off")), "attribute 'c': expected 'on' but got 'off'");
  graphdef::AttrValue list;
  list.mutable_list()->add_i(1);
  EXPECT_EQ(problem("l", list), "attribute 'l': expected the default but got another list");
  graphdef::AttrValue scalar;
  scalar.mutable_shape();
  EXPECT_EQ(problem("s", scalar), "attribute 's': expected the default but got another shape");
  graphdef::AttrValue number;
  number.set_f(0.25f);
  EXPECT_EQ(problem("f", number), "attribute 'f': expected 0.50 but got 0.25");
}

TEST_F(UnreadAttributes, WhatTheLineReadsIsNotJudged) {
  EXPECT_EQ(problem("a", boolean(false), "b a"), "");
  EXPECT_NE(problem("a", boolean(false), "b aa"), "");
}

TEST_F(UnreadAttributes, TypesCountsAnnotationsAndHarmlessOnesMayHaveAnyValue) {
  EXPECT_EQ(problem("N", integer(7)), "");
  EXPECT_EQ(problem("use_locking", boolean(false)), "");
  EXPECT_EQ(problem("_note", integer(7)), "");
}

// Every line names attributes that its op has, and says something of each that has no default.
TEST(ImportTables, AttributesOfLinesAreThoseOfOps) {
  OpTable table;
  for (llvm::StringRef name : supportedOps()) {
    const OpSignature &op = *table.find(name);
    const OpExpansion &line = *findExpansion(name);
    llvm::SmallVector<llvm::StringRef> read;
    llvm::SplitString(line.attributes, read, " ");
    for (llvm::StringRef attribute : read)
      EXPECT_NE(op.attribute(attribute), nullptr) << name.str() << ": " << attribute.str();
    for (const AttrSignature &attribute : op.attributes)
      EXPECT_TRUE(attribute.defaultValue || isOfSignature(op, attribute) ||
                  line.reads(attribute.name) || isHarmless(attribute.name))
          << name.str() << ": " << attribute.name.str();
  }
}

// A harmless attribute that no op has excuses nothing.
TEST(ImportTables, HarmlessAttributesOccur) {
  OpTable table;
  for (const HarmlessAttribute &harmless : harmlessAttributes())
    EXPECT_TRUE(llvm::any_of(supportedOps(), [&](llvm::StringRef op) {
      return table.find(op)->attribute(harmless.name) && !findExpansion(op)->reads(harmless.name);
    })) << harmless.name.str();
}

} // namespace
} // namespace sluice::import
