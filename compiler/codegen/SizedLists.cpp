// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From lists that keep their length to arrays.
//
// Every value of such a strand becomes a tensor with a row for each element, so nothing has to be
// carried besides, and what stays outside of loops are ops on tensors as well. An element that is
// empty reads as zeros only if its shape was said before, of which the array knows nothing.
#include "compiler/codegen/SizedLists.h"

#include "compiler/codegen/ListSums.h"
#include "dialects/flow/LoopCounters.h"
#include "dialects/nd/Nd.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace sluice::codegen {

bool keepsLength(const Strand &strand) {
  auto has = [&](auto test) { return llvm::any_of(strand.ops, test); };
  return has([](Operation *op) {
           return isa<list::SetOp, list::PeekOp, list::StackOp, list::UnstackOp, list::GetOp,
                      list::ScatterOp, list::GatherOp, list::AccumulateOp>(op);
         }) &&
         !has([](Operation *op) { return isa<list::PushOp, list::PopOp>(op); });
}

int64_t countOf(const Strand &strand) {
  std::optional<int64_t> all;
  for (Operation *op : strand.ops) {
    std::optional<int64_t> one;
    if (auto make = dyn_cast<list::MakeOp>(op))
      one = flow::constantInt(make.getSize()).value_or(ShapedType::kDynamic);
    else if (auto unstack = dyn_cast<list::UnstackOp>(op))
      one = cast<RankedTensorType>(unstack.getValue().getType()).getDimSize(0);
    if (one && (*one < 0 || (all && all != one)))
      return ShapedType::kDynamic;
    all = one ? one : all;
  }
  return all.value_or(ShapedType::kDynamic);
}

namespace {

// Whether what an op says of the shape of empty elements is what is known of rows, or nothing.
bool saysNothingElse(Value shape, RankedTensorType row) {
  if (!shape)
    return true;
  auto constant = flow::originOf(shape).getDefiningOp<nd::ConstantOp>();
  auto sizes = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : nullptr;
  if (!sizes)
    return false;
  if (cast<RankedTensorType>(shape.getType()).getRank() == 0)
    return (*sizes.begin()).getSExtValue() == -1;
  return sizes.getNumElements() == row.getRank() &&
         llvm::all_of(llvm::zip(sizes, row.getShape()), [](auto pair) {
           auto [said, size] = pair;
           return said.getSExtValue() == -1 || said.getSExtValue() == size;
         });
}

bool isScalarNumber(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 0;
}

class Check {
public:
  Check(Strand &strand, SetOnce::StrandOf strandOf)
      : strand_(strand), row_(strand.row()), count_(countOf(strand)),
        once_(strand, count_, strandOf) {}

  bool types() {
    Operation *first = strand_.ops.front();
    if (!row_ || !row_.hasStaticShape() || !row_.getElementType().isIntOrFloat() ||
        llvm::any_of(strand_.values,
                     [&](Value value) { return value.getType() != strand_.root.getType(); }))
      return strand_.fail(first, "uses a list whose rows are not known");
    for (Operation *op : strand_.ops)
      isSaid_ &= !isa<list::MakeOp>(op) || cast<list::MakeOp>(op).getElementShape() == row_;
    return checkSums(strand_) &&
           llvm::all_of(strand_.ops, [&](Operation *op) { return check(op); });
  }

private:
  bool check(Operation *op) {
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([&](list::MakeOp make) {
          return isScalarNumber(make.getSize()) || strand_.fail(op, "makes a list of an odd size");
        })
        .Case([&](list::UnstackOp unstack) { return check(unstack); })
        .Case([&](list::SetOp set) { return check(set); })
        .Case([&](list::PeekOp peek) {
          return checkLook(peek, isScalarNumber(peek.getIndex()) && peek.getType() == row_);
        })
        .Case([&](list::StackOp stack) { return check(stack); })
        .Case([&](list::GetOp get) { return check(get); })
        .Case([&](list::ScatterOp scatter) {
          return (once_.setsAll(scatter) && hasRows(scatter.getValue().getType())) ||
                 strand_.fail(op, "sets some elements at once");
        })
        .Case([&](list::GatherOp gather) {
          if (!once_.takesAll(gather) || !hasAll(gather.getValue().getType()))
            return strand_.fail(op, "reads elements that may be cleared");
          return isSaid_ || gather.getElementShape() == row_ || failUnsaid(op);
        })
        .Case([&](list::ZerosLikeOp zeros) {
          return count_ >= 0 || strand_.fail(op, "makes a list of an unknown size");
        })
        .Case<list::LengthOp, flow::GateOp, flow::AfterOp, list::AccumulateOp>(
            [](auto) { return true; })
        .Default([&](Operation *) {
          return strand_.fail(op, "does to a list what is not done to an array");
        });
  }

  bool hasRows(Type type) const {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == row_.getRank() + 1 &&
           tensor.getShape().drop_front() == row_.getShape();
  }

