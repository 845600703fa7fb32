// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests for derivatives become ops, while the names of tensors are known.
#include "compiler/import/GraphBuilder.h"

#include "dialects/interfaces/Gradient.h"
#include "dialects/list/List.h"
#include "dialects/state/State.h"

using namespace mlir;

namespace sluice::import {

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

static bool haveEqualElements(Value a, Value b) {
  auto left = dyn_cast<TensorType>(a.getType()), right = dyn_cast<TensorType>(b.getType());
  return left && right && left.getElementType() == right.getElementType();
}

static bool isList(Type type) { return isa<list::OfType, list::UnknownType>(type); }

// What is differentiated, with its seed if there are seeds. Integers are left out: they have no
// derivatives.
bool GraphBuilder::addDifferentiated(const SelectedGradients &gradients, size_t i,
                                     llvm::SmallVector<Value> &ys,
                                     llvm::SmallVector<Value> &seeds) {
  auto valueAt = [&](Endpoint endpoint) {
    Value value = valueOf(endpoint);
    return value ? readReference(value, locationOf(selection_.nodeToName(endpoint)), {}) : value;
  };
  bool isSeeded = !gradients.seeds.empty();
  Value y = valueAt(gradients.ys[i]), seed = isSeeded ? valueAt(gradients.seeds[i]) : Value();
  if (!y || (isSeeded && !seed))
    return false; // its node failed
  if (isa<TensorType>(y.getType()) && !isContinuous(y.getType()))
    return true;
  bool isOfList = isSeeded && isList(y.getType());
  if (!isOfList && !isContinuous(y.getType())) {
    diagnostics_.error(
        ExitCode::kUsage, graph_.place(selection_.nodeToName(gradients.ys[i])),
        "gradients of it: expected a tensor of floats or complex numbers, or a list with "
        "a seed that is one, but got " +
            textOf(y.getType()));
    return false;
  }
  if (seed && !(isOfList ? isList(seed.getType()) : haveEqualElements(y, seed))) {
    diagnostics_.error(ExitCode::kUsage, graph_.place(selection_.nodeToName(gradients.seeds[i])),
                       "as a seed: expected something like what is differentiated, " +
                           textOf(y.getType()) + ", but got " + textOf(seed.getType()));
    return false;
  }
  ys.push_back(y);
  if (isSeeded)
    seeds.push_back(seed);
  return true;
}

// How the xs move: tensors like them, whose types are given.
bool GraphBuilder::addTangents(const SelectedGradients &gradients, ArrayRef<Type> types,
                               SmallVector<Value> &tangents) {
  for (auto [tangent, type] : llvm::zip(gradients.tangents, types)) {
    uint32_t node = selection_.nodeToName(tangent);
    Value value = valueOf(tangent);
    value = value ? readReference(value, locationOf(node), {}) : value;
    if (!value)
      return false; // its node failed
    auto got = dyn_cast<TensorType>(value.getType());
    if (!got || got.getElementType() != cast<TensorType>(type).getElementType()) {
      diagnostics_.error(ExitCode::kUsage, graph_.place(node),
                         "as a tangent: expected something like what moves, " + textOf(type) +
                             ", but got " + textOf(value.getType()));
      return false;
    }
    tangents.push_back(value);
  }
  return true;
}

void GraphBuilder::addGradients() {
  for (const SelectedGradients &gradients : selection_.gradients) {
    SmallVector<Value> ys, seeds, xs, stops;
    bool isGood = true;
    for (size_t i = 0; i < gradients.ys.size(); ++i)
      isGood &= addDifferentiated(gradients, i, ys, seeds);
    uint32_t first = selection_.nodeToName(gradients.ys.front());
    bool moves = !gradients.tangents.empty();
    if (isGood && (ys.empty() || (moves && ys.size() < gradients.ys.size()))) {
      diagnostics_.error(
          ExitCode::kUsage, graph_.place(first),
          "gradients of it: expected floats or complex numbers but got integers, which "
          "have no derivatives");
      isGood = false;
    }
    SmallVector<Type> types;
    for (Endpoint x : gradients.xs) {
      Value value = valueOf(x);
      types.push_back(value ? typeOfDerivative(value) : Type());
      if (value && !isContinuous(types.back()))
        diagnostics_.error(
            ExitCode::kUsage, graph_.place(x.node),
            "gradients with respect to it: expected a variable or tensor of floats or "
            "complex numbers but got " +
                textOf(value.getType()));
      xs.push_back(value);
    }
    for (Endpoint stop : gradients.stops)
      if (Value value = valueOf(stop))
        stops.push_back(value);
    if (!isGood || !llvm::all_of(types, isContinuous))
      return; // told already; what follows may depend on it
    SmallVector<Value> tangents;
    if (!addTangents(gradients, types, tangents))
      return;
    Location loc = locationOf(first);
    if (moves)
      seeds = addUnknowns(ys, loc);
    auto request =
        flow::GradientOp::create(builder_, loc, types, ys, seeds, xs, stops, gradients.name);
    // What is linear in the seeds by the tangents is the derivative of its product with them by the
    // seeds.
    if (moves)
      request = flow::GradientOp::create(builder_, loc, ValueRange(seeds).getTypes(),
                                         request.getResults(), tangents, seeds, ValueRange(),
                                         gradients.name);
    results_.emplace_back(request.result_begin(), request.result_end()); // for later requests
    for (auto [result, name] : llvm::zip_equal(request.getResults(), gradients.fetchNames))
      flow::FetchOp::create(builder_, loc, result, name);
  }
}

// Zeros by which one can differentiate, one for each value.
SmallVector<Value> GraphBuilder::addUnknowns(ValueRange values, Location loc) {
  SmallVector<Value> unknowns;
  for (Value value : values) {
    auto type = cast<TensorType>(value.getType());
    auto scalar = RankedTensorType::get({}, type.getElementType());
    auto sizes = RankedTensorType::get({type.hasRank() ? type.getRank() : ShapedType::kDynamic},
                                       builder_.getI64Type());
    Value zero = nd::ConstantOp::create(builder_, loc, scalar, splatOf(scalar, 0));
    Value shape = nd::ShapeOp::create(builder_, loc, sizes, value);
    Value zeros = nd::FillOp::create(builder_, loc, type, shape, zero);
    unknowns.push_back(
        flow::IndependentOp::create(builder_, loc, type, zeros, builder_.getStringAttr("jvp")));
  }
  return unknowns;
}

} // namespace sluice::import
