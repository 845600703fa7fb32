// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array can be a tensor if nobody could tell the difference: its order of accesses is one chain,
// no element is written twice or read twice (reading clears it), and no element is read that was
// not written, unless it would be zeros.
#include "compiler/raise/ArrayUses.h"

#include "compiler/raise/Carried.h"
#include "compiler/raise/Counters.h"
#include "compiler/raise/GraphFacts.h"
#include "dialects/interfaces/KernelOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::raise {

namespace {

// The operand that carries the order; null for close.
Value flowOperandOf(Operation *access) {
  return llvm::TypeSwitch<Operation *, Value>(access)
      .Case<array::WriteOp, array::ScatterOp, array::ReadOp, array::GatherOp, array::SizeOp>(
          [](auto op) { return op.getFlow(); })
      .Default([](Operation *) { return Value(); });
}

bool isWrite(Operation *op) { return isa<array::WriteOp, array::ScatterOp>(op); }

// Branches and loops around an op, up to those around `outer`, innermost first.
SmallVector<Operation *> regionsBetween(Operation *op, Operation *outer) {
  SmallVector<Operation *> around;
  while (op && op->getBlock() != outer->getBlock())
    if ((op = op->getParentOp()))
      around.push_back(op);
  return around;
}

// The values that a use passes its value on to, also from a write to what comes after it.
SmallVector<Value> passedOnTo(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isWrite(op) && use.get() == flowOperandOf(op))
    return {op->getResult(0)};
  return carriedTo(use);
}

} // namespace

ArrayUses::ArrayUses(array::CreateOp create, const ClosedArrays &closed) : create_(create) {
  handles_.insert(create.getHandle());
  for (size_t i = 0; i < handles_.size(); ++i)
    for (OpOperand &use : handles_[i].getUses())
      followHandle(use);
  flows_.insert(create.getFlow());
  for (size_t i = 0; i < flows_.size(); ++i)
    for (OpOperand &use : flows_[i].getUses())
      followFlow(use);
  if (create.getDynamicSize())
    refuse(create, "it can grow");
  for (auto check : {&ArrayUses::checkLoops, &ArrayUses::checkChain, &ArrayUses::checkIndices,
                     &ArrayUses::findType, &ArrayUses::checkErrors, &ArrayUses::checkCoverage})
    if (obstacle_.empty())
      (this->*check)();
  if (obstacle_.empty())
    obstacle_ = closed.obstacle(create);
}

void ArrayUses::refuse(Operation *op, StringRef why) {
  if (obstacle_.empty())
    obstacle_ = (describe(op) + ": " + why).str();
}

void ArrayUses::followHandle(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isCapture(use)) {
    SmallVector<Value> inside = passedOnTo(use);
    handles_.insert(inside.begin(), inside.end());
    return;
  }
  if (!flowOperandOf(op) && !isa<array::CloseOp>(op))
    return refuse(op, "it is used for more than reading and writing elements");
  accesses_.insert(op);
  if (isWrite(op))
    writes_.push_back(op);
  else if (isa<array::ReadOp, array::GatherOp>(op))
    reads_.push_back(op);
}

void ArrayUses::followFlow(OpOperand &use) {
  Operation *op = use.getOwner();
  bool isAccess = accesses_.contains(op) && use.get() == flowOperandOf(op);
  SmallVector<Value> next = passedOnTo(use);
  if (next.empty() && !isAccess && !isa<flow::AfterOp>(op))
    return refuse(op, "the order of its accesses is used as a number");
  flows_.insert(next.begin(), next.end());
}

