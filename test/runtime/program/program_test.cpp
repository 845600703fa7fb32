// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images that their maker cannot have written: refused, whatever is wrong.
#include "test/runtime/executor/graph_builder.h"

namespace sluice::rt {
namespace {

constexpr DType i32 = DType::kI32;

// fetches = feed + 1
struct Sum {
  GraphBuilder g;
  GraphBuilder::Value feed = g.feed("x:0", i32), one = g.constant<int32_t>(1);
  GraphBuilder::Value sum = g.kernel("nd.add", "sum", 0, {feed, one}, {i32, i32}, i32);
  Sum() { g.fetch("y:0", sum, i32); }
  NodeDesc &node() { return g.node(sum); }
  Code code() { return g.load().status().code(); }
};

TEST(Program, WholeImagesLoad) { EXPECT_EQ(Sum().code(), Code::kOk); }

TEST(Program, ReferencesToNothingAreInternalErrors) {
  auto damage = [](auto change) {
    Sum image;
    change(image);
    return image.code();
  };
  EXPECT_EQ(damage([](Sum &s) { s.node().kind = static_cast<NodeKind>(17); }), Code::kInternal);
  EXPECT_EQ(damage([](Sum &s) { s.node().outputTypes[0] = static_cast<DType>(18); }),
            Code::kInternal);
  EXPECT_EQ(damage([](Sum &s) { s.node().inputs[1].port = 1; }), Code::kInternal);
  EXPECT_EQ(damage([](Sum &s) { s.node().kernel = 1; }), Code::kInternal);
  EXPECT_EQ(damage([](Sum &s) { s.node().frame = 1; }), Code::kInternal);
  EXPECT_EQ(damage([](Sum &s) { s.node().ports = ~0u; }), Code::kInternal);
  EXPECT_EQ(damage([](Sum &s) { s.g.signature().frames[0].id = ~0u; }), Code::kInternal);
  EXPECT_EQ(damage([](Sum &s) { s.g.signature().feeds[0].dtype = static_cast<DType>(255); }),
            Code::kInternal);
}

TEST(Program, NumbersUpToTheirBoundsAreGood) {
  auto change = [](auto change) {
    Sum image;
    change(image);
    return image.code();
  };
  // A kernel of one result may have three ports beside it.
  EXPECT_EQ(change([](Sum &s) { s.node().ports = 4; }), Code::kOk);
  EXPECT_EQ(change([](Sum &s) { s.node().ports = 5; }), Code::kInternal);
  EXPECT_EQ(change([](Sum &s) { s.node().child = 1; }), Code::kInternal);
  EXPECT_EQ(change([](Sum &s) { s.g.signature().frames[0].id = 1 << 24; }), Code::kInternal);
  EXPECT_EQ(change([](Sum &s) { s.g.signature().frames[0].id = 1000; }), Code::kOk);
}

// fetches = half(feed, feed), where half returns its first argument
struct Half {
  GraphBuilder g;
  uint32_t frame = g.frame("half", 1);
  NodeDesc *call;
  explicit Half(size_t given = 2, size_t returned = 1, bool isFunction = true) {
    g.signature().frames[frame].isFunction = true;
    auto x = g.feed("x:0", i32);
    call = &g.add(NodeKind::kCall, "call", 0, std::vector(given, x), 2);
    call->child = frame;
    call->outputTypes = {i32};
    call->outputIsScalar = {true};
    g.fetch("y:0", g.last(), i32);
    g.add(NodeKind::kArgument, "a", frame, {}, 1);
    auto a = g.last();
    g.add(NodeKind::kArgument, "b", frame, {}, 1);
    g.add(NodeKind::kReturn, "return", isFunction ? frame : 0, std::vector(returned, a), 0);
  }
  Code code() { return g.load().status().code(); }
};

TEST(Program, CallsAreAsTheirFunctions) {
  EXPECT_EQ(Half().code(), Code::kOk);
  EXPECT_EQ(Half(3).code(), Code::kOk); // what comes behind the arguments is waited for
  EXPECT_EQ(Half(1).code(), Code::kInternal);
  EXPECT_EQ(Half(2, 2).code(), Code::kOk);
  EXPECT_EQ(Half(2, 3).code(), Code::kInternal);
  EXPECT_EQ(Half(2, 1, false).code(), Code::kInternal);
}

// ---- Codelets -----------------------------------------------------------------------------------

int32_t nothing(SluiceCodeletCall *) { return kSluiceOk; }
constexpr SluiceCodelet kCode = codeletOf(nullptr, nothing, 0, nullptr);
constexpr SluiceCodelet kCodeWithSizes = codeletOf(nothing, nothing, 0, nullptr);

// outputs = (feed * 2) + (feed * 2), feed * 2: three members, the first of which nobody asks for.
struct Group {
  GraphBuilder g;
  GraphBuilder::Value feed = g.feed("x:0", DType::kF32);
  GraphBuilder::Value two = g.constant<float>(2), three = g.constant<float>(3);
  explicit Group(const SluiceCodelet &code = kCode) {
    CodeletDesc &c = g.addCodelet(code, 1);
    c.members = {g.member("nd.neg", "unused", {{0, 0}}, DType::kF32),
                 g.member("nd.mul", "product", {{0, 0}, two}, DType::kF32),
                 g.member("nd.add", "sum", {{2, 0}, {2, 0}}, DType::kF32),
                 g.member("nd.sub", "rest", {{3, 0}, three}, DType::kF32)};
    c.outputs = {{DType::kF32, Shape{}, {4, 0}}, {DType::kF32, Shape{2, 2}, {2, 0}}};
    g.fetch("y:0", g.runCodelet("group", 0, {feed}), DType::kF32);
  }
  CodeletDesc &codelet() { return g.signature().codelets[0]; }
  NodeDesc &node() { return g.signature().nodes[1]; }
};

TEST(ProgramCodelet, ValuesAreNumberedAndReleasedAfterTheirLastUse) {
  Group group;
  std::unique_ptr<Program> program = group.g.buildProgram();
  const Codelet &codelet = program->signatures()[0]->codelets[0];
  // The input, two constants, four results.
  ASSERT_EQ(codelet.constants.size(), 2u);
  EXPECT_EQ(*codelet.constants[1]->data<float>(), 3);
  EXPECT_EQ(codelet.numResults, 4u);
  std::vector<std::vector<uint32_t>> inputs, released;
  std::vector<uint32_t> results;
  for (const CodeletMember &member : codelet.members) {
    inputs.push_back(member.inputs);
    released.push_back(member.released);
    results.push_back(member.firstResult);
  }
  EXPECT_EQ(inputs, (std::vector<std::vector<uint32_t>>{{0}, {0, 1}, {4, 4}, {5, 2}}));
  EXPECT_EQ(results, (std::vector<uint32_t>{3, 4, 5, 6}));
  EXPECT_EQ(released, (std::vector<std::vector<uint32_t>>{{}, {}, {}, {5}}));
  EXPECT_EQ(codelet.outputs[0].value, 6u);
  EXPECT_EQ(codelet.outputs[1].value, 4u);
  EXPECT_EQ(codelet.outputs[1].bytes, 16u);
}

TEST(ProgramCodelet, TheFirstResultIsReleasedToo) {
  Group group;
  group.codelet().members[2].inputs[0] = {1, 0};
  std::unique_ptr<Program> program = group.g.buildProgram();
  const CodeletMember &sum = program->signatures()[0]->codelets[0].members[2];
  EXPECT_EQ(sum.inputs, (std::vector<uint32_t>{3, 4}));
  EXPECT_EQ(sum.released, (std::vector<uint32_t>{3}));
}

TEST(ProgramCodelet, FewSmallOutputsNeedNoMemory) {
  auto isSmall = [](const SluiceCodelet &code, auto change) {
    Group group(code);
    change(group);
    return group.g.buildProgram()->signatures()[0]->codelets[0].small;
  };
  auto take = [](size_t count) {
    return [count](Group &group) {
      group.codelet().numInputs = static_cast<uint32_t>(count);
      group.node().inputs.assign(count, group.feed);
    };
  };
  auto give = [](size_t count) {
    return [count](Group &group) {
      group.codelet().outputs.resize(count, group.codelet().outputs[0]);
      group.node().ports = static_cast<uint32_t>(count);
      group.node().outputTypes.assign(count, DType::kF32);
    };
  };
  EXPECT_TRUE(isSmall(kCode, [](Group &) {}));
  EXPECT_FALSE(isSmall(kCodeWithSizes, [](Group &) {}));
  EXPECT_TRUE(isSmall(kCode, take(16)));
  EXPECT_FALSE(isSmall(kCode, take(17)));
  EXPECT_TRUE(isSmall(kCode, give(8)));
  EXPECT_FALSE(isSmall(kCode, give(9)));
  EXPECT_FALSE(isSmall(kCode, [](Group &group) { group.codelet().outputs[1].shape = Shape{5}; }));
}

TEST(ProgramCodelet, ReferencesToNothingAreInternalErrors) {
  auto damage = [](auto change, const SluiceCodelet &code = kCode) {
    Group group(code);
    change(group.codelet());
    return group.g.load().status().code();
  };
  using C = CodeletDesc;
  EXPECT_EQ(damage([](C &) {}), Code::kOk);
  EXPECT_EQ(damage([](C &c) { c.code = 1; }), Code::kInternal);
  EXPECT_EQ(damage([](C &c) { c.code = C::kNoCode; }), Code::kOk);
  EXPECT_EQ(damage([](C &c) { c.members.clear(); }), Code::kOk);
  EXPECT_EQ(damage([](C &c) {
              c.code = C::kNoCode;
              c.members.clear();
            }),
            Code::kInternal);
  EXPECT_EQ(damage([](C &c) { c.members[0].kernel = 4; }), Code::kInternal);
  EXPECT_EQ(damage([](C &c) { c.members[0].inputs = {{0, 1}}; }), Code::kInternal);
  EXPECT_EQ(damage([](C &c) { c.members[0].inputs = {{1, 0}}; }), Code::kInternal); // itself
  EXPECT_EQ(damage([](C &c) { c.members[2].inputs[0] = {2, 1}; }), Code::kInternal);
  EXPECT_EQ(damage([](C &c) { c.members[1].inputs[1].port = 2; }), Code::kInternal); // a constant
  EXPECT_EQ(damage([](C &c) { c.outputs[0].value = {5, 0}; }), Code::kInternal);
  EXPECT_EQ(damage([](C &c) { c.outputs[0].dtype = DType::kString; }), Code::kInternal);
  EXPECT_EQ(damage([](C &c) { c.outputs[0].shape = Shape::unknownRank(); }, kCodeWithSizes),
            Code::kInternal);
  EXPECT_EQ(damage([](C &c) { c.outputs[0].shape = Shape::unknownDims(1); }), Code::kInternal);
  EXPECT_EQ(damage([](C &c) { c.outputs[0].shape = Shape::unknownDims(8); }, kCodeWithSizes),
            Code::kOk);
  EXPECT_EQ(damage([](C &c) { c.outputs[0].shape = Shape::unknownDims(9); }, kCodeWithSizes),
            Code::kInternal);
  EXPECT_EQ(damage([](C &c) { c.numInputs = 2; }), Code::kInternal); // the node has one
  EXPECT_EQ(damage([](C &c) { c.outputs.pop_back(); }), Code::kInternal);
  Group other;
  other.node().codelet = 1;
  EXPECT_EQ(other.g.load().status().code(), Code::kInternal);
}

// For guarded runs.
TEST(ProgramCodelet, NoneIsSmallWhereOperandsAreGuarded) {
  Group group;
  group.g.signature().constants.push_back(Tensor::vector<float>(std::vector<float>(100, 1.5f)));
  group.g.signature().constants.back().data<float>()[1] = 2;
  std::unique_ptr<Program> program = group.g.buildProgram();
  const Signature &signature = *program->signatures()[0];
  const void *inImage = signature.constants[2].raw();
  program->guardOperands();
  EXPECT_FALSE(signature.codelets[0].small);
  EXPECT_NE(signature.constants[2].raw(), inImage);
  EXPECT_EQ(signature.constants[2].data<float>()[99], 1.5f);
}

// Whatever becomes of a byte, loading ends.
TEST(Program, DamagedBytesDoNoHarm) {
  GraphBuilder g;
  auto loop = addCountingLoop(g, g.frame("loop", 2), g.constant<int32_t>(0), g.feed("n:0", i32));
  g.fetch("i:0", loop.exit, i32);
  ASSERT_TRUE(g.load().ok());
  for (size_t at = 0; at < g.image().size(); ++at)
    for (char byte : {'\0', '\x7f', '\xff'}) {
      std::string image = g.image();
      image[at] = byte;
      (void)g.loadImage(image);
    }
  constexpr size_t kAlignment = 64; // of the end
  for (size_t size = 0; size + kAlignment <= g.image().size(); ++size)
    EXPECT_EQ(g.loadImage(g.image().substr(0, size)).status().code(), Code::kInternal) << size;
}

} // namespace
} // namespace sluice::rt
