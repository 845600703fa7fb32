// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tiles a block computes, and where their matrices are.
#include "compiler/codegen/gpu/ProductCode.h"

#include "compiler/codegen/cpu/BufferGenerics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

Value tilesOf(ImplicitLocOpBuilder &b, Value size, int64_t tile) {
  return b.createOrFold<arith::CeilDivUIOp>(size, arith::ConstantIndexOp::create(b, tile));
}

Value elementAt(ImplicitLocOpBuilder &b, Value memory, Value offset, Type type) {
  Value word = arith::IndexCastOp::create(b, b.getI64Type(), offset);
  return LLVM::GEPOp::create(b, memory.getType(), type, memory, ArrayRef<LLVM::GEPArg>{word},
                             LLVM::GEPNoWrapFlags::inbounds);
}

// Where the matrices of a batch begin.
static ProductTile matricesOf(ImplicitLocOpBuilder &b, const ProductForm &form,
                              ArrayRef<Value> used, Value batch) {
  auto add = [&](Value x, Value y) { return b.createOrFold<arith::AddIOp>(x, y); };
  auto multiply = [&](Value x, Value y) { return b.createOrFold<arith::MulIOp>(x, y); };
  Value m = used[kProductM], n = used[kProductN], k = used[kProductK];
  Value stepLhs = multiply(m, k), stepRhs = multiply(k, n);
  Value offsetLhs = arith::ConstantIndexOp::create(b, 0), offsetRhs = offsetLhs, rest = batch;
  for (size_t run = form.runs.size(); run-- > 0;) {
    Value count = used[kProductBatches + run], at = arith::RemUIOp::create(b, rest, count);
    rest = arith::DivUIOp::create(b, rest, count);
    if (form.runs[run].movesLhs) {
      offsetLhs = add(offsetLhs, multiply(at, stepLhs));
      stepLhs = multiply(stepLhs, count);
    }
    if (form.runs[run].movesRhs) {
      offsetRhs = add(offsetRhs, multiply(at, stepRhs));
      stepRhs = multiply(stepRhs, count);
    }
  }
  Type stored = memoryElementType(form.element);
  ProductTile tile;
  tile.lhs = elementAt(b, used[kProductLhs], offsetLhs, stored);
  tile.rhs = elementAt(b, used[kProductRhs], offsetRhs, stored);
  tile.result = elementAt(b, used[kProductResult], multiply(batch, multiply(m, n)), stored);
  return tile;
}

void forEachTile(ImplicitLocOpBuilder &b, const KernelThread &thread, const ProductForm &form,
                 int64_t rows, int64_t columns, ArrayRef<Value> operands,
                 function_ref<void(const ProductTile &)> body) {
  auto multiply = [&](Value x, Value y) { return b.createOrFold<arith::MulIOp>(x, y); };
  Value tilesAcross = tilesOf(b, operands[kProductN], columns);
  Value tiles = multiply(tilesAcross, tilesOf(b, operands[kProductM], rows)), all = tiles;
  for (size_t run = 0; run < form.runs.size(); ++run)
    all = multiply(all, operands[kProductBatches + run]);
  auto loop = scf::ForOp::create(b, thread.block, all, thread.blocks);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar(), inBatch = arith::RemUIOp::create(b, number, tiles);
  ProductTile tile = matricesOf(b, form, operands, arith::DivUIOp::create(b, number, tiles));
  auto at = [&](Value place, int64_t size) {
    return multiply(place, arith::ConstantIndexOp::create(b, size));
  };
  tile.row = at(arith::DivUIOp::create(b, inBatch, tilesAcross), rows);
  tile.column = at(arith::RemUIOp::create(b, inBatch, tilesAcross), columns);
  body(tile);
}

} // namespace sluice::codegen
