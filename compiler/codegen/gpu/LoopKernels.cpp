// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of the steps of a loop on a card.
#include "compiler/codegen/gpu/LoopKernels.h"

#include "compiler/codegen/gpu/KernelBuilder.h"
#include "compiler/codegen/gpu/LoopTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace sluice::codegen {

static gpu::GPUFuncOp kernelOf(gpu::LaunchFuncOp launch) {
  return SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernel());
}
static Type pointerType(MLIRContext *context) { return LLVM::LLVMPointerType::get(context); }

LoopKernels::LoopKernels(func::FuncOp function, scf::WhileOp loop, LoopWords &words)
    : function_(function), loop_(loop), words_(words), b_(loop.getLoc(), loop.getContext()) {}

unsigned LoopKernels::wordOf(LLVM::AllocaOp variable) {
  auto [entry, isNew] = variableWords_.try_emplace(variable, 0);
  if (!isNew)
    return entry->second;
  variables_.insert(variable);
  auto name = variable->getAttrOfType<StringAttr>(kVariableAttr);
  entry->second = !name                         ? words_.add()
                  : name.getValue() == "status" ? unsigned(LoopSteps::kStatus)
                                                : unsigned(LoopSteps::kFailedMember);
  return entry->second;
}

// Whether it is there before the loop.
bool LoopKernels::isGiven(Value value) const {
  if (value.getParentBlock() != loop_->getBlock())
    return false;
  Operation *op = value.getDefiningOp();
  return !op || op->isBeforeInBlock(loop_);
}

// ---- Values -------------------------------------------------------------------------------------

// A value of another step, or one that was there before.
Value LoopKernels::current(Value value) {
  value = words_.resolve(value);
  if (matchPattern(value, m_Constant()))
    return b_.clone(*value.getDefiningOp())->getResult(0);
  if (auto variable = value.getDefiningOp<LLVM::AllocaOp>())
    return LoopWords::address(b_, memory_, wordOf(variable));
  if (isGiven(value))
    given_.insert(value);
  return words_.load(b_, memory_, value);
}

Value LoopKernels::allOf(ArrayRef<unsigned> guards) {
  Value all;
  for (unsigned word : guards) {
    Value one = LoopWords::loadWord(b_, memory_, word, b_.getI1Type());
    all = all ? Value(arith::AndIOp::create(b_, all, one)) : one;
  }
  return all;
}

// ---- Scalars ------------------------------------------------------------------------------------

LogicalResult LoopKernels::emitOps(const LoopAction &action) {
  llvm::SmallPtrSet<Operation *, 16> members(action.ops.begin(), action.ops.end());
  IRMapping inside;
  for (Operation *op : action.ops) {
    if (isa<LLVM::CallOp, func::CallOp>(op))
      return op->emitError("expected no call in a loop on a card");
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (Value value : used)
      if (!inside.contains(value))
        inside.map(value, current(value));
    Operation *copy = b_.clone(*op, inside);
    bool leaves = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return !members.contains(op->getBlock()->findAncestorOpInBlock(*user));
    });
    if (!leaves)
      continue;
    for (auto [result, value] : llvm::zip_equal(op->getResults(), copy->getResults()))
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !members.contains(op->getBlock()->findAncestorOpInBlock(*user));
          }))
        words_.store(b_, memory_, result, value);
  }
  return success();
}

void LoopKernels::setWord(unsigned word, bool value) {
  LoopWords::storeWord(b_, memory_, word, arith::ConstantIntOp::create(b_, value, 1));
}

// Where the budget is used up within a loop, those around it stop as well.
void LoopKernels::emitEnd(const LoopAction &action) {
  Value goesOn = current(action.number);
  Type i64 = b_.getI64Type();
  Value budget = LoopWords::loadWord(b_, memory_, LoopSteps::kBudget, i64);
  if (action.isIteration) {
    budget = arith::SubIOp::create(b_, budget, arith::ConstantIntOp::create(b_, 1, 64));
    LoopWords::storeWord(b_, memory_, LoopSteps::kBudget, budget);
  }
  Value isLeft = arith::CmpIOp::create(b_, arith::CmpIPredicate::sgt, budget,
                                       arith::ConstantIntOp::create(b_, 0, 64));
  LoopWords::storeWord(b_, memory_, action.loop.goesOn, goesOn);
  LoopWords::storeWord(b_, memory_, action.loop.live, arith::AndIOp::create(b_, goesOn, isLeft));
  if (!action.over)
    return;
  Type i1 = b_.getI1Type();
  Value one = arith::ConstantIntOp::create(b_, 1, 1);
  Value isOver = arith::XOrIOp::create(b_, goesOn, one);
  LoopWords::storeWord(b_, memory_, *action.over, isOver);
  Value isNoStop = arith::OrIOp::create(b_, isOver, isLeft);
  for (LoopState loop : action.around) {
    Value live = LoopWords::loadWord(b_, memory_, loop.live, i1);
    LoopWords::storeWord(b_, memory_, loop.live, arith::AndIOp::create(b_, live, isNoStop));
  }
}

