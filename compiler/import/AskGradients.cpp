// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests for derivatives become ops, while the names of tensors are known.
#include "compiler/import/GraphBuilder.h"

#include "dialects/state/State.h"

using namespace mlir;

namespace sluice::import {

// A tensor by which somebody differentiates is a value of its own. Variables need no mark: all that is
// read of them is meant.
Value GraphBuilder::independent(Endpoint endpoint, Value value) {
  if (!selection_.isIndependent(endpoint) || !isa<TensorType>(value.getType()))
    return value;
  std::string name =
      graph_.node(endpoint.node).name().str() + ":" + std::to_string(endpoint.slot);
  auto marked = flow::IndependentOp::create(builder_, locationOf(endpoint.node), value.getType(), value,
                                            builder_.getStringAttr(name));
  if (placement_)
    placement_->annotate(marked, endpoint.node);
  return marked;
}

static bool isContinuous(Type type) {
  auto tensor = dyn_cast_or_null<TensorType>(type);
  return tensor && isa<FloatType, ComplexType>(tensor.getElementType());
}

// What a variable holds, or the type of a tensor; null for all else.
static Type typeOfDerivative(Value value) {
  if (isa<TensorType>(value.getType()))
    return value.getType();
  if (isa<state::RefType, state::ResourceType>(value.getType()))
    return Expansion::heldType(value);
  return {};
}

// Null, after a diagnostic, for what is no tensor of floats or complex numbers.
Value GraphBuilder::tensorOf(Endpoint endpoint, const char *role) {
  Value value = valueOf(endpoint);
  if (!value)
    return {}; // its node failed
  value = readReference(value, locationOf(endpoint.node), {});
  if (isContinuous(value.getType()))
    return value;
  diagnostics_.error(ExitCode::kUsage, graph_.place(endpoint.node),
                     std::string(role) + ": expected a tensor of floats or complex numbers but got " +
                         textOf(value.getType()));
  return {};
}

void GraphBuilder::addGradients() {
  for (const SelectedGradients &gradients : selection_.gradients) {
    SmallVector<Value> ys, seeds, xs, stops;
    for (Endpoint y : gradients.ys)
      ys.push_back(tensorOf(y, "gradients of it"));
    for (Endpoint seed : gradients.seeds)
      seeds.push_back(tensorOf(seed, "seed"));
    SmallVector<Type> types;
    for (Endpoint x : gradients.xs) {
      Value value = valueOf(x);
      types.push_back(value ? typeOfDerivative(value) : Type());
      if (value && !isContinuous(types.back()))
        diagnostics_.error(ExitCode::kUsage, graph_.place(x.node),
                           "gradients with respect to it: expected a variable or tensor of floats or "
                           "complex numbers but got " + textOf(value.getType()));
      xs.push_back(value);
    }
    for (Endpoint stop : gradients.stops)
      if (Value value = valueOf(stop))
        stops.push_back(value);
    bool isMissing = llvm::is_contained(ys, Value()) || llvm::is_contained(seeds, Value()) ||
                     !llvm::all_of(types, isContinuous);
    if (isMissing)
      continue; // told already
    Location loc = locationOf(gradients.ys.front().node);
    auto request =
        flow::GradientOp::create(builder_, loc, types, ys, seeds, xs, stops, gradients.name);
    for (auto [result, name] : llvm::zip_equal(request.getResults(), gradients.fetchNames))
      flow::FetchOp::create(builder_, loc, result, name);
  }
}

} // namespace sluice::import
