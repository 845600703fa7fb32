// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which numbers element types are, for choosing the code of element functions.
#pragma once

#include "compiler/codegen/elements/ElementTypes.h"
#include "compiler/codegen/elements/SmallFloats.h"

namespace sluice::codegen {

enum class NumberKind { kBool, kSigned, kUnsigned, kF32, kF64 };
constexpr bool isFloat(NumberKind kind) {
  return kind == NumberKind::kF32 || kind == NumberKind::kF64;
}
constexpr bool isInt(NumberKind kind) {
  return kind == NumberKind::kSigned || kind == NumberKind::kUnsigned;
}

// The sets of runtime/kernels/declare.h, as far as code holds their members.
using TypeSet = unsigned;
namespace type_sets {
constexpr TypeSet BOOL = 1, INT = 2, FLOAT = 4, REAL = INT | FLOAT, NUMBER = REAL,
                  FLOAT_COMPLEX = FLOAT, NUMBER_STRING = NUMBER, COMPARABLE = NUMBER | BOOL,
                  ANY = NUMBER | BOOL;
} // namespace type_sets

// The set of one element type; none for those that have no code.
inline TypeSet typeSetOf(mlir::Type element) {
  element = computeType(element);
  if (element.isF32() || element.isF64())
    return type_sets::FLOAT;
  if (element.isInteger(1))
    return type_sets::BOOL;
  auto integer = llvm::dyn_cast<mlir::IntegerType>(element);
  bool isHeld = integer && llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth());
  return isHeld ? type_sets::INT : 0;
}

// Calls `emit` with the kind of numbers that elements of a type in the set are, which is a
// `computeType`.
template <TypeSet set, typename Emit> mlir::Value withKind(mlir::Type element, Emit emit) {
  using enum NumberKind;
  if constexpr (set & type_sets::FLOAT) {
    if (element.isF32())
      return emit.template operator()<kF32>();
    if (element.isF64())
      return emit.template operator()<kF64>();
  }
  if constexpr (set & type_sets::BOOL)
    if (element.isInteger(1))
      return emit.template operator()<kBool>();
  if constexpr (set & type_sets::INT)
    return isUnsigned(element) ? emit.template operator()<kUnsigned>()
                               : emit.template operator()<kSigned>();
  llvm_unreachable("expected an element type of the set");
}

} // namespace sluice::codegen
