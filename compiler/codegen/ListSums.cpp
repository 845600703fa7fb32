// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From sums in elements to looks and sets.
//
// Who is the first to add to an element that is empty, or a zero of list.zeros_like, sets it: a sum
// with zero would lose the sign of another one. So an array of numbers goes with such lists,
// through the same branches and loops, and says of each element whether it is one of a sum.
#include "compiler/codegen/ListSums.h"

#include "compiler/codegen/SizedLists.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Restructure.h"

#include <map>

using namespace mlir;

namespace sluice::codegen {

namespace {

// Whether the first sum in an element may be another one than that with what is read there.
bool hasFirstSums(const Strand &strand) {
  return isa<FloatType>(strand.row().getElementType()) &&
         llvm::any_of(strand.ops, llvm::IsaPred<list::MakeOp, list::ZerosLikeOp>);
}

class Sums {
public:
  explicit Sums(Strand &strand)
      : strand_(strand), row_(strand.row()), hasFirst_(hasFirstSums(strand)) {
    // Never a single number, which would be none of an array.
    int64_t count = countOf(strand), size = count < 0 ? ShapedType::kDynamic : count + 1;
    type_ = RankedTensorType::get({size}, IntegerType::get(strand.root.getContext(), 32));
  }

  void run() {
    SmallVector<list::AccumulateOp> sums = strand_.all<list::AccumulateOp>();
    if (hasFirst_)
      for (list::AccumulateOp sum : sums)
        wereThere_[sum] = flagsOf(sum.getList());
    for (list::AccumulateOp sum : sums)
      tell(sum);
  }

private:
  void tell(list::AccumulateOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Value element = list::PeekOp::create(b, loc, row_, op.getList(), op.getIndex(), Value(), row_);
    Value sum = nd::AddOp::create(b, loc, row_, element, op.getValue());
    if (Value flags = wereThere_.lookup(op)) {
      auto number = RankedTensorType::get({}, b.getI32Type());
      Value flag = nd::RowOp::create(b, loc, number, flags, op.getIndex());
      Value isOne = nd::GreaterOp::create(b, loc, RankedTensorType::get({}, b.getI1Type()), flag,
                                          integer(b, loc, 0));
      sum = nd::SelectOp::create(b, loc, row_, isOne, sum, op.getValue(), /*leading=*/false);
    }
    Value set = list::SetOp::create(b, loc, op.getType(), op.getList(), op.getIndex(), sum,
                                    /*grow=*/false, /*once=*/false);
    op.getResult().replaceAllUsesWith(set);
    op.erase();
  }

  // ---- What goes with a list --------------------------------------------------------------------

  Value flagsOf(Value list) {
    if (auto argument = dyn_cast<BlockArgument>(list))
      return flagsOf(argument);
    Operation *op = list.getDefiningOp();
    if (op->getNumRegions() > 0)
      return flagsOfResult(&op->getRegion(0).front(), cast<OpResult>(list).getResultNumber());
    Value &flags = flags_[op];
    return flags = flags ? flags : make(op);
  }

  // Branches and loops become others when they carry more; their blocks stay.
  Value flagsOf(BlockArgument list) {
    if (Value known = inRegions_.lookup(list))
      return known;
    Block *block = list.getOwner();
    Operation *op = block->getParentOp();
    unsigned number = list.getArgNumber();
    auto loop = dyn_cast<flow::WhileOp>(op);
    bool isBefore = block == &op->getRegion(0).front();
    unsigned own = !loop ? 0 : isBefore ? loop.getInits().size() : loop.getNumResults();
    if (number >= own) { // it is captured
      ValueRange captures =
          loop ? ValueRange(loop.getCaptures()) : cast<flow::CondOp>(op).getCaptures();
      Value outside = flagsOf(captures[number - own]);
      Value inside = wire::captureIn(block->getParentOp(), *block->getParent(), outside);
      return inRegions_[list] = inside;
    }
    if (isBefore)
      return carry(list);
    Block *before = &op->getRegion(0).front();
    unsigned result = cast<OpResult>(flagsOfResult(before, number)).getResultNumber();
    return inRegions_[list] = block->getArgument(result);
  }

  // Of what a loop begins with and each iteration leaves.
  Value carry(BlockArgument list) {
    Block *before = list.getOwner();
    unsigned number = list.getArgNumber();
    Value outside = flagsOf(before->getParentOp()->getOperand(number));
    auto loop = cast<flow::WhileOp>(before->getParentOp());
    unsigned place = loop.getInits().size();
    loop = wire::carryMore(loop, outside);
    Value inside = inRegions_[list] = before->getArgument(place);
    append(before->getTerminator(), inside);
    Operation *end = loop.getBody().front().getTerminator();
    append(end, flagsOf(end->getOperand(number)));
    return inside;
  }

  Value flagsOfResult(Block *first, unsigned number) {
    if (isa<flow::CondOp>(first->getParentOp()))
      return flagsOfBranch(first, number);
    auto condition = cast<flow::ConditionOp>(first->getTerminator());
    Value flags = flagsOf(condition.getForwarded()[number]);
    auto loop = cast<flow::WhileOp>(first->getParentOp());
    for (auto [result, forwarded] : llvm::zip(loop.getResults(), condition.getForwarded()))
      if (forwarded == flags)
        return result;
    return wire::forwardMore(loop, flags)->getResults().back();
  }

