// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of a graph as the numbers of update rules (runtime/elements/updates.h): each operation
// makes an op. Scalars are broadcast.
#pragma once

#include "compiler/import/tensorflow/Expansion.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <optional>

namespace sluice::import {

struct GraphNumber {
  Expansion *expansion = nullptr;
  Value value;
  // What it is, of constants. The value of one that a node was given is gated: an op of constants
  // only would be in the root frame, wherever the node is.
  std::optional<llvm::APFloat> known = {};

  template <typename OpT> GraphNumber with(const GraphNumber &other) const {
    return {expansion, expansion->like<OpT>({value, other.value})};
  }
  template <typename OpT> GraphNumber changed() const {
    return {expansion, expansion->like<OpT>(value)};
  }
};

// Of scalars.
struct GraphCondition {
  Expansion *expansion;
  Value value;
  std::optional<bool> known = {}; // of constants
};

inline GraphNumber operator+(const GraphNumber &x, const GraphNumber &y) {
  return x.with<nd::AddOp>(y);
}
inline GraphNumber operator-(const GraphNumber &x, const GraphNumber &y) {
  return x.with<nd::SubOp>(y);
}
inline GraphNumber operator*(const GraphNumber &x, const GraphNumber &y) {
  return x.with<nd::MulOp>(y);
}
inline GraphNumber operator/(const GraphNumber &x, const GraphNumber &y) {
  return x.with<nd::DivOp>(y);
}
// The number that a constant holds everywhere.
inline std::optional<llvm::APFloat> constantIn(Value value) {
  auto constant = value.getDefiningOp<nd::ConstantOp>();
  auto elements = constant ? llvm::dyn_cast<mlir::SplatElementsAttr>(constant.getValue()) : nullptr;
  if (!elements || !llvm::isa<mlir::FloatType>(elements.getElementType()))
    return std::nullopt;
  return elements.getSplatValue<llvm::APFloat>();
}

template <typename C> GraphNumber like(const GraphNumber &x, C constant) {
  Value value = x.expansion->scalar(Expansion::elementOf(x.value), static_cast<double>(constant));
  return {x.expansion, value, constantIn(value)};
}
inline GraphNumber squareRoot(const GraphNumber &x) { return x.changed<nd::SqrtOp>(); }
inline GraphNumber reciprocalRoot(const GraphNumber &x) { return x.changed<nd::RsqrtOp>(); }
inline GraphNumber signOf(const GraphNumber &x) { return x.changed<nd::SignOp>(); }
inline GraphNumber magnitude(const GraphNumber &x) { return x.changed<nd::AbsOp>(); }
inline GraphNumber exponential(const GraphNumber &x) { return x.changed<nd::ExpOp>(); }
inline GraphNumber larger(const GraphNumber &x, const GraphNumber &y) {
  return x.with<nd::MaximumOp>(y);
}
inline GraphNumber powerOf(const GraphNumber &x, const GraphNumber &y) {
  return x.with<nd::PowOp>(y);
}

template <typename OpT, typename Compare>
GraphCondition compared(const GraphNumber &x, const GraphNumber &y, Compare compare) {
  if (x.known && y.known)
    return {x.expansion, nullptr, compare(*x.known, *y.known)};
  return {x.expansion, x.expansion->compare<OpT>(x.value, y.value)};
}
inline GraphCondition less(const GraphNumber &x, const GraphNumber &y) {
  return compared<nd::LessOp>(x, y, [](const auto &a, const auto &b) { return a < b; });
}
inline GraphCondition lessOrEqual(const GraphNumber &x, const GraphNumber &y) {
  return compared<nd::LessEqualOp>(x, y, [](const auto &a, const auto &b) { return a <= b; });
}
inline GraphCondition equals(const GraphNumber &x, const GraphNumber &y) {
  return compared<nd::EqualOp>(x, y, [](const auto &a, const auto &b) { return a == b; });
}

inline GraphNumber select(const GraphCondition &condition, const GraphNumber &yes,
                          const GraphNumber &no) {
  if (condition.known)
    return *condition.known ? yes : no;
  Expansion &e = *condition.expansion;
  return {&e,
          e.tensor<nd::SelectOp>(Expansion::elementOf(yes.value),
                                 {condition.value, yes.value, no.value}, e.flag("leading", false))};
}
template <typename Yes, typename No>
GraphNumber choose(const GraphCondition &condition, const Yes &yes, const No &no) {
  if (condition.known)
    return *condition.known ? yes() : no();
  return select(condition, yes(), no());
}

} // namespace sluice::import
