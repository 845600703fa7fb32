// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From lists, which are values, to cells, which are places.
//
// A cell can take the place of a list and of all that ops make of it when there is one list at a
// time: it comes from one place, each op that changes it has the last look at what it changes, and
// so have the regions that it goes into.
#include "compiler/codegen/ListCells.h"

#include "compiler/codegen/Boxes.h"
#include "compiler/codegen/ListOrder.h"
#include "compiler/codegen/Passes.h"
#include "dialects/flow/HandedOn.h"
#include "dialects/list/List.h"
#include "dialects/wire/Restructure.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

#define GEN_PASS_DEF_CODEGENPLACELISTS
#include "compiler/codegen/Passes.h.inc"

static bool isList(Value value) { return isa<list::OfType>(value.getType()); }

namespace {

class CellPlacement {
public:
  explicit CellPlacement(flow::CodeletOp codelet) : codelet_(codelet) {}

  std::optional<Obstacle> run() {
    check();
    if (!cells_.empty() && !obstacle_)
      rewrite();
    return obstacle_;
  }

  SmallVector<Value> findDouble() {
    check();
    return doubles_.takeVector();
  }

private:
  struct Cell {
    Value root; // an input of the codelet or the result of a list.make
    Type element;
  };

  Block &body() { return codelet_.getBody().front(); }

  void check() {
    orderLooks(codelet_);
    codelet_.getBody().walk([&](Operation *op) { joinAround(op); });
    for (BlockArgument input : body().getArguments())
      if (isList(input) && !isBoxedInput(input))
        addRoot(input);
    codelet_.getBody().walk([&](list::MakeOp make) {
      if (!isa<flow::BoxRunOp>(make->getParentOp()))
        addRoot(make.getResult());
    });
    if (!cells_.empty())
      checkUses();
  }

  void refuse(Operation *op, Value list, std::string reason) {
    doubles_.insert(list);
    if (!obstacle_)
      obstacle_ = Obstacle{op, std::move(reason)};
  }

  // ---- Which values are one list after the other ------------------------------------------------

  void join(Value a, Value b) {
    if (isList(a) && isList(b))
      classes_.unionSets(a.getAsOpaquePointer(), b.getAsOpaquePointer());
  }

  void joinAround(Operation *op) {
    if (isa<flow::BoxRunOp>(op->getParentOp()))
      return;
    bool handsOn = flow::visitHandedOn(op, [&](Value from, Value to) { join(from, to); });
    if (!handsOn && op->getNumOperands() > 0 && op->getNumResults() > 0 &&
        op->getOperand(0).getType() == op->getResults().back().getType())
      join(op->getOperand(0), op->getResults().back());
  }

  void addRoot(Value root) {
    classes_.insert(root.getAsOpaquePointer());
    const void *leader = classes_.getLeaderValue(root.getAsOpaquePointer());
    auto element = cast<list::OfType>(root.getType()).getElement();
    bool isNew = cells_.insert({leader, Cell{root, element}}).second;
    Operation *op = root.getDefiningOp() ? root.getDefiningOp() : codelet_.getOperation();
    if (!isNew)
      refuse(op, root, "makes one of several lists that take each other's place");
  }

  unsigned cellOf(Value list) {
    const void *leader = classes_.getLeaderValue(list.getAsOpaquePointer());
    return static_cast<unsigned>(cells_.find(leader) - cells_.begin());
  }

  // ---- One list at a time -----------------------------------------------------------------------

  void checkUses() {
    codelet_.getBody().walk([&](Block *block) {
      if (isa<flow::BoxRunOp>(block->getParentOp()))
        return;
      for (BlockArgument argument : block->getArguments())
        if (!isBoxedInput(argument))
          checkUses(argument);
      for (Operation &op : *block)
        for (Value result : op.getResults())
          if (!isa<flow::BoxGetOp>(op))
            checkUses(result);
    });
  }

  void checkUses(Value list) {
    if (!isList(list))
      return;
    Operation *last = nullptr;
    for (OpOperand &use : list.getUses())
      if (changesList(use)) {
        if (last)
          return refuse(laterOf(last, use.getOwner()), list,
                        "looks at a list that was changed before");
        last = use.getOwner();
      }
    for (Operation *user : list.getUsers())
      if (last && user != last && last->isBeforeInBlock(user))
        return refuse(user, list, "looks at a list that was changed before");
  }
  static Operation *laterOf(Operation *a, Operation *b) {
    return a->getBlock() == b->getBlock() && a->isBeforeInBlock(b) ? b : a;
  }

  // ---- Rewriting --------------------------------------------------------------------------------