LogicalResult LoopKernels::emit(const LoopAction &action) {
  OpBuilder::InsertionGuard guard(b_);
  if (Value all = allOf(action.onlyIf))
    b_.setInsertionPointToStart(scf::IfOp::create(b_, all).thenBlock());
  switch (action.kind) {
  case LoopAction::Kind::kOps:
    return emitOps(action);
  case LoopAction::Kind::kMove: {
    SmallVector<std::pair<Value, Value>> moves; // those that change something
    for (auto [target, value] : action.moves)
      if (words_.resolve(target) != words_.resolve(value))
        moves.push_back({target, current(value)});
    for (auto [target, value] : moves)
      words_.store(b_, memory_, target, value);
    return success();
  }
  case LoopAction::Kind::kEnd:
    emitEnd(action);
    return success();
  case LoopAction::Kind::kBranch: {
    Value chosen = current(action.number);
    LoopWords::storeWord(b_, memory_, action.yes, chosen);
    Value one = arith::ConstantIntOp::create(b_, 1, 1);
    LoopWords::storeWord(b_, memory_, action.no, arith::XOrIOp::create(b_, chosen, one));
    return success();
  }
  case LoopAction::Kind::kSet:
    for (auto [word, value] : action.words)
      setWord(word, value);
    return success();
  case LoopAction::Kind::kResume:
    for (LoopState loop : action.resumed)
      LoopWords::storeWord(b_, memory_, loop.live,
                           LoopWords::loadWord(b_, memory_, loop.goesOn, b_.getI1Type()));
    return success();
  }
  llvm_unreachable("all kinds are handled");
}

LogicalResult LoopKernels::addScalars(const LoopStep &step, ArrayRef<unsigned> guards,
                                      SmallVectorImpl<int32_t> &table) {
  OpBuilder::InsertionGuard guard(b_);
  std::string name = addKernelTo(function_, 1);
  auto module = function_->getParentOfType<ModuleOp>();
  gpu::GPUFuncOp kernel = createKernel(b_, module, name, pointerType(b_.getContext()), 1);
  addLaunchRow(table, numberOfKernel(function_, name), 1);
  gpu::ReturnOp::create(b_);
  b_.setInsertionPointToStart(&kernel.getBody().front());
  memory_ = kernel.getArgument(0);
  if (Value all = allOf(guards))
    b_.setInsertionPointToStart(scf::IfOp::create(b_, all).thenBlock());
  for (const LoopAction &action : step.actions)
    if (failed(emit(action)))
      return failure();
  return success();
}

// ---- Launches -----------------------------------------------------------------------------------

static bool isInCondition(Operation *op) {
  auto loop = dyn_cast_or_null<scf::WhileOp>(op->getParentOp());
  return loop ? op->getParentRegion() == &loop.getBefore() || isInCondition(loop)
              : op->getParentOp() && isInCondition(op->getParentOp());
}

// The kernel, which reads its parameters from words.
gpu::GPUFuncOp LoopKernels::changedKernel(gpu::LaunchFuncOp launch, ArrayRef<unsigned> guards) {
  OpBuilder::InsertionGuard guard(b_);
  gpu::GPUFuncOp kernel = kernelOf(launch);
  if (auto &known = unchanged_[launch]) { // with other guards
    b_.setInsertionPointAfter(kernel);
    kernel = cast<gpu::GPUFuncOp>(b_.clone(**known));
    kernel.setName(addKernelTo(function_, (*kernel.getKnownBlockSize())[0]));
  } else if (isInCondition(launch)) {
    known = cast<gpu::GPUFuncOp>(kernel->clone());
  }
  (void)kernel.insertArgument(0, pointerType(b_.getContext()), DictionaryAttr(), kernel.getLoc());
  Block &entry = kernel.getBody().front();
  memory_ = kernel.getArgument(0);
  Operation *end = entry.getTerminator();
  SmallVector<Operation *> code;
  for (Operation &op : entry.without_terminator())
    code.push_back(&op);
  b_.setInsertionPoint(end);
  scf::IfOp branch;
  if (Value all = allOf(guards)) {
    branch = scf::IfOp::create(b_, all);
    b_.setInsertionPointToStart(branch.thenBlock());
  }
  BitVector gone(kernel.getNumArguments());
  for (auto [i, operand] : llvm::enumerate(launch.getKernelOperands())) {
    kernel.getArgument(static_cast<unsigned>(i) + 1).replaceAllUsesWith(current(operand));
    gone.set(static_cast<unsigned>(i) + 1);
  }
  Operation *before = branch ? branch.thenBlock()->getTerminator() : end;
  for (Operation *op : code)
    op->moveBefore(before);
  (void)kernel.eraseArguments(gone);
  return kernel;
}

