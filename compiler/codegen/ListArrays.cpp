// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From lists to arrays.
//
// Strands that the same loops push to and pop from in the same places have the same number of rows
// anywhere else, so the first of them has it for all.
#include "compiler/codegen/ListArrays.h"

#include "compiler/codegen/ListStrands.h"
#include "compiler/codegen/ListSums.h"
#include "compiler/codegen/SizedLists.h"
#include "dialects/flow/LoopCounters.h"
#include "dialects/interfaces/NodeName.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Restructure.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;

namespace sluice::codegen {

int64_t numberOf(flow::WhileOp loop) {
  auto number = loop->getAttrOfType<IntegerAttr>(kLoopNumberAttr);
  return number ? number.getInt() : -1;
}

namespace {

// Where the number of rows goes through a branch or loop: an argument of each region, and a result.
struct NumberPlace {
  unsigned first = 0, second = 0, result = 0;
};

class Conversion {
public:
  explicit Conversion(ArrayRef<Strand *> strands) : strands_(strands) {}

  void run() {
    group();
    for (Strand *strand : strands_)
      addIndices(*strand);
    for (Strand *strand : strands_)
      replace(*strand);
    for (Strand *strand : strands_)
      if (strand->isExact)
        replaceCounters(*strand);
  }

private:
  // ---- Numbers of rows --------------------------------------------------------------------------

  // Strands with equal keys are of the same length wherever they enter or leave a region.
  using Key = std::vector<const void *>;
  void group() {
    std::map<Key, unsigned> groups;
    for (Strand *strand : strands_) {
      Key key{strand->make->getBlock()};
      for (auto &[block, place] : strand->places) {
        Operation *op = block->getParentOp(), *end = block->getTerminator();
        Operation *second = op->getRegion(1).front().getTerminator();
        bool isLoop = isa<flow::WhileOp>(op);
        key.push_back(block);
        addSteps(key, op->getOperand(*place.in + (isLoop ? 0 : 1)));
        if (place.result)
          addSteps(key, end->getOperand(*place.result + (isLoop ? 1 : 0)));
        if (isLoop || place.result)
          addSteps(key, second->getOperand(isLoop ? *place.in : *place.result));
      }
      bool isPlain =
          llvm::none_of(strand->ops, [](Operation *op) { return isa<flow::GateOp>(op); }) &&
          strand->make.getSize().getDefiningOp<nd::ConstantOp>();
      if (!isPlain)
        key.push_back(strand);
      groupOf_[strand] = groups.try_emplace(key, groups.size()).first->second;
    }
  }

  // What is done to a list in its region, from its end to where the region, a loop in it or the
  // list begins.
  static void addSteps(Key &key, Value list) {
    static const char kinds[2] = {};
    Operation *op = list.getDefiningOp();
    for (; op && isa<list::PushOp, list::PopOp, flow::GateOp>(op);
         op = op->getOperand(0).getDefiningOp())
      if (!isa<flow::GateOp>(op))
        key.push_back(&kinds[isa<list::PopOp>(op) ? 1 : 0]);
    key.push_back(op && op->getNumRegions() > 0 ? &op->getRegion(0).front() : nullptr);
  }