  // Whether nothing else than what is known of the number of rows is known of the tensor's.
  bool hasAll(Type type) const {
    if (!hasRows(type))
      return false;
    int64_t size = cast<RankedTensorType>(type).getDimSize(0);
    return size < 0 || count_ < 0 || size == count_;
  }

  bool check(list::GetOp get) {
    bool allAreSet = false;
    if (!once_.holds(get, allAreSet))
      return strand_.fail(get, "reads an element that may be cleared");
    if (!isScalarNumber(get.getIndex()) || get.getValue().getType() != row_)
      return strand_.fail(get, "looks at rows that are not known");
    return isSaid_ || allAreSet || failUnsaid(get);
  }
  bool failUnsaid(Operation *op) {
    return strand_.fail(op, "looks at elements whose shape may not have been said");
  }

  bool check(list::UnstackOp unstack) {
    bool fits = hasRows(unstack.getValue().getType()) &&
                succeeded(verifyCompatibleShape(unstack.getElementShape(), row_));
    return fits || strand_.fail(unstack, "makes a list whose rows are not known");
  }

  bool check(list::SetOp set) {
    if (set.getOnce() && !once_.holds(set))
      return strand_.fail(set, "sets an element that has to be empty");
    if (set.getGrow())
      return strand_.fail(set, "makes a list longer");
    return (set.getValue().getType() == row_ && isScalarNumber(set.getIndex())) ||
           strand_.fail(set, "sets a row that is not known");
  }

  bool check(list::StackOp stack) {
    auto wanted = static_cast<int64_t>(stack.getNumElements());
    return checkLook(stack,
                     hasAll(stack.getType()) && (wanted < 0 || count_ < 0 || wanted == count_));
  }

  template <typename Op> bool checkLook(Op op, bool fits) {
    if (!fits || !saysNothingElse(op.getShape(), row_))
      return strand_.fail(op, "looks at rows that are not known");
    return isSaid_ || op.getElementShape() == row_ || failUnsaid(op);
  }

  Strand &strand_;
  RankedTensorType row_;
  int64_t count_; // or that of an unknown dim
  SetOnce once_;
  bool isSaid_ = true; // the shape of empty elements, by who makes the list
};

class Replacement {
public:
  explicit Replacement(Strand &strand) : strand_(strand), row_(strand.row()) {
    SmallVector<int64_t> dims(row_.getShape());
    dims.insert(dims.begin(), countOf(strand));
    type_ = RankedTensorType::get(dims, row_.getElementType());
  }

  void run() {
    for (Value value : strand_.values)
      value.setType(type_);
    for (Operation *op : strand_.ops)
      if (isReplaced(op))
        replace(op);
    for (Operation *op : llvm::reverse(strand_.ops))
      if (isReplaced(op))
        op->erase();
  }

private:
  static bool isReplaced(Operation *op) {
    return isa<list::MakeOp, list::UnstackOp, list::SetOp, list::PeekOp, list::StackOp,
               list::LengthOp, list::GetOp, list::ScatterOp, list::GatherOp, list::ZerosLikeOp>(op);
  }

  // The tensor with what else is known of its dims.
  static Value as(OpBuilder &b, Value value, RankedTensorType type) {
    auto from = cast<RankedTensorType>(value.getType());
    if (from == type)
      return value;
    SmallVector<int64_t> dims(type.getShape());
    dims.front() = type.isDynamicDim(0) ? from.getDimSize(0) : type.getDimSize(0); // one is known
    auto shapeType = RankedTensorType::get({type.getRank()}, b.getI64Type());
    Value shape = nd::ConstantOp::create(b, value.getLoc(), shapeType,
                                         DenseElementsAttr::get(shapeType, ArrayRef(dims)));
    return nd::ReshapeOp::create(b, value.getLoc(), type, value, shape);
  }

  // Zeros, in as many rows as are known, that are there once another value is.
  Value filled(OpBuilder &b, Operation *op, Value after) {
    Location loc = op->getLoc();
    Value zero = zeroOf(b, loc);
    if (after && !after.getDefiningOp<nd::ConstantOp>()) {
      Value token = flow::AfterOp::create(b, loc, flow::TokenType::get(b.getContext()), after);
      zero = flow::GateOp::create(b, loc, zero.getType(), zero, token);
    }
    auto dimsType = RankedTensorType::get({type_.getRank()}, b.getI64Type());
    Value dims = nd::ConstantOp::create(b, loc, dimsType,
                                        DenseElementsAttr::get(dimsType, type_.getShape()));
    return nd::FillOp::create(b, loc, type_, dims, zero);
  }
  Value zeroOf(OpBuilder &b, Location loc) const {
    Type element = type_.getElementType();
    auto scalar = RankedTensorType::get({}, element);
    return nd::ConstantOp::create(b, loc, scalar,
                                  DenseElementsAttr::get(scalar, b.getZeroAttr(element)));
  }

