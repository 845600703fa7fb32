// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded op table and its parser.
#include "compiler/import/OpTable.h"
#include "compiler/import/tensorflow/Expansion.h"

#include <gtest/gtest.h>

namespace sluice::import {
namespace {

using namespace graphdef;

TEST(OpTable, EveryEmbeddedLineParses) {
  OpTable table;
  EXPECT_GT(table.size(), 1600u);
  EXPECT_EQ(table.malformed(), std::vector<std::string>());
}

TEST(OpTable, HasASignatureForEverySupportedOp) {
  OpTable table;
  for (llvm::StringRef op : supportedOps())
    EXPECT_NE(table.find(op), nullptr) << op.str();
}

TEST(OpTable, NoOpIsInTwoFamilies) {
  size_t ops = 0;
  for (const OpFamily &family : opFamilies())
    ops += family.ops.size();
  EXPECT_EQ(ops, supportedOps().size());
}

TEST(OpTable, DoesNotKnowOtherNames) {
  OpTable table;
  EXPECT_EQ(table.find("NoSuchOp"), nullptr);
  EXPECT_EQ(table.find(""), nullptr);
  EXPECT_EQ(table.find("Conv"), table.find("Conv"));
}

TEST(OpTable, ParsesArguments) {
  OpTable table(
      "Op\ta: int32; b: N * T; c: Ref(T); d: L\te: T\tN: int >= 2; T: type; L: list(type) >= 1\t");
  const OpSignature *op = table.find("Op");
  ASSERT_TRUE(op);
  ASSERT_EQ(op->inputs.size(), 4u);
  EXPECT_EQ(op->inputs[0].fixedType, DT_INT32);
  EXPECT_EQ(op->inputs[1].count, "N");
  EXPECT_EQ(op->inputs[1].typeAttr, "T");
  EXPECT_FALSE(op->inputs[1].isRef);
  EXPECT_TRUE(op->inputs[2].isRef);
  EXPECT_TRUE(op->inputs[3].typeList);
  EXPECT_EQ(op->attribute("N")->minimum, 2);
  EXPECT_EQ(op->attribute("L")->minimum, 1);
  EXPECT_TRUE(op->attribute("L")->isList);
  EXPECT_EQ(op->outputs.size(), 1u);
}

TEST(OpTable, ParsesDefaults) {
  OpTable table(
      "Op\t\t\ts: string = 'a=;b'; i: int = -1; f: float = 0.5; b: bool = true; "
      "t: {int32, int64} = DT_INT64; l: list(int) = [1, 2]; h: shape = { unknown_rank: true }; "
      "m: {'x', 'y;'} = 'y;'; z: string\tIsStateful Deprecated@16");
  const OpSignature *op = table.find("Op");
  ASSERT_TRUE(op);
  EXPECT_EQ(op->attribute("s")->defaultValue->s(), "a=;b");
  EXPECT_EQ(op->attribute("i")->defaultValue->i(), -1);
  EXPECT_EQ(op->attribute("f")->defaultValue->f(), 0.5f);
  EXPECT_TRUE(op->attribute("b")->defaultValue->b());
  EXPECT_EQ(op->attribute("t")->defaultValue->type(), DT_INT64);
  EXPECT_EQ(op->attribute("t")->allowedTypes, (std::vector<DataType>{DT_INT32, DT_INT64}));
  EXPECT_EQ(op->attribute("l")->defaultValue->list().i_size(), 2);
  EXPECT_TRUE(op->attribute("h")->defaultValue->shape().unknown_rank());
  EXPECT_EQ(op->attribute("m")->defaultValue->s(), "y;");
  EXPECT_EQ(op->attribute("m")->allowedStrings.size(), 2u);
  EXPECT_FALSE(op->attribute("z")->defaultValue);
  EXPECT_TRUE(op->isStateful);
  EXPECT_EQ(op->deprecatedSince, 16);
}

TEST(OpTable, MalformedLinesAreNoOps) {
  OpTable table("A\tx: NoSuchType\t\t\t\nB\tx: int32\nC\t\t\ta: nokind\t\nD\t\t\ti: int = x\t\n");
  EXPECT_EQ(table.malformed().size(), 4u);
}

} // namespace
} // namespace sluice::import
