// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tracing of handles to the ops that make them.
#include "compiler/import/HandleTypes.h"

#include "compiler/import/MlirTypes.h"
#include "compiler/import/SharedObjects.h"

#include "dialects/array/Array.h"
#include "dialects/state/State.h"

namespace sluice::import {

using llvm::StringRef;
using mlir::Type;

namespace {

// Stacks of stacks of stacks are as deep as loops are nested.
constexpr int kMaxDepth = 32;

bool isStack(StringRef op) { return op == "Stack" || op == "StackV2"; }
bool isPush(StringRef op) { return op == "StackPush" || op == "StackPushV2"; }
bool isPop(StringRef op) { return op == "StackPop" || op == "StackPopV2"; }
bool isDecoder(StringRef op) {
  return op == "RaggedTensorFromVariant" || op == "DeserializeSparse";
}
bool isArray(StringRef op) {
  return op == "TensorArray" || op == "TensorArrayV2" || op == "TensorArrayV3";
}

bool isForwarding(StringRef op) {
  return op == "Identity" || op == "RefIdentity" || isEnter(op) || isExit(op) || isSwitch(op) ||
         isMerge(op) || isNextIteration(op) || op == "FakeQueue" ||
         op.starts_with("TensorArrayGrad");
}

} // namespace

std::optional<uint32_t> HandleTypes::originOf(Endpoint endpoint) const {
  constexpr int kMaxSteps = 1000;
  uint32_t at = endpoint.node;
  for (int i = 0; i < kMaxSteps; ++i) {
    const Node &node = graph_.node(at);
    if (!isForwarding(node.opName()))
      return at;
    // A Merge may list its back edge first.
    auto forward = llvm::find_if(node.inputs, [&](Endpoint from) {
      return !isNextIteration(graph_.node(from.node).opName());
    });
    if (forward == node.inputs.end())
      return std::nullopt;
    at = forward->node;
  }
  return std::nullopt;
}

void HandleTypes::collect() {
  if (collected_)
    return;
  collected_ = true;
  for (uint32_t i = 0; i < graph_.nodes().size(); ++i) {
    const Node &node = graph_.node(i);
    if (isPush(node.opName()) && node.inputs.size() == 2)
      if (auto stack = originOf(node.inputs[0]))
        firstPush_.try_emplace(*stack, i);
    if (isDecoder(node.opName()) && node.inputs.size() == 1)
      if (auto maker = originOf(node.inputs[0]))
        decoded_.insert(*maker);
  }
}

bool HandleTypes::isDecoded(uint32_t node) {
  collect();
  return decoded_.contains(node);
}

Type HandleTypes::elementOfStack(uint32_t stack, int depth) {
  const graphdef::AttrValue *elements = graph_.attribute(graph_.node(stack), "elem_type");
  if (!elements || depth > kMaxDepth)
    return nullptr;
  if (Type element = elementTypeOf(context_, elements->type()))
    return unrankedOf(element);
  collect();
  auto push = firstPush_.find(stack);
  return push == firstPush_.end() ? nullptr
                                  : handleAt(graph_.node(push->second).inputs[1], depth + 1);
}

Type HandleTypes::handleAt(Endpoint endpoint, int depth) {
  auto origin = originOf(endpoint);
  if (!origin || depth > kMaxDepth)
    return nullptr;
  const Node &node = graph_.node(*origin);
  StringRef op = node.opName();
  if (isStack(op)) {
    Type element = elementOfStack(*origin, depth + 1);
    return element ? array::StackType::get(context_, element) : nullptr;
  }
  if (op == "_Arg") {
    auto index = static_cast<size_t>(graph_.attribute(node, "index")->i());
    return index < arguments_.size() ? arguments_[index] : nullptr;
  }
  if (isPop(op) && !node.inputs.empty()) {
    auto stack = originOf(node.inputs[0]);
    return stack && isStack(graph_.node(*stack).opName()) ? elementOfStack(*stack, depth + 1)
                                                          : nullptr;
  }
  if (StringRef kind = kindOfHandleFrom(op); !kind.empty())
    return state::ObjectType::get(context_, kind);
  if (op == "VarHandleOp") {
    Type held = heldTypeOf(context_, graph_.attribute(node, "dtype")->type(),
                           graph_.attribute(node, "shape")->shape());
    return held ? state::ResourceType::get(context_, held) : Type();
  }
  const graphdef::AttrValue *dtype = graph_.attribute(node, "dtype");
  Type element = dtype ? storedTypeOf(context_, dtype->type()) : nullptr;
  if (!element)
    return nullptr;
  if (isArray(op))
    return array::HandleType::get(context_, unrankedOf(element));
  return nullptr;
}

} // namespace sluice::import