  void rewrite() {
    OpBuilder b = OpBuilder::atBlockBegin(&body());
    for (auto [number, entry] : llvm::enumerate(cells_)) {
      Cell &cell = entry.second;
      bool isInput = isa<BlockArgument>(cell.root);
      list::CellOpenOp::create(b, cell.root.getLoc(), isInput ? cell.root : Value(),
                               static_cast<int64_t>(number), cell.element);
    }
    SmallVector<Operation *> ops, structured;
    codelet_.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<flow::BoxRunOp>(op))
        return WalkResult::skip();
      if (isa<list::MakeOp, list::LengthOp, list::GetOp, list::PeekOp, list::SetOp,
              list::AccumulateOp, list::PushOp, list::PopOp, list::ResizeOp, list::DeclareLimitOp>(
              op))
        ops.push_back(op);
      else if (isa<flow::WhileOp, flow::CondOp>(op))
        structured.push_back(op);
      return WalkResult::advance();
    });
    for (Operation *op : ops)
      replace(op);
    closeCells();
    dropFrom(structured);
    for (Operation *op : ops)
      op->dropAllUses();
    for (Operation *op : ops)
      op->erase();
  }

  // The op's other operands and results are as before.
  void replace(Operation *op) {
    OpBuilder b(op);
    Location loc = op->getLoc();
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](list::MakeOp make) {
          auto shape = dyn_cast<TensorType>(make.getElementShape());
          list::CellMakeOp::create(b, loc, make.getSize(), number(make.getResult()),
                                   shape && shape.hasStaticShape());
        })
        .Case([&](list::LengthOp length) {
          Value value = list::CellLengthOp::create(b, loc, length.getLength().getType(),
                                                   number(length.getList()));
          length.getLength().replaceAllUsesWith(value);
        })
        .Case([&](list::GetOp get) {
          Value value =
              list::CellGetOp::create(b, loc, get.getValue().getType(), get.getIndex(),
                                      get.getBeyond(), number(get.getList()), get.getClear());
          get.getValue().replaceAllUsesWith(value);
        })
        .Case([&](list::PeekOp peek) {
          Value value = list::CellPeekOp::create(
              b, loc, peek.getValue().getType(), peek.getIndex(), number(peek.getList()),
              isWholeRow(peek.getList(), peek.getElementShape()));
          peek.getValue().replaceAllUsesWith(value);
        })
        .Case([&](list::ResizeOp resize) {
          list::CellResizeOp::create(b, loc, resize.getSize(), number(resize.getList()));
        })
        .Case([&](list::DeclareLimitOp limit) {
          list::CellLimitOp::create(b, loc, limit.getLimit(), number(limit.getList()));
        })
        .Case([&](list::SetOp set) {
          list::CellSetOp::create(b, loc, set.getIndex(), set.getValue(), number(set.getList()),
                                  set.getGrow(), set.getOnce());
        })
        .Case([&](list::AccumulateOp add) {
          list::CellAccumulateOp::create(b, loc, add.getIndex(), add.getValue(),
                                         number(add.getList()));
        })
        .Case([&](list::PushOp push) {
          list::CellPushOp::create(b, loc, push.getValue(), number(push.getList()),
                                   push.getLimit());
        })
        .Case([&](list::PopOp pop) {
          Value value =
              list::CellPopOp::create(b, loc, pop.getValue().getType(), number(pop.getList()),
                                      isWholeRow(pop.getList(), pop.getElementShape()));
          pop.getValue().replaceAllUsesWith(value);
        });
  }
  int64_t number(Value list) { return cellOf(list); }

  void closeCells() {
    Operation *yield = body().getTerminator();
    OpBuilder b(yield);
    for (OpOperand &output : yield->getOpOperands())
      if (isList(output.get()) && !output.get().getDefiningOp<flow::BoxGetOp>())
        output.set(list::CellCloseOp::create(b, yield->getLoc(), output.get().getType(),
                                             number(output.get())));
  }

  static void dropFrom(ArrayRef<Operation *> structured) {
    SmallVector<wire::Kept> kept;
    for (Operation *op : structured) {
      wire::Kept &one = kept.emplace_back(op);
      auto loop = dyn_cast<flow::WhileOp>(op);
      ValueRange inits = loop ? ValueRange(loop.getInits()) : ValueRange();
      ValueRange captures =
          loop ? ValueRange(loop.getCaptures()) : ValueRange(cast<flow::CondOp>(op).getCaptures());
      for (auto [values, bits] : {std::pair(inits, &one.inits), std::pair(captures, &one.captures),
                                  std::pair(ValueRange(op->getResults()), &one.results)})
        for (auto [i, value] : llvm::enumerate(values))
          (*bits)[static_cast<unsigned>(i)] = !isList(value);
    }
    for (auto [op, one] : llvm::zip(structured, kept))
      wire::keepOnly(op, one);
  }

  flow::CodeletOp codelet_;
  llvm::EquivalenceClasses<const void *> classes_;
  llvm::MapVector<const void *, Cell> cells_;
  std::optional<Obstacle> obstacle_;
  llvm::SmallSetVector<Value, 4> doubles_; // of which there may be two at a time
};

struct PlaceLists : impl::CodegenPlaceListsBase<PlaceLists> {
  void runOnOperation() override {
    getOperation()->walk([&](flow::CodeletOp codelet) {
      if (std::optional<Obstacle> obstacle = placeLists(codelet)) {
        obstacle->op->emitError("expected lists of which there is one at a time, but this ")
            << obstacle->reason;
        signalPassFailure();
      }
      codelet.walk([&](list::CellOpenOp) { ++numCells; });
    });
  }
};

} // namespace

SmallVector<Value> listsWithoutCells(flow::CodeletOp codelet) {
  return CellPlacement(codelet).findDouble();
}

std::optional<Obstacle> placeLists(flow::CodeletOp codelet) { return CellPlacement(codelet).run(); }

} // namespace sluice::codegen