  Value flagsOfBranch(Block *first, unsigned number) {
    auto [place, isNew] = ofBranches_.try_emplace({first, number});
    if (isNew) {
      auto branch = cast<flow::CondOp>(first->getParentOp());
      Value any = flagsOf(branch.getCaptures()[*strand_.places.lookup(first).in]);
      branch = cast<flow::CondOp>(first->getParentOp());
      unsigned result = ofBranches_[{first, number}] = branch.getNumResults();
      branch = wire::carryMore(branch, any);
      for (unsigned i : {0u, 1u}) {
        Operation *end = first->getParentOp()->getRegion(i).front().getTerminator();
        append(end, flagsOf(end->getOperand(number)));
      }
      return first->getParentOp()->getResult(result);
    }
    return first->getParentOp()->getResult(place->second);
  }

  static void append(Operation *end, Value flags) {
    end->insertOperands(end->getNumOperands(), flags);
  }

  // Of what an op makes of a list.
  Value make(Operation *op) {
    OpBuilder b(op);
    Location loc = op->getLoc();
    if (auto made = dyn_cast<list::MakeOp>(op))
      return filled(b, loc, 0, made.getSize());
    if (auto zeros = dyn_cast<list::ZerosLikeOp>(op))
      return filled(b, loc, 0, zeros->getOperand(0));
    if (auto unstack = dyn_cast<list::UnstackOp>(op))
      return filled(b, loc, 1, unstack.getValue());
    Value before = flagsOf(op->getOperand(0));
    if (auto gate = dyn_cast<flow::GateOp>(op))
      return flow::GateOp::create(b, loc, type_, before, gate.getTokens());
    // Set, or added to, which looks at the flags as they were.
    b.setInsertionPointAfter(op);
    return nd::SetRowOp::create(b, loc, type_, before, op->getOperand(1), integer(b, loc, 1));
  }

  // That are there once `after` is. If their number is not known, `after` is it.
  Value filled(OpBuilder &b, Location loc, int64_t value, Value after) {
    Value flag = integer(b, loc, value), dims;
    auto dimsType = RankedTensorType::get({1}, b.getI64Type());
    if (type_.hasStaticShape()) {
      dims = nd::ConstantOp::create(b, loc, dimsType,
                                    DenseElementsAttr::get(dimsType, type_.getShape()));
      if (!after.getDefiningOp<nd::ConstantOp>()) {
        Value token = flow::AfterOp::create(b, loc, flow::TokenType::get(b.getContext()), after);
        flag = flow::GateOp::create(b, loc, flag.getType(), flag, token);
      }
    } else {
      auto number = RankedTensorType::get({}, b.getI64Type());
      Value size = nd::AddOp::create(b, loc, number, withElementOf(b, after, number),
                                     integer(b, loc, 1, 64));
      dims = nd::PackOp::create(b, loc, dimsType, size, 0);
    }
    return nd::FillOp::create(b, loc, type_, dims, flag);
  }

  Strand &strand_;
  RankedTensorType row_;
  bool hasFirst_;
  RankedTensorType type_;              // of flags
  DenseMap<Operation *, Value> flags_; // of the list that an op gives
  DenseMap<Operation *, Value> wereThere_;
  DenseMap<Value, Value> inRegions_;                            // of a list that is an argument
  std::map<std::pair<Block *, unsigned>, unsigned> ofBranches_; // of a branch's result
};

} // namespace

bool checkSums(Strand &strand) {
  auto sums = strand.all<list::AccumulateOp>();
  if (sums.empty())
    return true;
  for (list::AccumulateOp sum : sums) {
    auto index = dyn_cast<RankedTensorType>(sum.getIndex().getType());
    if (sum.getValue().getType() != strand.row() || !index || index.getRank() != 0)
      return strand.fail(sum, "adds a row that is not known");
  }
  auto isOdd = llvm::IsaPred<list::GetOp, list::GatherOp, list::ScatterOp>;
  if (llvm::any_of(strand.ops, isOdd))
    return strand.fail(sums[0], "adds to an element that may be cleared");
  for (auto &[block, place] : strand.places)
    if (isa<flow::CondOp>(block->getParentOp()) && !place.in)
      return strand.fail(block->getParentOp(), "makes a list to whose elements is added");
  if (hasFirstSums(strand) && countOf(strand) < 0 && !strand.all<list::UnstackOp>().empty())
    return strand.fail(sums[0], "adds to an element of a list of an unknown size");
  return true;
}

bool tellSums(MutableArrayRef<Strand> strands) {
  // Loops become others: what is asked of values is asked before the first does.
  std::vector<Sums> all;
  for (Strand &strand : strands)
    if (strand.reason.empty() && strand.isSized && !strand.all<list::AccumulateOp>().empty())
      all.emplace_back(strand);
  for (Sums &sums : all)
    sums.run();
  return !all.empty();
}

} // namespace sluice::codegen