  // The number of a strand's rows in a list of it.
  Value lengthOf(Strand &strand, Value list) {
    if (auto argument = dyn_cast<BlockArgument>(list)) {
      Operation *op = argument.getOwner()->getParentOp();
      bool isFirst = argument.getOwner()->getParent() == &op->getRegion(0);
      const NumberPlace &place = carry(strand, &op->getRegion(0).front());
      return argument.getOwner()->getArgument(isFirst ? place.first : place.second);
    }
    Operation *op = list.getDefiningOp();
    if (op->getNumRegions() > 0) {
      Block *block = &op->getRegion(0).front();
      const NumberPlace &place = carry(strand, block);
      if (strand.isExact && block == strand.loop)
        return tripsOf(strand);
      return block->getParentOp()->getResult(place.result);
    }
    Value &length = lengths_[op];
    if (length)
      return length;
    OpBuilder b(op);
    Value made;
    if (auto make = dyn_cast<list::MakeOp>(op))
      made = withElementOf(b, make.getSize(), numberType(b));
    else if (auto gate = dyn_cast<flow::GateOp>(op))
      made = gateLike(b, gate, lengthOf(strand, gate.getValue()));
    else if (isa<list::PushOp>(op))
      made = nd::AddOp::create(b, op->getLoc(), numberType(b), lengthOf(strand, op->getOperand(0)),
                               integer(b, op->getLoc(), 1));
    else
      made = afterPop(b, strand, op);
    return lengths_[op] = made;
  }
  static Value gateLike(OpBuilder &b, flow::GateOp gate, Value value) {
    return flow::GateOp::create(b, gate.getLoc(), value.getType(), value, gate.getTokens());
  }
  static RankedTensorType numberType(OpBuilder &b) {
    return RankedTensorType::get({}, b.getI32Type());
  }
  // After a pop of an empty list, which fails, the card goes on to the end of an iteration, and may
  // push: there has to be a row for that.
  Value afterPop(OpBuilder &b, Strand &strand, Operation *pop) {
    Value index = indexOf(strand, pop);
    if (!strand.loop->getParentOp()->isAncestor(pop))
      return index;
    return nd::MaximumOp::create(b, pop->getLoc(), index.getType(), index,
                                 integer(b, pop->getLoc(), 0));
  }
  // Which row is pushed or popped, or how many there are.
  Value indexOf(Strand &strand, Operation *op) {
    Value length = lengthOf(strand, op->getOperand(0));
    if (!isa<list::PopOp>(op))
      return length;
    Value &index = indices_[op];
    OpBuilder b(op);
    return index = index ? index
                         : Value(nd::SubOp::create(b, op->getLoc(), length.getType(), length,
                                                   integer(b, op->getLoc(), 1)));
  }

  // Lets a branch or loop carry the number of rows, if it does not yet.
  const NumberPlace &carry(Strand &strand, Block *block) {
    auto [entry, isNew] = carried_.try_emplace({groupOf_[&strand], block});
    if (!isNew)
      return entry->second;
    const StrandPlace place = strand.places.lookup(block);
    Operation *op = block->getParentOp();
    auto loop = dyn_cast<flow::WhileOp>(op);
    Value length = lengthOf(strand, op->getOperand(*place.in + (loop ? 0 : 1)));
    NumberPlace &number = carried_[{groupOf_[&strand], block}];
    number.result = op->getNumResults();
    if (!loop) {
      number.first = number.second = block->getNumArguments();
      auto branch = wire::carryMore(llvm::cast<flow::CondOp>(op), length);
      for (Region &region : branch->getRegions()) {
        Operation *end = region.front().getTerminator();
        Value at = place.result ? end->getOperand(*place.result) : region.getArgument(*place.in);
        append(end, lengthOf(strand, at));
      }
      return carried_[{groupOf_[&strand], block}];
    }
    number.first = loop.getInits().size();
    number.second = number.result;
    loop = wire::carryMore(loop, length);
    Operation *condition = block->getTerminator();
    Operation *end = loop.getBody().front().getTerminator();
    append(condition, lengthOf(strand, place.result ? condition->getOperand(*place.result + 1)
                                                    : Value(block->getArgument(*place.in))));
    append(end, lengthOf(strand, end->getOperand(*place.in)));
    return carried_[{groupOf_[&strand], block}];
  }
  static void append(Operation *end, Value value) {
    end->insertOperands(end->getNumOperands(), value);
  }

  // How many iterations there are, as an i32, in front of the loop.
  Value tripsOf(Strand &strand) {
    Value &trips = trips_[strand.loop];
    if (trips)
      return trips;
    OpBuilder b(strand.loop->getParentOp());
    Location loc = strand.make.getLoc();
    // Not kept since it was found: loops that it may come from have become others.
    TripBound bound = *tripBoundOf(llvm::cast<flow::WhileOp>(strand.loop->getParentOp()));
    if (std::optional<int64_t> known = bound.known())
      return trips = integer(b, loc, *known);
    return trips = withElementOf(b, tripsIn(b, loc, bound), numberType(b));
  }

