// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests for derivatives become ops, while the names of tensors are known.
#include "compiler/import/GraphBuilder.h"

#include "compiler/import/graphdef.pb.h"

#include "dialects/list/List.h"
#include "dialects/state/State.h"

using namespace mlir;

namespace sluice::import {

// Stands before the name of a gradient in the name of a flow.known_as.
static const std::string kOwnGradientPrefix = "custom.";

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

// A node may name a gradient of its own, which is a function of the program that made the graph:
// not those of the ops that compute its results.
void GraphBuilder::nameOwnGradient(uint32_t index, ValueRange inputs) {
  const Node &node = graph_.node(index);
  const auto &attributes = node.def->attr();
  auto own = llvm::find_if(attributes, [](const graphdef::AttrEntry &entry) {
    return entry.key() == "_gradient_op_type";
  });
  // Calls of functions name the gradient of a call, "PartitionedCall-12".
  if (own == attributes.end() || StringRef(own->value().s()).starts_with(node.opName().str() + "-"))
    return;
  SmallVector<Value> values(results_[index].begin(), results_[index].end()), given;
  llvm::copy_if(inputs, std::back_inserter(given), [](Value v) { return bool(v); });
  if (llvm::is_contained(values, Value()) || values.empty())
    return;
  auto known =
      flow::KnownAsOp::create(builder_, locationOf(index), ValueRange(values).getTypes(),
                              builder_.getStringAttr(kOwnGradientPrefix + own->value().s()),
                              DictionaryAttr(), values, given);
  results_[index].assign(known.result_begin(), known.result_end());
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
    return value ? readReference(value, locationOf(endpoint.node), {}) : value;
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
        ExitCode::kUsage, graph_.place(gradients.ys[i].node),
        "gradients of it: expected a tensor of floats or complex numbers, or a list with "
        "a seed that is one, but got " +
            textOf(y.getType()));
    return false;
  }
  if (seed && !(isOfList ? isList(seed.getType()) : haveEqualElements(y, seed))) {
    diagnostics_.error(ExitCode::kUsage, graph_.place(gradients.seeds[i].node),
                       "as a seed: expected something like what is differentiated, " +
                           textOf(y.getType()) + ", but got " + textOf(seed.getType()));
    return false;
  }
  ys.push_back(y);
  if (isSeeded)
    seeds.push_back(seed);
  return true;
}

void GraphBuilder::addGradients() {
  for (const SelectedGradients &gradients : selection_.gradients) {
    SmallVector<Value> ys, seeds, xs, stops;
    bool isGood = true;
    for (size_t i = 0; i < gradients.ys.size(); ++i)
      isGood &= addDifferentiated(gradients, i, ys, seeds);
    uint32_t first = gradients.ys.front().node;
    if (isGood && ys.empty()) {
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
      continue; // told already
    auto request = flow::GradientOp::create(builder_, locationOf(first), types, ys, seeds, xs,
                                            stops, gradients.name);
    for (auto [result, name] : llvm::zip_equal(request.getResults(), gradients.fetchNames))
      flow::FetchOp::create(builder_, locationOf(first), result, name);
  }
}

} // namespace sluice::import
