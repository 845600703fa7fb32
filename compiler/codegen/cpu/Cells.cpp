// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cells of a codelet: their variables, and what the runtime has to know of them.
#include "compiler/codegen/cpu/Cells.h"

#include "compiler/codegen/cpu/CallLayout.h"
#include "compiler/codegen/cpu/Emitter.h"
#include "compiler/codegen/elements/RuntimeCalls.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/list/List.h"
#include "runtime/codelet/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace sluice::codegen {

// Whether something looks at states, or leaves rows that are not set.
static States statesOf(flow::CodeletOp codelet, unsigned cell) {
  bool needs = false, isGiven = false;
  codelet.getBody().walk([&](Operation *op) {
    if (!op->hasTrait<UsesCell>() || list::cellOf(op) != cell)
      return;
    if (auto open = dyn_cast<list::CellOpenOp>(op))
      isGiven |= static_cast<bool>(open.getList());
    needs |= isa<list::CellGetOp, list::CellSetOp, list::CellAccumulateOp, list::CellResizeOp>(op);
    if (auto make = dyn_cast<list::CellMakeOp>(op)) {
      auto size = make.getSize().getDefiningOp<nd::ConstantOp>();
      auto value = size ? dyn_cast<DenseElementsAttr>(size.getValue()) : DenseElementsAttr();
      needs |= !value || !(*value.value_begin<APInt>()).isZero();
    }
  });
  return needs ? States::kAlways : isGiven ? States::kIfGiven : States::kNever;
}

// The bytes of a row, and its dims. Of a list that is made here, the runtime learns both.
void Cells::setRow(Cell &cell, ArrayRef<AffineExpr> dims, bool isNew) {
  ImplicitLocOpBuilder &b = emitter_.builder();
  Value elements = arith::ConstantIndexOp::create(b, 1);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    Value size = emitter_.dim(dim);
    cell.dims.push_back(size);
    elements = b.createOrFold<arith::MulIOp>(elements, size);
    if (isNew && !cell.row.hasStaticShape())
      storeRowDim(b, cell.list, static_cast<unsigned>(i), size);
  }
  cell.dims.resize(static_cast<size_t>(cell.row.getRank())); // where nothing is ever put there
  Value bytes = arith::ConstantIndexOp::create(b, bytesOf(cell.row.getElementType()));
  cell.rowBytes =
      arith::IndexCastOp::create(b, b.getI64Type(), b.createOrFold<arith::MulIOp>(elements, bytes));
  if (isNew && !cell.row.hasStaticShape())
    storeListField(b, cell.list, ListField::kRowBytes, cell.rowBytes);
}

void Cells::open(Operation *op) {
  auto opened = cast<list::CellOpenOp>(op);
  ImplicitLocOpBuilder &b = emitter_.builder();
  Cell cell;
  cell.row = cast<RankedTensorType>(opened.getElement());
  cell.keepsStates = statesOf(emitter_.codelet(), list::cellOf(op));
  cell.list = listAt(b, loadCallField(b, emitter_.call(), CallField::kLists), list::cellOf(op));
  setRow(cell, emitter_.shapes().rowDims(list::cellOf(op)), !opened.getList());
  auto variable = [&](ListField field) {
    Value value = loadListField(b, cell.list, field);
    Value local = emitter_.local(value.getType());
    LLVM::StoreOp::create(b, value, local);
    return local;
  };
  cell.rows = variable(ListField::kRows);
  cell.states = variable(ListField::kStates);
  cell.length = variable(ListField::kLength);
  cell.capacity = variable(ListField::kCapacity);
  cell.emptyIsZeros = variable(ListField::kEmptyIsZeros);
  assert(cells_.size() == list::cellOf(op) && "expected cells to be opened in their order");
  cells_.push_back(cell);
}

LogicalResult Cells::emit(Operation *op) {
  if (isa<list::CellOpenOp>(op)) {
    open(op);
    return success();
  }
  if (isa<list::CellCloseOp>(op))
    return success();
  emitCellAccess(emitter_, cells_[list::cellOf(op)], op);
  return success();
}

void Cells::storeLengths() {
  ImplicitLocOpBuilder &b = emitter_.builder();
  for (const Cell &cell : cells_)
    storeListField(b, cell.list, ListField::kLength,
                   LLVM::LoadOp::create(b, b.getI64Type(), cell.length));
}

static bool isChanged(flow::CodeletOp codelet, unsigned cell) {
  return codelet.getBody()
      .walk([&](Operation *op) {
        bool looks =
            isa<list::CellOpenOp, list::CellCloseOp, list::CellLengthOp, list::CellPeekOp>(op);
        return op->hasTrait<UsesCell>() && list::cellOf(op) == cell && !looks
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

// What the table says of dims that are not known.
static SmallVector<int64_t> rowSizes(ArrayRef<AffineExpr> dims, const ShapeSymbols &shapes,
                                     unsigned list) {
  return llvm::map_to_vector(dims, [&](AffineExpr dim) -> int64_t {
    if (auto constant = dyn_cast<AffineConstantExpr>(dim))
      return constant.getValue();
    auto [input, position] = shapes.symbols()[cast<AffineSymbolExpr>(dim).getPosition()];
    return input == list ? kSluiceDimOfList
                         : kSluiceDimOfInput - int64_t{input} * kSluiceDimsOfInput - position;
  });
}

std::vector<CellRow> cellRows(flow::CodeletOp codelet, const ShapeSymbols &shapes) {
  std::vector<CellRow> rows;
  codelet.getBody().walk([&](list::CellOpenOp open) {
    CellRow row;
    if (open.getList())
      row.input = static_cast<int32_t>(cast<BlockArgument>(open.getList()).getArgNumber());
    auto type = cast<RankedTensorType>(open.getElement());
    row.dtype = static_cast<int32_t>(*dtypeOf(type));
    row.withStates = statesOf(codelet, list::cellOf(open)) == States::kAlways;
    row.changes = !open.getList() || isChanged(codelet, list::cellOf(open));
    if (open.getList())
      row.dims = rowSizes(shapes.dims(open.getList()), shapes, static_cast<unsigned>(row.input));
    else
      for (int64_t size : type.getShape())
        row.dims.push_back(ShapedType::isDynamic(size) ? kSluiceDimOfList : size);
    rows.push_back(std::move(row));
  });
  Operation *yield = codelet.getBody().front().getTerminator();
  for (OpOperand &output : yield->getOpOperands())
    if (auto close = output.get().getDefiningOp<list::CellCloseOp>())
      rows[list::cellOf(close)].output = static_cast<int32_t>(output.getOperandNumber());
  codelet.getBody().walk(
      [&](list::CellMakeOp make) { rows[list::cellOf(make)].emptyIsZeros = make.getZeros(); });
  return rows;
}

} // namespace sluice::codegen
