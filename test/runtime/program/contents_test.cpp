// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loaded program is what its description says, in every member.
#include "test/runtime/executor/graph_builder.h"

namespace sluice::rt {
namespace {

constexpr DType f32 = DType::kF32;

Status run(KernelCall &) { return okStatus(); }
constexpr Kernel kPlain{nullptr, run}, kStateful{nullptr, run, Kernel::kStateful},
    kScalar{nullptr, run, Kernel::kNone, [](const void *const *, void *) {}};

// Written and loaded again.
class Image {
public:
  NodeDesc &add(NodeKind kind, const char *name, uint32_t frame = 0,
                std::vector<OperandDesc> inputs = {}, uint32_t ports = 1) {
    NodeDesc node;
    node.kind = kind;
    node.name = name;
    node.frame = frame;
    node.inputs = std::move(inputs);
    node.ports = ports;
    signature().nodes.push_back(std::move(node));
    return signature().nodes.back();
  }
  SignatureDesc &signature() {
    if (desc.signatures.empty()) {
      desc.signatures.emplace_back();
      desc.signatures[0].frames.push_back({0, "", 1});
    }
    return desc.signatures[0];
  }
  const Program &load() {
    image_ = writeImage(desc);
    auto loaded = Program::load(image_, {kernels_, {}});
    EXPECT_TRUE(loaded.ok()) << loaded.status().toString();
    program_ = std::move(*loaded);
    return *program_;
  }
  size_t bytes() const { return image_.size(); }
  const Signature &loadSignature() { return *load().signatures()[0]; }

