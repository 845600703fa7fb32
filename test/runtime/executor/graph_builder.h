// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds one-signature programs for tests of the token machine.
#pragma once

#include "runtime/executor/executor.h"
#include "runtime/kernels/registry.h"
#include "runtime/program/write_image.h"

#include <gtest/gtest.h>

namespace sluice::rt {

// A codelet without lists, of hand-written functions.
constexpr SluiceCodelet codeletOf(SluiceCodeletFn sizes, SluiceCodeletFn body, int64_t arenaBytes,
                                  const uint32_t *inPlace) {
  return {sizes, body, arenaBytes, inPlace, 0, nullptr, 0, nullptr, nullptr, nullptr};
}

// An attribute that holds a number, a flag or the position of a resource.
inline AttrDesc intAttr(int64_t value) {
  AttrDesc attr;
  attr.kind = static_cast<uint8_t>(Attr::Kind::kInt);
  attr.i = value;
  return attr;
}

class GraphBuilder {
public:
  using Value = OperandDesc;

  GraphBuilder() {
    program_.name = "test";
    program_.signatures.emplace_back();
    signature().name = "main";
    signature().frames.push_back({0, "", 1});
  }

  uint32_t frame(const char *name, uint32_t window, uint32_t parent = 0) {
    auto id = static_cast<uint32_t>(signature().frames.size());
    signature().frames.push_back({parent, name, window, id});
    return id;
  }
  template <typename T> Value constant(T value) {
    signature().constants.push_back(Tensor::scalar<T>(value));
    return {OperandDesc::kConstant, static_cast<uint32_t>(signature().constants.size() - 1)};
  }
  NodeDesc &add(NodeKind kind, const char *name, uint32_t frame, std::vector<Value> inputs,
                uint32_t ports) {
    NodeDesc node;
    node.kind = kind;
    node.name = name;
    node.frame = frame;
    node.inputs = std::move(inputs);
    node.ports = ports;
    signature().nodes.push_back(std::move(node));
    return signature().nodes.back();
  }
  Value last(uint32_t port = 0) const {
    return {static_cast<uint32_t>(program_.signatures[0].nodes.size() - 1), port};
  }
  Value feed(const char *name, DType dtype) {
    add(NodeKind::kFeed, name, 0, {}, 1);
    signature().feeds.push_back({name, dtype, Shape{}, last().node});
    return last();
  }
  void fetch(const char *name, Value value, DType dtype) {
    add(NodeKind::kFetch, name, 0, {value}, 0);
    signature().fetches.push_back({name, dtype, Shape{}, last().node});
  }
  Value enter(const char *name, uint32_t child, Value data, bool constant = false,
              uint32_t frame = 0) {
    NodeDesc &node = add(NodeKind::kEnter, name, frame, {data}, 1);
    node.child = child;
    node.constant = constant;
    return last();
  }
  Value kernel(const char *op, const char *name, uint32_t frame, std::vector<Value> inputs,
               std::vector<DType> inputTypes, DType output, bool scalars = true) {
    const KernelEntry *entry = findKernel(op, inputTypes, std::span(&output, 1));
    EXPECT_NE(entry, nullptr) << op;
    NodeDesc &node = add(NodeKind::kKernel, name, frame, std::move(inputs), 1);
    node.kernel = static_cast<uint32_t>(kernels_.size());
    node.outputTypes = {output};
    node.outputIsScalar = {scalars};
    node.inputsAreScalars = scalars;
    kernels_.push_back(entry->kernel);
    return last();
  }
  // Of one that is not registered, which must outlive the program.
  Value kernel(const Kernel &kernel, const char *name, uint32_t frame, std::vector<Value> inputs,
               DType output) {
    NodeDesc &node = add(NodeKind::kKernel, name, frame, std::move(inputs), 1);
    node.kernel = static_cast<uint32_t>(kernels_.size());
    node.outputTypes = {output};
    node.outputIsScalar = {false};
    kernels_.push_back(&kernel);
    return last();
  }
  // Of the signature's codelets; further members and outputs can be added to what is returned.
  CodeletDesc &addCodelet(const SluiceCodelet &code, uint32_t numInputs) {
    CodeletDesc codelet;
    codelet.code = static_cast<uint32_t>(codelets_.size());
    codelet.numInputs = numInputs;
    codelets_.push_back(&code);
    signature().codelets.push_back(std::move(codelet));
    return signature().codelets.back();
  }
  CodeletMemberDesc member(const char *op, const char *name, std::vector<Value> inputs,
                           DType type) {
    CodeletMemberDesc member;
    const KernelEntry *entry =
        findKernel(op, std::vector(inputs.size(), type), std::span(&type, 1));
    EXPECT_NE(entry, nullptr) << op;
    member.name = name;
    member.kernel = static_cast<uint32_t>(kernels_.size());
    member.inputs = std::move(inputs);
    member.outputTypes = {type};
    kernels_.push_back(entry->kernel);
    return member;
  }
  // A node that runs the codelet that was added last.
  Value runCodelet(const char *name, uint32_t frame, std::vector<Value> inputs) {
    const CodeletDesc &codelet = signature().codelets.back();
    NodeDesc &node = add(NodeKind::kCodelet, name, frame, std::move(inputs),
                         static_cast<uint32_t>(codelet.outputs.size()));
    node.codelet = static_cast<uint32_t>(signature().codelets.size() - 1);
    for (const CodeletOutputDesc &output : codelet.outputs)
      node.outputTypes.push_back(output.dtype);
    return last();
  }
  void variable(const char *name, DType dtype, Shape shape) {
    program_.resources.push_back({ResourceKind::kVariable, name, dtype, std::move(shape)});
  }
  void generator(const char *name) {
    program_.resources.push_back({ResourceKind::kGenerator, name, DType::kInvalid, {}});
  }
  NodeDesc &node(Value value) { return signature().nodes[value.node]; }
  SignatureDesc &signature() { return program_.signatures[0]; }
  // Another signature that is like the first one.
  void repeatSignature(const char *name) {
    program_.signatures.push_back(SignatureDesc(signature()));
    program_.signatures.back().name = name;
  }

