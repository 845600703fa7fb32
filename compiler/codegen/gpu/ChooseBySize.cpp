// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for large sizes and code for small ones.
#include "compiler/codegen/gpu/ChooseBySize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

void ifAtLeast(ImplicitLocOpBuilder &b, Value size, int64_t least, function_ref<void()> then,
               function_ref<void()> otherwise) {
  Value enough = b.createOrFold<arith::CmpIOp>(
      arith::CmpIPredicate::uge, size, arith::ConstantIndexOp::create(b, least).getResult());
  if (std::optional<int64_t> known = getConstantIntValue(enough))
    return *known ? then() : otherwise();
  auto branch = scf::IfOp::create(b, enough, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  then();
  b.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

} // namespace sluice::codegen
