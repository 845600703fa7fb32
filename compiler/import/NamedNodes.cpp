// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What whoever differentiates has to know of nodes: their names, where these say more than the ops
// that are built for them.
#include "compiler/import/GraphBuilder.h"
#include "compiler/import/functions/FunctionLibrary.h"
#include "compiler/import/graphdef.pb.h"

using namespace mlir;

namespace sluice::import {

// What the node computes goes into a region, whose arguments stand for the inputs.
void GraphBuilder::buildComposite(uint32_t index, const OpExpansion &expansion,
                                  const Expansion &outside) {
  Location loc = outside.loc();
  auto body = std::make_unique<Block>();
  SmallVector<Value> arguments;
  for (Value input : outside.inputs())
    arguments.push_back(body->addArgument(input.getType(), loc));
  {
    OpBuilder::InsertionGuard guard(builder_);
    builder_.setInsertionPointToEnd(body.get());
    Expansion inside(*this, index, arguments, {});
    expansion.build(inside);
    if (!failed_[index])
      flow::YieldOp::create(builder_, loc, results_[index]);
  }
  if (failed_[index])
    return results_[index].clear(); // its values go with the block
  auto composite = flow::CompositeOp::create(
      builder_, loc, TypeRange(ValueRange(results_[index])), outside.inputs(),
      builder_.getStringAttr("tf." + expansion.name), outside.attributes());
  composite.getBody().push_back(body.release());
  results_[index].assign(composite->result_begin(), composite->result_end());
}

// A tensor by which somebody differentiates is a value of its own. Variables need no mark: all that
// is read of them is meant.
Value GraphBuilder::independent(Endpoint endpoint, Value value) {
  if (!selection_.isIndependent(endpoint) || !isa<TensorType>(value.getType()))
    return value;
  std::string name = graph_.node(endpoint.node).name().str() + ":" + std::to_string(endpoint.slot);
  auto marked = flow::IndependentOp::create(builder_, locationOf(endpoint.node), value.getType(),
                                            value, builder_.getStringAttr(name));
  if (placement_)
    placement_->annotate(marked, endpoint.node);
  return marked;
}

// What is fed in place of a computed value has its derivative.
void GraphBuilder::linkFeed(Endpoint endpoint, Value computed) {
  if (!selection_.isThrough(endpoint))
    return;
  Value &fed = feeds_[*selection_.feedIndex(endpoint)];
  fed = flow::KnownAsOp::create(builder_, locationOf(endpoint.node), fed.getType(),
                                builder_.getStringAttr("tf.fed"), DictionaryAttr(), fed, computed)
            .getResult(0);
}

// A node may have a gradient of its own, not those of the ops that compute its results: a function
// of the program that made the graph, or one of the graph's. Empty if it has none.
std::string GraphBuilder::nameOfOwnGradient(const Node &node) const {
  const graphdef::AttrValue *own = nullptr, *called = nullptr;
  for (const graphdef::AttrEntry &entry : node.def->attr()) {
    own = entry.key() == "_gradient_op_type" ? &entry.value() : own;
    called = entry.key() == "f" ? &entry.value() : called;
  }
  // Calls of functions name the gradient of a call, "PartitionedCall-12".
  if (own && !StringRef(own->s()).starts_with(node.opName().str() + "-"))
    return "custom." + own->s();
  StringRef callee = node.op && node.op->isFunction ? node.opName()
                     : called                       ? StringRef(called->func().name())
                                                    : StringRef();
  StringRef gradient = callee.empty() ? callee : parts_.library->gradientOf(callee);
  return gradient.empty() ? "" : "function." + gradient.str();
}

void GraphBuilder::nameOwnGradient(uint32_t index, ValueRange inputs) {
  std::string name = nameOfOwnGradient(graph_.node(index));
  SmallVector<Value> values(results_[index].begin(), results_[index].end()), given;
  if (name.empty() || values.empty() || llvm::is_contained(values, Value()))
    return;
  llvm::copy_if(inputs, std::back_inserter(given), [](Value v) { return bool(v); });
  DictionaryAttr parameters;
  if (ownGradient_)
    parameters = builder_.getDictionaryAttr(builder_.getNamedAttr("function", ownGradient_));
  auto known = flow::KnownAsOp::create(builder_, locationOf(index), ValueRange(values).getTypes(),
                                       builder_.getStringAttr(name), parameters, values, given);
  results_[index].assign(known.result_begin(), known.result_end());
}

} // namespace sluice::import