// What comes into a region or goes round in a loop is the array in all cases, or in none.
void ArrayUses::checkLoops() {
  for (Operation *access : accesses_)
    if (isa<array::SizeOp, array::CloseOp>(access) && access->getBlock() != create_->getBlock())
      refuse(access, "this access lies in another region");
    else if (Value flow = flowOperandOf(access); flow && !isFlow(flow))
      refuse(access, "the order of this access comes from elsewhere");
  for (Value flow : flows_) {
    auto argument = dyn_cast<BlockArgument>(flow);
    Operation *op = argument ? argument.getOwner()->getParentOp() : flow.getDefiningOp();
    auto loop = dyn_cast_or_null<flow::WhileOp>(op);
    if (loop && argument && argument.getArgNumber() < loop.getInits().size() &&
        argument.getOwner()->getParent() == &loop.getBefore()) {
      auto yield = cast<flow::YieldOp>(loop.getBody().front().back());
      if (!isFlow(loop.getInits()[argument.getArgNumber()]) ||
          !isFlow(yield.getValues()[argument.getArgNumber()]))
        refuse(op, "another value goes round in its place");
    } else if (auto cond = dyn_cast_or_null<flow::CondOp>(op); cond && !argument) {
      unsigned number = cast<OpResult>(flow).getResultNumber();
      for (Region *branch : {&cond.getOnTrue(), &cond.getOnFalse()})
        if (!isFlow(branch->front().back().getOperand(number)))
          refuse(op, "a branch gives another value in its place");
    }
  }
}

// Whether the use writes to the flow, or hands it on to where it may be written to.
static bool carriesOn(OpOperand &use) {
  Operation *op = use.getOwner();
  return isWrite(op) || isa<flow::YieldOp, flow::ConditionOp, flow::CondOp>(op) ||
         (isa<flow::WhileOp>(op) &&
          use.getOperandNumber() < cast<flow::WhileOp>(op).getInits().size());
}

// Of each flow, how many uses carry it on, where a gate does if what it gives is carried on. A gate
// gives a flow that has been found after the one that it takes.
llvm::DenseMap<Value, unsigned> ArrayUses::countCarried() const {
  llvm::DenseMap<Value, unsigned> carried;
  for (Value flow : llvm::reverse(flows_)) {
    unsigned count = 0;
    for (OpOperand &use : flow.getUses())
      if (auto gate = dyn_cast<flow::GateOp>(use.getOwner()))
        count += carried.lookup(gate.getResult()) > 0;
      else
        count += carriesOn(use);
    carried[flow] = count;
  }
  return carried;
}

// The flows that lead to a write: against the ways that they go, each of which is gone once.
llvm::DenseSet<Value> ArrayUses::findWritten() const {
  llvm::DenseMap<Value, SmallVector<Value, 1>> before;
  llvm::DenseSet<Value> written;
  SmallVector<Value> path;
  auto reach = [&](Value flow) {
    if (written.insert(flow).second)
      path.push_back(flow);
  };
  for (Value flow : flows_)
    for (OpOperand &use : flow.getUses()) {
      if (isWrite(use.getOwner()))
        reach(flow);
      for (Value next : passedOnTo(use))
        before[next].push_back(flow);
    }
  while (!path.empty())
    for (Value flow : before.lookup(path.pop_back_val()))
      reach(flow);
  return written;
}

// After each access there is one state of the array, and nobody writes to an older one.
void ArrayUses::checkChain() {
  llvm::DenseMap<Value, unsigned> carried = countCarried();
  llvm::DenseSet<Value> written = findWritten();
  auto leadsToWrite = [&](Value flow) { return written.contains(flow); };
  for (Value flow : flows_) {
    for (OpOperand &use : flow.getUses()) {
      auto loop = dyn_cast<flow::WhileOp>(use.getOwner());
      if (loop && use.getOperandNumber() >= loop.getInits().size() &&
          llvm::any_of(passedOnTo(use), leadsToWrite))
        refuse(loop, "every iteration writes to the same state of it");
    }
    if (carried.lookup(flow) > 1)
      refuse(flow.getDefiningOp() ? flow.getDefiningOp() : create_,
             "the order of its accesses splits");
  }
  for (Operation *read : reads_)
    if (leadsToWrite(flowOperandOf(read)))
      refuse(read, "it is written to after this read");
}

// No element is written twice, none is read twice unless that is allowed.
void ArrayUses::checkIndices() {
  auto check = [&](ArrayRef<Operation *> accesses, StringRef what) {
    llvm::SmallDenseSet<int64_t> constants;
    for (Operation *access : accesses) {
      SmallVector<Operation *> around = regionsBetween(access, create_);
      unsigned loops = llvm::count_if(around, llvm::IsaPred<flow::WhileOp>);
      Value index = access->getOperand(1);
      std::optional<int64_t> constant = flow::constantInt(index);
      bool fresh = constant && loops == 0 && isa<array::ReadOp, array::WriteOp>(access) &&
                   constants.insert(*constant).second;
      bool alone = accesses.size() == 1;
      bool whole = alone && loops == 0 && isa<array::GatherOp, array::ScatterOp>(access) &&
                   isFullRange(index, create_);
      auto loop = llvm::find_if(around, llvm::IsaPred<flow::WhileOp>);
      bool counted = alone && loops == 1 && isa<array::ReadOp, array::WriteOp>(access) &&
                     flow::counterOf(index, cast<flow::WhileOp>(*loop));
      if (!fresh && !whole && !counted)
        return refuse(access, what);
    }
  };
  check(writes_, "it is not known to write each element at most once");
  if (create_.getClearAfterRead())
    check(reads_, "it is not known to read each element at most once");
}