  Value zeros(OpBuilder &b, list::MakeOp make) {
    if (type_.hasStaticShape())
      return filled(b, make, make.getSize());
    Location loc = make.getLoc();
    SmallVector<Value> sizes{
        withElementOf(b, make.getSize(), RankedTensorType::get({}, b.getI64Type()))};
    for (int64_t size : row_.getShape())
      sizes.push_back(integer(b, loc, size, 64));
    auto dimsType = RankedTensorType::get({type_.getRank()}, b.getI64Type());
    Value dims = nd::PackOp::create(b, loc, dimsType, sizes, 0);
    return nd::FillOp::create(b, loc, type_, dims, zeroOf(b, loc));
  }

  Value length(OpBuilder &b, list::LengthOp op) {
    if (!type_.isDynamicDim(0)) { // but as dead as the list
      Value token =
          flow::AfterOp::create(b, op.getLoc(), flow::TokenType::get(b.getContext()), op.getList());
      return flow::GateOp::create(b, op.getLoc(), op.getLength().getType(),
                                  integer(b, op.getLoc(), type_.getDimSize(0)), token);
    }
    auto shapeType = RankedTensorType::get({type_.getRank()}, b.getI32Type());
    Value shape = nd::ShapeOp::create(b, op.getLoc(), shapeType, op.getList());
    return nd::RowOp::create(b, op.getLoc(), op.getLength().getType(), shape,
                             integer(b, op.getLoc(), 0));
  }

  void replace(Operation *op) {
    OpBuilder b(op);
    Value result = op->getResult(0), made;
    if (auto make = dyn_cast<list::MakeOp>(op))
      made = zeros(b, make);
    else if (auto unstack = dyn_cast<list::UnstackOp>(op))
      made = as(b, unstack.getValue(), type_);
    else if (auto set = dyn_cast<list::SetOp>(op))
      made = nd::SetRowOp::create(b, op->getLoc(), type_, set.getList(), set.getIndex(),
                                  set.getValue());
    else if (auto peek = dyn_cast<list::PeekOp>(op))
      made = nd::RowOp::create(b, op->getLoc(), row_, peek.getList(), peek.getIndex());
    else if (auto stack = dyn_cast<list::StackOp>(op))
      made = stacked(b, stack);
    else if (auto get = dyn_cast<list::GetOp>(op))
      made = nd::RowOp::create(b, op->getLoc(), row_, get.getList(), get.getIndex());
    else if (auto scatter = dyn_cast<list::ScatterOp>(op))
      made = as(b, scatter.getValue(), type_);
    else if (auto gather = dyn_cast<list::GatherOp>(op))
      made = as(b, gather.getList(), cast<RankedTensorType>(gather.getValue().getType()));
    else if (isa<list::ZerosLikeOp>(op))
      made = filled(b, op, op->getOperand(0));
    else
      made = length(b, cast<list::LengthOp>(op));
    if (op->getNumResults() > 1) // the list afterwards, of which nobody reads what is cleared
      op->getResult(1).replaceAllUsesWith(op->getOperand(0));
    result.replaceAllUsesWith(made);
  }

  // With `num_elements` there have to be so many.
  Value stacked(OpBuilder &b, list::StackOp stack) {
    Value value = stack.getList();
    auto wanted = static_cast<int64_t>(stack.getNumElements());
    if (wanted >= 0) {
      SmallVector<int64_t> dims(type_.getShape());
      dims.front() = wanted;
      value = as(b, value, RankedTensorType::get(dims, type_.getElementType()));
    }
    return as(b, value, cast<RankedTensorType>(stack.getType()));
  }

  Strand &strand_;
  RankedTensorType row_, type_;
};

} // namespace

bool checkSized(Strand &strand, llvm::function_ref<bool(Operation *)> goesToCard,
                SetOnce::StrandOf strandOf) {
  if (!Check(strand, strandOf).types())
    return false;
  bool isOnCard = false;
  for (auto &[block, place] : strand.places) {
    Operation *op = block->getParentOp();
    if (flow::isCollapsed(op) || (isa<flow::WhileOp>(op) && !goesToCard(op)))
      return strand.fail(op, "uses a list, and the host runs it");
    isOnCard |= goesToCard(op);
  }
  for (Operation *op : strand.ops) {
    for (Operation *around = op->getParentOp(); around; around = around->getParentOp())
      if (flow::isCollapsed(around) || (isa<flow::WhileOp>(around) && !goesToCard(around)))
        return strand.fail(around, "uses a list, and the host runs it");
    isOnCard |= goesToCard(op);
  }
  return isOnCard || strand.fail(strand.ops.front(), "uses a list in no loop");
}

void replaceSized(Strand &strand) { Replacement(strand).run(); }

} // namespace sluice::codegen
