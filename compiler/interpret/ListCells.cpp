// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on cells, each as the op on lists that it stands for.
#include "compiler/interpret/ListCells.h"

#include "dialects/interfaces/KernelOps.h"
#include "dialects/list/List.h"
#include "runtime/state/handle.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::interpret {

using Tensors = std::vector<rt::Tensor>;

// Of a cell that opens: a list of its own, since others may hold the operand.
static rt::Result<rt::Ref<rt::List>> opened(const Tensors &inputs) {
  if (inputs.empty())
    return rt::List::make(0, rt::Shape::unknownRank(), false);
  SLUICE_ASSIGN_OR_RETURN(rt::List * list, rt::objectOf<rt::List>(inputs[0]));
  return list->clone();
}

static rt::Result<Tensors> none(const rt::Status &status) {
  if (!status.ok())
    return status;
  return Tensors();
}

static rt::Result<Tensors> one(rt::Result<rt::Tensor> value) {
  if (!value.ok())
    return value.status();
  return Tensors{std::move(*value)};
}

static rt::Result<Tensors> pushed(rt::List &list, const rt::Tensor &value, int64_t limit) {
  if (limit >= 0 && list.length() >= limit)
    return rt::invalidArgument("the list is full");
  return none(list.push(value));
}

rt::Result<Tensors> ListCells::run(Operation *op, const Tensors &inputs) {
  if (auto open = dyn_cast<list::CellOpenOp>(op)) {
    SLUICE_ASSIGN_OR_RETURN(rt::Ref<rt::List> list, opened(inputs));
    cells_.push_back({std::move(list), open.getElement()});
    return Tensors();
  }
  Cell &cell = cells_[list::cellOf(op)];
  rt::List &list = *cell.list;
  rt::DType dtype = dtypeOf(cell.element).value_or(rt::DType::kInvalid);
  auto emptyShape = [&](bool zeros) {
    return zeros ? shapeOf(cell.element) : rt::Shape::unknownRank();
  };
  using Results = rt::Result<Tensors>;
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case([&](list::CellMakeOp make) -> Results {
        int64_t size = inputs[0].asInt();
        if (size < 0 || size > rt::List::kMostElements)
          return rt::invalidArgument("Size should be >= 0.");
        cell.list = rt::List::make(
            size, make.getZeros() ? shapeOf(cell.element) : rt::Shape::unknownRank(), false);
        return Tensors();
      })
      .Case([&](list::CellLengthOp) -> Results {
        return Tensors{rt::Tensor::scalar(static_cast<int32_t>(list.length()))};
      })
      .Case([&](list::CellGetOp get) {
        return one(list.get(inputs[0].asInt(), {dtype, get.getClear(), get.getBeyond()},
                            list.elementShape()));
      })
      .Case([&](list::CellSetOp set) {
        return none(
            list.set(inputs[0].asInt(), inputs[1], {.grow = set.getGrow(), .once = set.getOnce()}));
      })
      .Case([&](list::CellAccumulateOp) {
        return none(list.set(inputs[0].asInt(), inputs[1], {.accumulate = true}));
      })
      .Case([&](list::CellPushOp push) {
        return pushed(list, inputs[0], static_cast<int64_t>(push.getLimit()));
      })
      .Case([&](list::CellPopOp pop) { return one(list.pop(dtype, emptyShape(pop.getZeros()))); })
      .Case([&](list::CellPeekOp peek) {
        return one(list.peek(inputs[0].asInt(), dtype, emptyShape(peek.getZeros())));
      })
      .Case([&](list::CellResizeOp) { return none(list.resize(inputs[0].asInt())); })
      .Case([&](list::CellLimitOp) -> Results {
        list.declareLimit(inputs[0].asInt());
        return Tensors();
      })
      .Case([&](list::CellCloseOp) -> Results {
        return Tensors{rt::Tensor::handle(rt::Ref<rt::Object>::adopt(cell.list.take()))};
      });
}

} // namespace sluice::interpret