  // ---- Rows -------------------------------------------------------------------------------------

  void addIndices(Strand &strand) {
    SmallVector<Block *> blocks =
        llvm::map_to_vector(strand.places, [](auto &p) { return p.first; });
    for (Block *block : blocks)
      (void)carry(strand, block);
    for (Operation *op : strand.ops)
      if (isa<list::PushOp, list::PopOp, list::LengthOp>(op))
        indices_[op] = indexOf(strand, op);
  }

  static RankedTensorType arrayOf(const Strand &strand) {
    SmallVector<int64_t> dims(strand.row().getShape());
    dims.insert(dims.begin(),
                strand.rows ? std::max<int64_t>(1, *strand.rows) : ShapedType::kDynamic);
    return RankedTensorType::get(dims, strand.row().getElementType());
  }

  // An array with room, at least for one row, so that there is one to look at for an index that is
  // not there.
  static Value makeArray(OpBuilder &b, const Strand &strand, RankedTensorType type) {
    list::MakeOp make = strand.make;
    Location loc = make.getLoc();
    auto element = RankedTensorType::get({}, type.getElementType());
    Value zero = nd::ConstantOp::create(
        b, loc, element, DenseElementsAttr::get(element, b.getZeroAttr(type.getElementType())));
    if (!make.getSize().getDefiningOp<nd::ConstantOp>()) // it may be dead
      zero =
          flow::GateOp::create(b, loc, element, zero,
                               Value(flow::AfterOp::create(
                                   b, loc, flow::TokenType::get(b.getContext()), make.getSize())));
    auto dimsType = RankedTensorType::get({type.getRank()}, b.getI64Type());
    Value dims;
    if (strand.rows) {
      dims = nd::ConstantOp::create(b, loc, dimsType,
                                    DenseElementsAttr::get(dimsType, type.getShape()));
    } else {
      SmallVector<Value> sizes{atLeast(b, roomOf(b, strand), 1)};
      for (int64_t size : strand.row().getShape())
        sizes.push_back(integer(b, loc, size, 64));
      dims = nd::PackOp::create(b, loc, dimsType, sizes, 0);
    }
    return nd::FillOp::create(b, loc, type, dims, zero);
  }

  static Value roomOf(OpBuilder &b, const Strand &strand) {
    Location loc = strand.make->getLoc();
    Value sum;
    for (auto push : strand.all<list::PushOp>()) {
      Value product;
      for (flow::WhileOp loop : loopsAround(push, strand.make->getBlock())) {
        Value trips = tripsIn(b, loc, *tripBoundOf(loop));
        product =
            product ? Value(nd::MulOp::create(b, loc, trips.getType(), product, trips)) : trips;
      }
      sum = sum ? Value(nd::AddOp::create(b, loc, sum.getType(), sum, product)) : product;
    }
    return sum ? sum : integer(b, loc, 0, 64);
  }

  void replace(Strand &strand) {
    RankedTensorType type = arrayOf(strand);
    {
      OpBuilder b(strand.make);
      strand.make.getResult().replaceAllUsesWith(makeArray(b, strand, type));
    }
    for (auto &[block, place] : strand.places) {
      Operation *op = block->getParentOp();
      auto loop = dyn_cast<flow::WhileOp>(op);
      block->getArgument(*place.in).setType(type);
      Block &second = op->getRegion(1).front();
      if (!loop)
        second.getArgument(*place.in).setType(type);
      if (place.result) {
        op->getResult(*place.result).setType(type);
        if (loop)
          second.getArgument(*place.result).setType(type);
      }
    }
    for (Operation *op : strand.ops)
      replace(op, type);
    for (Operation *op : llvm::reverse(strand.ops))
      if (!isa<flow::GateOp, flow::AfterOp>(op))
        op->erase();
  }