// As many as the first iteration takes, as far as the host can tell; a kernel goes over all of its
// work with any number of them. From -1 down: the word that has it.
int32_t LoopKernels::blocksOf(gpu::LaunchFuncOp launch) {
  constexpr int32_t kUsual = 256;
  Value blocks = launch.getGridSizeX();
  if (std::optional<int64_t> known = getConstantIntValue(blocks))
    return static_cast<int32_t>(std::clamp<int64_t>(*known, 1, 1 << 14));
  IRMapping first;
  auto firstOf = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value = words_.resolve(value));
    while (argument) {
      auto loop = dyn_cast<scf::WhileOp>(argument.getOwner()->getParentOp());
      if (!loop || argument.getOwner() != loop.getBeforeBody())
        break;
      argument =
          dyn_cast<BlockArgument>(value = words_.resolve(loop.getInits()[argument.getArgNumber()]));
    }
    return value;
  };
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPoint(loop_);
  // Operands first; nothing if one of them is not for the host.
  std::function<Value(Value)> onHost = [&](Value value) -> Value {
    value = firstOf(value);
    if (isGiven(value))
      return value;
    if (Value known = first.lookupOrNull(value))
      return known;
    Operation *op = value.getDefiningOp();
    if (!op || !isPure(op) || op->getNumRegions() > 0)
      return Value();
    IRMapping operands;
    for (Value operand : op->getOperands()) {
      Value made = onHost(operand);
      if (!made)
        return Value();
      operands.map(operand, made);
    }
    Operation *copy = b_.clone(*op, operands);
    first.map(op->getResults(), copy->getResults());
    return first.lookup(value);
  };
  Value made = onHost(blocks);
  if (!made)
    return kUsual;
  made = arith::MaxUIOp::create(b_, made, arith::ConstantIndexOp::create(b_, 1));
  given_.insert(made);
  return -1 - static_cast<int32_t>(words_.of(made).front());
}

LogicalResult LoopKernels::addLaunch(gpu::LaunchFuncOp launch, ArrayRef<unsigned> guards,
                                     SmallVectorImpl<int32_t> &table) {
  auto [entry, isNew] = changed_.try_emplace({launch, guards.vec()}, 0);
  if (isNew)
    entry->second = numberOfKernel(function_, changedKernel(launch, guards).getName());
  if (!blocks_.contains(launch)) {
    int32_t blocks = blocksOf(launch);
    blocks_[launch] = blocks;
  }
  addLaunchRow(table, entry->second, blocks_[launch]);
  return success();
}

LogicalResult LoopKernels::add(ArrayRef<LoopStep> steps, ArrayRef<unsigned> guards,
                               SmallVectorImpl<int32_t> &table) {
  for (const LoopStep &step : steps) {
    LogicalResult added = success();
    switch (step.kind) {
    case LoopStep::Kind::kScalars:
      added = addScalars(step, guards, table);
      break;
    case LoopStep::Kind::kLaunch:
      added = addLaunch(step.launch, guards, table);
      break;
    case LoopStep::Kind::kSegment: {
      SmallVector<unsigned> more(guards);
      more.push_back(step.word);
      added = add(step.body, more, table);
      break;
    }
    case LoopStep::Kind::kBranch:
    case LoopStep::Kind::kLoop: {
      bool isLoop = step.kind == LoopStep::Kind::kLoop; // which is live only if those around are
      SmallVector<unsigned> more(isLoop ? ArrayRef<unsigned>() : guards);
      more.push_back(step.word);
      size_t row = addBranchRow(table, step.word, isLoop, step.isElse);
      added = add(step.body, more, table);
      endBranchRow(table, row);
      break;
    }
    }
    if (failed(added))
      return failure();
  }
  return success();
}

} // namespace sluice::codegen