static Type rowTypeOf(Operation *write) {
  auto type = dyn_cast<RankedTensorType>(isa<array::WriteOp>(write)
                                             ? cast<array::WriteOp>(write).getValue().getType()
                                             : cast<array::ScatterOp>(write).getValue().getType());
  if (!type || !isa<array::ScatterOp>(write))
    return type;
  return type.getRank() == 0
             ? Type()
             : RankedTensorType::get(type.getShape().drop_front(), type.getElementType());
}

bool hasRowsFor(array::ScatterOp op, RankedTensorType array) {
  return array.hasStaticShape() && op.getValue().getType() == array;
}

// Whether the number of rows can be checked when the program runs.
static bool hasCheckableRows(array::ScatterOp op, RankedTensorType array, array::CreateOp create) {
  bool hasElements = !llvm::is_contained(array.getShape().drop_front(), 0);
  return hasElements && (array.hasStaticShape() || op->getBlock() == create->getBlock());
}

void ArrayUses::findType() {
  std::optional<rt::DType> dtype = dtypeOf(create_.getElementShape());
  if (!dtype || !rt::isPlain(*dtype))
    return refuse(create_, "its elements are no plain numbers");
  auto declared = cast<TensorType>(create_.getElementShape());
  RankedTensorType row;
  if (declared.hasStaticShape())
    row = RankedTensorType::get(declared.getShape(), create_.getDtype());
  for (Operation *write : writes_) {
    auto written = dyn_cast_or_null<RankedTensorType>(rowTypeOf(write));
    if (!written || !written.hasStaticShape() || written.getElementType() != create_.getDtype())
      return refuse(write, "the shape of what is written is not known");
    if (row && row != written)
      return refuse(write, "elements differ in shape");
    row = written;
  }
  if (!row)
    return refuse(create_, "the shape of its elements is not known");
  SmallVector<int64_t> dims{flow::constantInt(create_.getSize()).value_or(ShapedType::kDynamic)};
  if (dims[0] < 0 && !ShapedType::isDynamic(dims[0]))
    return refuse(create_, "its size is negative");
  dims.append(row.getShape().begin(), row.getShape().end());
  type_ = RankedTensorType::get(dims, row.getElementType());
  for (Operation *write : writes_)
    if (auto op = dyn_cast<array::ScatterOp>(write);
        op && !hasRowsFor(op, type_) && !hasCheckableRows(op, type_, create_))
      return refuse(write, "the number of rows that are written is not known");
}

// Reading what was never written is an error, unless the shape was declared: then it is zeros.
void ArrayUses::checkCoverage() {
  if (reads_.empty() || cast<TensorType>(create_.getElementShape()).hasStaticShape())
    return;
  bool covered = false;
  for (Operation *write : writes_) {
    SmallVector<Operation *> around = regionsBetween(write, create_);
    covered |= isa<array::ScatterOp>(write) && around.empty();
    auto loop = around.size() == 1 ? dyn_cast<flow::WhileOp>(around[0]) : nullptr;
    std::optional<flow::Counter> counter =
        loop ? flow::counterOf(write->getOperand(1), loop) : std::nullopt;
    covered |=
        counter && counter->isIterationNumber() && runsOncePerElement(loop, create_.getSize());
  }
  covered |= llvm::all_of(writes_, llvm::IsaPred<array::WriteOp>) &&
             flow::constantInt(create_.getSize()) == static_cast<int64_t>(writes_.size()) &&
             llvm::all_of(writes_,
                          [&](Operation *write) { return regionsBetween(write, create_).empty(); });
  if (!covered)
    refuse(reads_.front(), "it may read elements that were never written");
}

} // namespace sluice::raise
