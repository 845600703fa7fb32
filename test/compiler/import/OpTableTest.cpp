// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded op table and its parser.
#include "compiler/import/OpTable.h"
#include "compiler/import/tensorflow/Expansion.h"

#include <gtest/gtest.h>

#include <set>

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
  OpTable table("A\tx: NoSuchType\t\t\t\nB\tx: int32\nC\t\t\ta: nokind\t\nD\t\t\ti: int = x\t\n"
                "E\t\tx: nix\t\t\nF\t\t\tf: float = x\t\nG\t\t\tb: bool = maybe\t\n"
                "H\t\t\tt: type = DT_NIX\t\nI\t\t\tf: func = x\t\nJ\t\t\tl: list(int) = 1\t\n"
                "K\t\t\tl: list(int) = [x]\t\nL\t\t\ti: int >= x\t\nM\t\t\ta: {nix}\t\n"
                "N\t\t\t\tDeprecated@x\nO\t\t\t\t\t\n# P\n\n");
  EXPECT_EQ(table.malformed().size(), 15u);
}

TEST(OpTable, ParsesSetsListsAndEscapes) {
  OpTable table(
      "Op\t\t\ti: int >= 2 = 3; s: string = 'a\\n\\t\\\\b\\'; f: list(float) = [0.5, 1.0]; "
      "t: list(type) = [DT_INT8]; x: list(string) = ['a', 'b']; u: list({bool, "
      "quantizedtype}) >= 0; c: func; d: tensor; e: {'p=q', 'r'} = 'r'\t");
  const OpSignature *op = table.find("Op");
  ASSERT_TRUE(op);
  EXPECT_EQ(op->attribute("i")->minimum, 2);
  EXPECT_EQ(op->attribute("i")->defaultValue->i(), 3);
  EXPECT_EQ(op->attribute("s")->defaultValue->s(), "a\n\t\\b\\");
  EXPECT_EQ(op->attribute("f")->defaultValue->list().f(1), 1.0f);
  EXPECT_EQ(op->attribute("t")->defaultValue->list().type(0), DT_INT8);
  EXPECT_EQ(op->attribute("x")->defaultValue->list().s(1), "b");
  EXPECT_EQ(
      op->attribute("u")->allowedTypes,
      (std::vector<DataType>{DT_BOOL, DT_QINT8, DT_QUINT8, DT_QINT32, DT_QINT16, DT_QUINT16}));
  EXPECT_TRUE(op->attribute("u")->isList);
  EXPECT_EQ(op->attribute("u")->minimum, 0);
  EXPECT_EQ(op->attribute("c")->kind, AttrKind::kFunc);
  EXPECT_EQ(op->attribute("d")->kind, AttrKind::kTensor);
  EXPECT_EQ(op->attribute("e")->defaultValue->s(), "r");
  EXPECT_FALSE(op->isStateful);
  EXPECT_EQ(op->deprecatedSince, 0);
}

// TensorFlow's own sets.
TEST(OpTable, NamedSetsOfTypes) {
  OpTable table("Op\t\t\tn: numbertype; r: realnumbertype; t: type\t");
  auto types = [&](const char *name) {
    auto allowed = table.find("Op")->attribute(name)->allowedTypes;
    return std::set<DataType>(allowed.begin(), allowed.end());
  };
  std::set<DataType> reals{DT_FLOAT, DT_DOUBLE, DT_INT32,  DT_UINT8,  DT_INT16,  DT_INT8,
                           DT_INT64, DT_HALF,   DT_UINT16, DT_UINT32, DT_UINT64, DT_BFLOAT16};
  EXPECT_EQ(types("r"), reals);
  std::set<DataType> numbers = reals;
  numbers.insert({DT_COMPLEX64, DT_COMPLEX128, DT_QINT8, DT_QUINT8, DT_QINT32});
  EXPECT_EQ(types("n"), numbers);
  EXPECT_TRUE(types("t").empty());
}

// By number; names, bytes in files, and whether there are kernels for them.
TEST(OpTable, ElementTypes) {
  const std::tuple<const char *, unsigned, bool> types[] = {{"float", 4, true},
                                                            {"double", 8, true},
                                                            {"int32", 4, true},
                                                            {"uint8", 1, true},
                                                            {"int16", 2, true},
                                                            {"int8", 1, true},
                                                            {"string", 0, true},
                                                            {"complex64", 8, true},
                                                            {"int64", 8, true},
                                                            {"bool", 1, true},
                                                            {"qint8", 1, true},
                                                            {"quint8", 1, true},
                                                            {"qint32", 4, true},
                                                            {"bfloat16", 2, true},
                                                            {"qint16", 2, true},
                                                            {"quint16", 2, true},
                                                            {"uint16", 2, true},
                                                            {"complex128", 16, true},
                                                            {"half", 2, true},
                                                            {"resource", 0, false},
                                                            {"variant", 0, false},
                                                            {"uint32", 4, true},
                                                            {"uint64", 8, true},
                                                            {"float8_e5m2", 1, true},
                                                            {"float8_e4m3fn", 1, true},
                                                            {"float8_e4m3fnuz", 1, true},
                                                            {"float8_e4m3b11fnuz", 1, true},
                                                            {"float8_e5m2fnuz", 1, true},
                                                            {"int4", 1, true},
                                                            {"uint4", 1, true},
                                                            {"int2", 1, true},
                                                            {"uint2", 1, true}};
  int number = 0;
  for (auto [name, bytes, isTensor] : types) {
    auto type = static_cast<DataType>(++number);
    EXPECT_EQ(typeName(number), name);
    EXPECT_EQ(typeName(number + 100), std::string("reference to ") + name);
    EXPECT_EQ(typeFromName(name), type);
    EXPECT_EQ(elementBytes(type), bytes) << name;
    EXPECT_EQ(isTensorType(type), isTensor) << name;
    EXPECT_TRUE(isValueType(number));
  }
  EXPECT_FALSE(isValueType(0));
  EXPECT_FALSE(isValueType(number + 1));
  EXPECT_EQ(typeName(number + 1), "type 33");
  EXPECT_EQ(typeFromName("DT_FLOAT32"), DT_FLOAT);
  EXPECT_EQ(typeFromName("float64"), DT_DOUBLE);
  EXPECT_EQ(typeFromName("float16"), DT_HALF);
  EXPECT_EQ(typeFromName("float128"), std::nullopt);
}

} // namespace
} // namespace sluice::import