  // The builder must outlive the program.
  Result<std::unique_ptr<Program>> load() { return loadImage(makeImage()); }
  Result<std::unique_ptr<Program>> loadImage(std::span<const char> image) const {
    return Program::load(image, tables());
  }
  // What images refer to.
  Program::Tables tables() const { return {kernels_, codelets_}; }
  // The image as it is now, which the builder keeps.
  const std::string &makeImage() { return image_ = writeImage(program_); }
  // Of the last load.
  const std::string &image() const { return image_; }
  std::unique_ptr<Program> buildProgram() {
    auto loaded = load();
    EXPECT_TRUE(loaded.ok()) << loaded.status().toString();
    return std::move(*loaded);
  }
  std::unique_ptr<Executor> build() { return std::make_unique<Executor>(buildProgram()); }

  // ---- Ranks of a cluster.
  void makeRank(uint32_t rank, uint32_t ranks) {
    program_.rank = rank;
    for (uint32_t i = 0; i < ranks; ++i)
      program_.devices.push_back({"/device:CPU:" + std::to_string(i), "127.0.0.1:0"});
  }
  void send(const char *name, uint32_t frame, Value value, uint32_t edge, uint32_t to) {
    NodeDesc &node = add(NodeKind::kSend, name, frame, {value}, 0);
    node.edge = edge;
    node.peer = to;
  }
  Value recv(const char *name, uint32_t frame, std::vector<Value> gates, DType dtype, uint32_t edge,
             uint32_t from) {
    NodeDesc &node = add(NodeKind::kRecv, name, frame, {}, 1);
    node.orders = std::move(gates);
    node.outputTypes = {dtype};
    node.outputIsScalar = {true};
    node.edge = edge;
    node.peer = from;
    return last();
  }

private:
  ProgramDesc program_;
  std::vector<const Kernel *> kernels_;
  std::vector<const SluiceCodelet *> codelets_;
  std::string image_;
};

// while (i < limit) i = i + 1, fetched as "i"; returns the merge, switch-true and sum values.
struct CountingLoop {
  GraphBuilder::Value merge, body, sum, exit, condition;
};
inline CountingLoop addCountingLoop(GraphBuilder &g, uint32_t frame, GraphBuilder::Value start,
                                    GraphBuilder::Value limit, uint32_t parent = 0) {
  CountingLoop loop;
  auto i32 = DType::kI32;
  auto enter = g.enter("enter", frame, start, false, parent);
  auto enterLimit = g.enter("limit", frame, limit, true, parent);
  g.add(NodeKind::kMerge, "merge", frame, {enter, enter}, 3);
  loop.merge = g.last();
  loop.condition =
      g.kernel("nd.less", "less", frame, {loop.merge, enterLimit}, {i32, i32}, DType::kBool);
  g.add(NodeKind::kForward, "pivot", frame, {loop.condition}, 1);
  auto pivot = g.last();
  g.add(NodeKind::kSwitch, "switch", frame, {loop.merge, pivot}, 3);
  loop.body = g.last(1);
  auto done = g.last(0);
  auto one = g.constant<int32_t>(1);
  loop.sum = g.kernel("nd.add", "add", frame, {loop.body, one}, {i32, i32}, i32);
  g.add(NodeKind::kNextIteration, "next", frame, {loop.sum}, 1);
  g.node(loop.merge).inputs[1] = g.last();
  g.add(NodeKind::kExit, "exit", frame, {done}, 1);
  loop.exit = g.last();
  return loop;
}

// One call to its end.
inline Status runToEnd(TokenMachine &machine, std::span<const Tensor> feeds,
                       std::span<Tensor> fetches, Environment &environment) {
  machine.begin(feeds, fetches, environment);
  while (machine.step(~0u)) {
  }
  return machine.finish();
}

inline double statOf(Executor &executor, const char *name) {
  for (auto &[key, value] : executor.stats())
    if (key == name)
      return value;
  ADD_FAILURE() << name;
  return 0;
}

} // namespace sluice::rt