  ProgramDesc desc;

private:
  const Kernel *kernels_[3] = {&kPlain, &kStateful, &kScalar};
  std::string image_;
  std::unique_ptr<Program> program_;
};

TEST(ProgramContents, OfTheWhole) {
  Image image;
  image.desc.name = "name";
  image.desc.version = "version";
  image.desc.programHash = "hash";
  image.desc.clusterHash = "cluster";
  image.desc.rank = 1;
  image.desc.devices = {{"cpu:0", "a:1"}, {"cpu:1", "b:2"}};
  image.desc.kernelOps = {"nd.a", "nd.b"};
  image.desc.resources = {{ResourceKind::kVariable, "v", DType::kI16, Shape{2, -1}},
                          {ResourceKind::kGenerator, "g", DType::kInvalid, Shape{}},
                          {ResourceKind::kVariable, "w", f32, Shape::unknownRank()}};
  const Program &program = image.load();
  EXPECT_EQ(program.name(), "name");
  EXPECT_EQ(program.version(), "version");
  EXPECT_EQ(program.programHash(), "hash");
  EXPECT_EQ(program.clusterHash(), "cluster");
  EXPECT_EQ(program.rank(), 1u);
  ASSERT_EQ(program.devices().size(), 2u);
  EXPECT_EQ(program.devices()[1].name, "cpu:1");
  EXPECT_EQ(program.devices()[1].address, "b:2");
  EXPECT_EQ(program.opOf(kPlain), "nd.a");
  EXPECT_EQ(program.opOf(kStateful), "nd.b");
  EXPECT_EQ(program.opOf(kScalar), "");
  ASSERT_EQ(program.resources().size(), 3u);
  const Resource &variable = program.resources()[0];
  EXPECT_EQ(variable.kind, ResourceKind::kVariable);
  EXPECT_EQ(variable.key, "v");
  EXPECT_EQ(variable.dtype, DType::kI16);
  EXPECT_EQ(variable.shape.toString(), "[2,?]");
  EXPECT_EQ(program.resources()[1].kind, ResourceKind::kGenerator);
  EXPECT_EQ(program.resources()[2].shape.toString(), Shape::unknownRank().toString());
}

TEST(ProgramContents, OfInitialValues) {
  Image image;
  image.desc.resources = {
      {ResourceKind::kVariable, "a", f32, Shape{3},
       Tensor::vector<float>(std::vector<float>{1, 2, 3})},
      {ResourceKind::kVariable, "z", f32, Shape{-1},
       Tensor::vector<float>(std::vector<float>(5000, 0.0f))},
      {ResourceKind::kVariable, "s", DType::kString, Shape{}, Tensor::string("text")},
      {ResourceKind::kVariable, "none", f32, Shape{3}}};
  image.signature().initializes = true;
  const Program &program = image.load();
  EXPECT_LT(image.bytes(), 5000u);
  EXPECT_TRUE(program.signatures()[0]->info.initializes);
  ASSERT_EQ(program.resources().size(), 4u);
  EXPECT_EQ(program.resources()[0].initial.data<float>()[2], 3);
  // It is part of the image: whoever changes it must take a copy.
  EXPECT_FALSE(program.resources()[0].initial.solelyOwned() &&
               program.resources()[0].initial.bytes() > Tensor::kInlineBytes);
  EXPECT_EQ(program.resources()[1].initial.elements(), 5000);
  EXPECT_FALSE(program.resources()[1].initial.solelyOwned());
  EXPECT_EQ(*program.resources()[2].initial.data<std::string>(), "text");
  EXPECT_FALSE(program.resources()[3].initial.valid());
}

TEST(ProgramContents, OfConstants) {
  Image image;
  image.signature().constants = {
      Tensor::vector<float>(std::vector<float>{1, 2, 3}), Tensor::scalar(int64_t{7}),
      Tensor::vector<float>(std::vector<float>(5000, 4.5f)), Tensor::string("text"),
      Tensor::vector<float>(std::vector<float>{4, 4, 5})};
  const Signature &signature = image.loadSignature();
  EXPECT_LT(image.bytes(), 5000u); // the five thousand are written as one
  ASSERT_EQ(signature.constants.size(), 5u);
  for (size_t i = 0; i < 5; ++i) {
    const Tensor &wanted = image.signature().constants[i], &got = signature.constants[i];
    ASSERT_EQ(got.dtype(), wanted.dtype());
    ASSERT_EQ(got.shape().toString(), wanted.shape().toString());
    if (i != 3)
      EXPECT_EQ(std::memcmp(got.raw(), wanted.raw(), wanted.bytes()), 0) << i;
  }
  EXPECT_EQ(*signature.constants[3].data<std::string>(), "text");
  EXPECT_EQ(reinterpret_cast<uintptr_t>(signature.constants[0].raw()) % 64,
            reinterpret_cast<uintptr_t>(signature.constants[4].raw()) % 64);
}

TEST(ProgramContents, OfKernels) {
  Image image;
  image.signature().constants = {Tensor::scalar(1.0f)};
  NodeDesc node = image.add(NodeKind::kKernel, "plain");
  node.outputTypes = {DType::kI32, f32};
  node.attrs = {{1, 2, 0.5, {3, 4}, true, "s"}, {}};
  image.signature().nodes[0] = node;
  node = NodeDesc();
  node.kind = NodeKind::kKernel;
  node.ports = 1;
  node.kernel = 1;
  node.outputTypes = {f32};
  image.signature().nodes.push_back(node);
  node.kernel = 2;
  node.outputTypes = {DType::kI32};
  node.inputsAreScalars = true;
  for (bool scalar : {false, true}) {
    node.outputIsScalar = {scalar};
    node.inputs.push_back({OperandDesc::kConstant, 0});
    image.signature().nodes.push_back(node);
  }
  node.inputsAreScalars = false;
  image.signature().nodes.push_back(node);
  const Signature &s = image.loadSignature();
  EXPECT_EQ(s.nodes[0]->name, "plain");
  EXPECT_EQ(s.nodes[0]->kernel, &kPlain);
  ASSERT_EQ(s.nodes[0]->attrs.size(), 2u);
  const Attr &attr = s.nodes[0]->attrs[0];
  EXPECT_EQ(static_cast<int>(attr.kind), 1);
  EXPECT_EQ(attr.i, 2);
  EXPECT_EQ(attr.f, 0.5);
  EXPECT_EQ(std::vector<int64_t>(attr.ints.begin(), attr.ints.end()), (std::vector<int64_t>{3, 4}));
  EXPECT_TRUE(attr.unknownRank);
  EXPECT_EQ(attr.s, "s");
  EXPECT_FALSE(s.nodes[0]->attrs[1].unknownRank);
  std::vector<std::vector<bool>> flags;
  for (const auto &n : s.nodes)
    flags.push_back({n->stateful, n->floatValued, n->scalarPath});
  EXPECT_EQ(flags, (std::vector<std::vector<bool>>{{false, true, false},
                                                   {true, false, false},
                                                   {false, false, false},
                                                   {false, false, true},
                                                   {false, false, false}}));
  EXPECT_EQ(s.nodes[3]->inputs.size(), 2u);
  EXPECT_EQ(s.nodes[3]->inputs[1].constant, &s.constants[0]);
  EXPECT_EQ(s.sources.size(), 5u);
}

TEST(ProgramContents, OfPorts) {
  Image image;
  image.add(NodeKind::kFeed, "a");
  image.add(NodeKind::kFeed, "b");
  image.add(NodeKind::kFetch, "c", 0, {{1, 0}}, 0);
  image.add(NodeKind::kTarget, "d", 0, {}, 0).controls = {{0, 0}};
  SignatureDesc &desc = image.signature();
  desc.name = "signature";
  desc.feeds = {{"a:0", f32, Shape{3}, 0}, {"b:0", DType::kI8, Shape{}, 1}};
  desc.fetches = {{"c:0", DType::kI8, Shape{}, 2}};
  desc.targets = {{"d", f32, Shape{}, 3}};
  const Signature &s = image.loadSignature();
  EXPECT_EQ(s.info.name, "signature");
  ASSERT_EQ(s.info.feeds.size(), 2u);
  EXPECT_EQ(s.info.feeds[0].shape.toString(), "[3]");
  EXPECT_EQ(s.info.feeds[1].name, "b:0");
  EXPECT_EQ(s.info.feeds[1].dtype, DType::kI8);
  EXPECT_EQ(s.nodes[1]->port, 1u);
  EXPECT_EQ(s.info.fetches[0].name, "c:0");
  EXPECT_EQ(s.info.targets, std::vector<std::string>{"d"});
  EXPECT_EQ(s.sources, (std::vector<const Node *>{s.nodes[0].get(), s.nodes[1].get()}));
}

TEST(ProgramContents, OfEdges) {
  Image image;
  image.signature().constants = {Tensor::scalar(1.0f)};
  image.add(NodeKind::kFeed, "a");
  image.add(NodeKind::kSwitch, "switch", 0, {{0, 0}, {0, 0}}, 3);
  image.add(NodeKind::kMerge, "merge", 0, {{1, 1}, {OperandDesc::kConstant, 0}, {1, 0}}, 3);
  NodeDesc &join = image.add(NodeKind::kJoin, "join");
  join.controls = {{1, 2}, {2, 2}};
  join.orders = {{1, 2}};
  image.add(NodeKind::kMerge, "constants", 0,
            {{OperandDesc::kConstant, 0}, {OperandDesc::kConstant, 0}}, 3);
  const Signature &s = image.loadSignature();
  const Node &merge = *s.nodes[2], &last = *s.nodes[3], &constants = *s.nodes[4];
  EXPECT_EQ(s.nodes[1]->numSlots, 2u);
  EXPECT_EQ(s.nodes[1]->pending, 2u);
  EXPECT_EQ(merge.firstSlot, 2u);
  EXPECT_EQ(merge.numSlots, 2u);
  EXPECT_EQ(merge.pending, 0u);
  EXPECT_EQ(merge.fallback, 1);
  EXPECT_EQ(merge.index, 2u);
  EXPECT_EQ(merge.inputs[2].slot, 3u);
  EXPECT_EQ(last.pending, 3u);
  EXPECT_EQ(last.firstSlot, 4u);
  EXPECT_EQ(s.frames[0].numSlots, 4u);
  ASSERT_EQ(s.nodes[1]->ports.size(), 3u);
  const Edge &value = s.nodes[1]->ports[0][0];
  EXPECT_EQ(value.node, &merge);
  EXPECT_EQ(value.slot, 3u);
  EXPECT_EQ(value.index, 2u);
  EXPECT_TRUE(value.toMerge);
  EXPECT_FALSE(value.toRecv);
  ASSERT_EQ(s.nodes[1]->ports[2].size(), 2u);
  EXPECT_EQ(s.nodes[1]->ports[2][0].slot, Edge::kControl);
  EXPECT_EQ(s.nodes[1]->ports[2][1].slot, Edge::kOrder);
  EXPECT_FALSE(s.nodes[1]->ports[2][1].toMerge);
  EXPECT_EQ(constants.fallback, 0);
  EXPECT_EQ(s.sources, (std::vector<const Node *>{s.nodes[0].get(), &constants}));
}

// Who can fire in the first iteration only, and how many values merges can get.
TEST(ProgramContents, OfIterations) {
  Image image;
  image.signature().frames = {{0, "", 1, 0}, {0, "a", 1, 1}, {1, "b", 1, 2}};
  image.add(NodeKind::kFeed, "x");
  image.add(NodeKind::kEnter, "enter", 0, {{0, 0}}).child = 1;
  image.add(NodeKind::kForward, "once", 1, {{1, 0}});
  image.add(NodeKind::kEnter, "b1", 1, {{2, 0}}).child = 2;
  image.add(NodeKind::kEnter, "b2", 1, {{2, 0}}).child = 2;
  image.add(NodeKind::kExit, "of b", 2, {{3, 0}});
  image.add(NodeKind::kMerge, "of b and next", 1, {{5, 0}, {7, 0}}, 3);
  image.add(NodeKind::kNextIteration, "next", 1, {{6, 0}});
  image.add(NodeKind::kExit, "of a", 1, {{2, 0}});
  image.add(NodeKind::kForward, "behind a", 0, {{8, 0}});
  NodeDesc &constant = image.add(NodeKind::kEnter, "constant", 0, {{0, 0}});
  constant.child = 1;
  constant.constant = true;
  image.add(NodeKind::kForward, "always", 1, {{10, 0}});
  image.add(NodeKind::kMerge, "of x and next", 1, {{1, 0}, {7, 0}}, 3);
  image.add(NodeKind::kMerge, "of next", 1, {{7, 0}}, 3);
  image.add(NodeKind::kMerge, "of x", 1, {{1, 0}}, 3);
  image.add(NodeKind::kForward, "third", 1, {{2, 0}, {14, 0}});
  std::vector<std::string_view> once;
  std::vector<std::pair<uint32_t, uint32_t>> values;
  for (const auto &node : image.loadSignature().nodes) {
    if (node->onlyFirst)
      once.push_back(node->name);
    if (node->kind == NodeKind::kMerge)
      values.emplace_back(node->valuesInFirst, node->valuesInLater);
  }
  EXPECT_EQ(once,
            (std::vector<std::string_view>{"once", "b1", "b2", "of b", "of a", "of x", "third"}));
  constexpr uint32_t kNever = Node::kNever;
  EXPECT_EQ(values,
            (std::vector<std::pair<uint32_t, uint32_t>>{{1, 1}, {1, 1}, {kNever, 1}, {1, kNever}}));
}

TEST(ProgramContents, OfNestedFramesAndRanks) {
  Image image;
  image.signature().frames = {
      {0, "", 1, 0}, {0, "a", 5, 3}, {0, "b", 6, 1}, {1, "c", 7, 9}, {1, "d", 8, 4}};
  auto wire = [&](NodeKind kind, uint32_t frame, uint32_t edge, uint32_t peer) -> NodeDesc & {
    NodeDesc &node = image.add(kind, "wire", frame, {}, kind == NodeKind::kRecv);
    node.edge = edge;
    node.peer = peer;
    return node;
  };
  NodeDesc &value = wire(NodeKind::kRecv, 0, 2, 7);
  value.outputTypes = {f32};
  value.wireShape = Shape{4};
  wire(NodeKind::kRecv, 4, 5, 8);
  wire(NodeKind::kSend, 4, 6, 9);
  wire(NodeKind::kSend, 1, 0, 9);
  wire(NodeKind::kSend, 2, 1, 10);
  NodeDesc &enter = image.add(NodeKind::kEnter, "enter", 1, {{0, 0}});
  enter.child = 3;
  enter.constant = true;
  image.add(NodeKind::kEnter, "enter", 1, {{0, 0}}).child = 3;
  image.add(NodeKind::kExit, "exit", 3, {{0, 0}});
  image.add(NodeKind::kNextIteration, "next", 3, {{0, 0}});
  const Signature &s = image.loadSignature();
  using Numbers = std::vector<uint32_t>;
  const StaticFrame &c = s.frames[3], &d = s.frames[4];
  EXPECT_EQ(c.name, "c");
  EXPECT_EQ(c.parent, 1u);
  EXPECT_EQ(c.window, 7u);
  EXPECT_EQ(c.globalId, 9u);
  EXPECT_EQ(d.id, 4u);
  EXPECT_EQ(d.childPosition, 1u);
  EXPECT_EQ(s.frames[2].childPosition, 1u);
  EXPECT_EQ(s.frames[1].numChildren, 2u);
  EXPECT_EQ(d.path, (Numbers{1, 4}));
  EXPECT_EQ(s.frames[0].path, Numbers());
  EXPECT_EQ(s.frames[1].downstream, Numbers{9});
  EXPECT_EQ(s.frames[1].upstream, Numbers{8});
  EXPECT_EQ(s.frames[2].downstream, Numbers{10});
  EXPECT_EQ(d.upstream, Numbers{8});
  EXPECT_EQ(c.upstream, Numbers());
  uint32_t none = Signature::kNoFrame;
  EXPECT_EQ(s.frameOfId, (Numbers{0, 2, none, 1, 4, none, none, none, none, 3}));
  EXPECT_EQ(c.numEnters, 2u);
  ASSERT_EQ(c.constantEnters.size(), 1u);
  EXPECT_TRUE(c.constantEnters[0]->constant);
  EXPECT_EQ(c.constantEnters[0]->child, 3u);
  EXPECT_EQ(c.exits.size(), 1u);
  EXPECT_EQ(c.numNextIterations, 1u);
  ASSERT_EQ(s.wireInputs.size(), 6u);
  EXPECT_EQ(s.wireInputs[2].recv, s.nodes[0].get());
  EXPECT_EQ(s.wireInputs[2].dtype, f32);
  EXPECT_EQ(s.wireInputs[2].shape.toString(), "[4]");
  EXPECT_EQ(s.wireInputs[5].dtype, DType::kInvalid);
  EXPECT_EQ(s.wireInputs[5].recv->peer, 8u);
  EXPECT_EQ(s.nodes[0]->pending, 1u);
  EXPECT_EQ(s.nodes[0]->numSlots, 1u);
  EXPECT_EQ(s.nodes[1]->numSlots, 0u);
  EXPECT_EQ(s.nodes[2]->peer, 9u);
  EXPECT_EQ(s.nodes[2]->edge, 6u);
  EXPECT_EQ(s.rootRecvs, std::vector<const Node *>{s.nodes[0].get()});
}

TEST(ProgramContents, OfCodelets) {
  Image image;
  CodeletDesc codelet;
  codelet.floatOps = 3;
  codelet.work = 1ull << 40;
  codelet.members = {{"m", 0, {}, {{1, 2, 0, {}, false, ""}}, {f32}}};
  codelet.outputs = {{f32, Shape{}, {1, 0}}};
  codelet.errorMembers = {"m", "n"};
  codelet.errorReasons = {"why"};
  image.signature().codelets = {codelet};
  image.add(NodeKind::kCodelet, "node").outputTypes = {f32};
  const Signature &s = image.loadSignature();
  const Codelet &got = s.codelets[0];
  EXPECT_EQ(s.nodes[0]->codelet, &got);
  EXPECT_EQ(got.floatOps, 3u);
  EXPECT_EQ(got.work, 1ull << 40);
  EXPECT_EQ(got.members[0].name, "m");
  EXPECT_EQ(got.members[0].kernel, &kPlain);
  EXPECT_EQ(got.members[0].attrs[0].i, 2);
  EXPECT_EQ(got.members[0].outputTypes, std::vector<DType>{f32});
  EXPECT_EQ(got.errorMembers, (std::vector<std::string_view>{"m", "n"}));
  EXPECT_EQ(got.errorReasons, std::vector<std::string_view>{"why"});
}

} // namespace
} // namespace sluice::rt
