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
  EXPECT_EQ(damage([](Sum &s) { s.node().kind = static_cast<NodeKind>(14); }), Code::kInternal);
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