  void replace(Operation *op, RankedTensorType type) {
    OpBuilder b(op);
    Location loc = op->getLoc();
    if (auto gate = dyn_cast<flow::GateOp>(op)) {
      gate.getResult().setType(type);
    } else if (auto push = dyn_cast<list::PushOp>(op)) {
      auto set = nd::SetRowOp::create(b, loc, type, push.getList(), indices_[op], push.getValue());
      set->setAttr(kOfListAttr, b.getUnitAttr());
      push.getResult().replaceAllUsesWith(set.getResult());
    } else if (auto pop = dyn_cast<list::PopOp>(op)) {
      auto row = nd::RowOp::create(b, loc, pop.getValue().getType(), pop.getList(), indices_[op]);
      row->setAttr(kOfListAttr, b.getUnitAttr());
      pop.getValue().replaceAllUsesWith(row.getResult());
      pop.getResult().replaceAllUsesWith(pop.getList());
    } else if (auto length = dyn_cast<list::LengthOp>(op)) {
      length.getLength().replaceAllUsesWith(indices_[op]);
    }
  }

  // ---- Counters ---------------------------------------------------------------------------------

  // What the loop's counters have come to is known before it has run.
  void replaceCounters(Strand &strand) {
    auto loop = llvm::cast<flow::WhileOp>(strand.loop->getParentOp());
    auto forwarded = llvm::cast<flow::ConditionOp>(strand.loop->getTerminator()).getForwarded();
    for (auto [i, value] : llvm::enumerate(forwarded)) {
      Value result = loop.getResult(static_cast<unsigned>(i));
      std::optional<flow::Counter> counter = flow::counterOf(value, loop);
      if (result.use_empty() || !counter || counter->step != 1 ||
          counter->start.getType() != result.getType() ||
          llvm::cast<RankedTensorType>(result.getType()).getRank() != 0)
        continue;
      OpBuilder b(loop);
      Value trips = withElementOf(b, tripsOf(strand), result.getType());
      std::optional<int64_t> start = flow::constantInt(counter->start);
      if (start != 0)
        trips = nd::AddOp::create(b, loop.getLoc(), trips.getType(), trips, counter->start);
      result.replaceAllUsesWith(trips);
    }
  }

  ArrayRef<Strand *> strands_;
  DenseMap<Strand *, unsigned> groupOf_;
  std::map<std::pair<unsigned, Block *>, NumberPlace> carried_;
  DenseMap<Operation *, Value> lengths_; // after ops of strands
  DenseMap<Operation *, Value> indices_;
  DenseMap<Block *, Value> trips_; // of loops
};

} // namespace

// Through which it goes, and which are around these.
static llvm::SmallSetVector<flow::WhileOp, 4> loopsOf(const Strand &strand) {
  llvm::SmallSetVector<flow::WhileOp, 4> loops;
  auto add = [&](Operation *op) {
    for (; op; op = op->getParentOp())
      if (auto loop = dyn_cast<flow::WhileOp>(op))
        loops.insert(loop);
  };
  for (auto &[block, place] : strand.places)
    add(block->getParentOp());
  for (Operation *op : strand.ops)
    add(op);
  return loops;
}

static void explain(const Strand &strand, ListsAsArrays &result) {
  Operation *op = strand.oddity;
  StringRef node = op ? nodeNameOf(op->getLoc()) : StringRef();
  std::string text =
      !op || node.empty()
          ? strand.reason
          : llvm::formatv("'{0}' ({1}) {2}", node, op->getName(), strand.reason).str();
  for (flow::WhileOp loop : loopsOf(strand))
    result.reasons.try_emplace(numberOf(loop), text);
}

ListsAsArrays listsToArrays(Operation *graph, const llvm::DenseSet<int64_t> &stay, bool always) {
  ListsAsArrays result;
  std::vector<Strand> strands = findStrands(graph, stay, always);
  if (tellSums(strands))
    strands = findStrands(graph, stay, always);
  SmallVector<Strand *> arrays, sized;
  for (Strand &strand : strands) {
    if (!strand.reason.empty()) {
      explain(strand, result);
      continue;
    }
    ++result.count;
    for (flow::WhileOp loop : loopsOf(strand))
      ++result.loops[numberOf(loop)];
    (strand.isSized ? sized : arrays).push_back(&strand);
  }
  for (Strand *strand : sized) // while its values are those of the same loops
    replaceSized(*strand);
  Conversion(arrays).run();
  return result;
}

} // namespace sluice::codegen
