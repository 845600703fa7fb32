// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "set": sets in the last dim of dense and sparse tensors.
#include "compiler/import/tensorflow/SparseTensors.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace sluice::import {

namespace {

// Every element of a dense tensor.
SparseTensor allElements(Expansion &e, Value x) {
  Value everywhere = filled(e, dimsOf(e, x), e.scalar(e.builder().getI1Type(), 1));
  return {e.tensor<nd::WhereOp>(i64Of(e), everywhere), reshaped(e, x, e.ints({-1})),
          converted(e, dimsOf(e, x), i64Of(e))};
}

// Of the inputs from `i` on, which it passes by.
SparseTensor takeSparse(ArrayRef<Value> inputs, size_t &i) {
  i += 3;
  return {inputs[i - 3], inputs[i - 2], inputs[i - 1]};
}

template <bool firstIsSparse, bool secondIsSparse> void setOperation(Expansion &e) {
  std::string given = StringRef(e.stringAttr("set_operation")).lower();
  auto how = llvm::StringSwitch<StringRef>(given)
                 .Case("a-b", "first_only")
                 .Case("b-a", "second_only")
                 .Cases({"intersection", "union"}, given)
                 .Default("");
  if (how.empty())
    return e.fail(ExitCode::kBadGraph, "attribute 'set_operation': expected 'a-b', 'b-a', "
                                       "'intersection' or 'union' but got " +
                                           quoted(e.stringAttr("set_operation")));
  auto inputs = e.afterAllInputs(e.inputs());
  size_t i = 0;
  SparseTensor a = firstIsSparse ? takeSparse(inputs, i) : allElements(e, inputs[i++]);
  SparseTensor b = secondIsSparse ? takeSparse(inputs, i) : allElements(e, inputs[i++]);
  Type i64 = i64Of(e);
  auto op = e.make<sci::SetOperationOp>(
      {unrankedOf(i64), unrankedOf(e.elementOf(a.values)), unrankedOf(i64)},
      {a.indices, a.values, a.dims, b.indices, b.values, b.dims},
      {e.text("how", how.str()), e.flag("checked", e.boolAttr("validate_indices"))});
  sparseResult(e, {op.getIndices(), op.getValues(), op.getDims()});
}

void setSize(Expansion &e) {
  e.result(0, e.tensor<sci::SetSizeOp>(e.builder().getI32Type(), e.inputs(),
                                       e.flag("checked", e.boolAttr("validate_indices"))));
}

constexpr llvm::StringLiteral kRead = "set_operation validate_indices";

constexpr OpExpansion kOps[] = {
    {"DenseToDenseSetOperation", setOperation<false, false>, Style::kPure, kRead},
    {"DenseToSparseSetOperation", setOperation<false, true>, Style::kPure, kRead},
    {"SparseToSparseSetOperation", setOperation<true, true>, Style::kPure, kRead},
    {"SetSize", setSize, Style::kPure, "validate_indices"},
};

} // namespace

ArrayRef<OpExpansion> setOps() { return kOps; }

} // namespace sluice::import
