// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lists of a graph can be arrays.
#include "compiler/codegen/ListStrands.h"

#include "compiler/codegen/ListArrays.h"
#include "compiler/codegen/SizedLists.h"
#include "dialects/flow/HandedOn.h"
#include "dialects/flow/LoopCounters.h"
#include "dialects/nd/Nd.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace sluice::codegen {

static bool isList(Value value) { return isa<list::OfType>(value.getType()); }

RankedTensorType Strand::row() const {
  return dyn_cast<RankedTensorType>(cast<list::OfType>(root.getType()).getElement());
}

bool Strand::fail(Operation *op, std::string why) {
  if (reason.empty()) {
    oddity = op;
    reason = std::move(why);
  }
  return false;
}

SmallVector<flow::WhileOp> loopsAround(Operation *op, Block *block) {
  SmallVector<flow::WhileOp> loops;
  while (op->getBlock() != block && op->getParentOp()) {
    op = op->getParentOp();
    if (auto loop = dyn_cast<flow::WhileOp>(op))
      loops.push_back(loop);
  }
  return loops;
}

namespace {

constexpr int64_t kMostBytes = 64 << 20;  // of an array that may be for nothing
constexpr int64_t kLeastMoved = 64 << 10; // of rows that move to the host's memory

// ---- Which lists can be -------------------------------------------------------------------------

class Strands {
public:
  Strands(Operation *graph, const llvm::DenseSet<int64_t> &stay, bool always)
      : stay_(stay), always_(always) {
    graph->walk<WalkOrder::PreOrder>([&](Operation *op) { join(op); });
    graph->walk<WalkOrder::PreOrder>([&](Operation *op) { collect(op); });
    for (auto &entry : strands_)
      check(entry.second);
  }

  std::vector<Strand> take() {
    std::vector<Strand> strands;
    for (auto &entry : strands_)
      strands.push_back(std::move(entry.second));
    return strands;
  }

private:
  void join(Value a, Value b) {
    if (isList(a) && isList(b))
      classes_.unionSets(a.getAsOpaquePointer(), b.getAsOpaquePointer());
  }

  void join(Operation *op) {
    bool handsOn = flow::visitHandedOn(op, [&](Value from, Value to) { join(from, to); });
    if (!handsOn && op->getNumOperands() > 0 && op->getNumResults() > 0 && op->getNumRegions() == 0)
      join(op->getOperand(0), op->getResults().back());
  }

  Strand &strandOf(Value list) {
    classes_.insert(list.getAsOpaquePointer());
    Strand &strand = strands_[classes_.getLeaderValue(list.getAsOpaquePointer())];
    if (!strand.root)
      strand.root = list;
    return strand;
  }

  const Strand *find(Value list) const {
    auto found = strands_.find(classes_.getLeaderValue(list.getAsOpaquePointer()));
    return found == strands_.end() ? nullptr : &found->second;
  }

  static void note(Strand &strand, Operation *op, std::optional<unsigned> &position,
                   unsigned number) {
    if (position)
      strand.fail(op, "carries a list and another one that it may become");
    position = number;
  }

  void collect(Operation *op) {
    for (Region &region : op->getRegions())
      collectValues(region.getArguments());
    collectValues(op->getResults());
    auto visit = [&](ValueRange values, unsigned begin, unsigned end, bool isResult) {
      for (unsigned i = begin; i < end; ++i)
        if (isList(values[i])) {
          Strand &strand = strandOf(values[i]);
          StrandPlace &place = strand.places[&op->getRegion(0).front()];
          note(strand, op, isResult ? place.result : place.in, isResult ? i : i - begin);
        }
    };
    if (auto loop = dyn_cast<flow::WhileOp>(op)) {
      unsigned inits = loop.getInits().size();
      visit(op->getOperands(), 0, inits, false);
      visit(op->getResults(), 0, op->getNumResults(), true);
      for (Value capture : loop.getCaptures())
        if (isList(capture))
          strandOf(capture).fail(op, "looks at a list that it does not carry");
    } else if (isa<flow::CondOp>(op)) {
      visit(op->getOperands(), 1, op->getNumOperands(), false);
      visit(op->getResults(), 0, op->getNumResults(), true);
    } else if (!op->hasTrait<OpTrait::IsTerminator>()) {
      llvm::SmallPtrSet<Strand *, 2> seen;
      for (ValueRange values : {ValueRange(op->getOperands()), ValueRange(op->getResults())})
        for (Value value : values)
          if (isList(value) && seen.insert(&strandOf(value)).second)
            strandOf(value).ops.push_back(op);
      for (Strand *strand : seen)
        if (!isa<list::MakeOp, list::PushOp, list::PopOp, list::LengthOp, flow::GateOp,
                 flow::AfterOp>(op))
          strand->fail(op, "does to a list what is no push and no pop");
    }
  }

  void collectValues(ValueRange values) {
    for (Value value : values)
      if (isList(value))
        strandOf(value).values.push_back(value);
  }

  // Whether a card is to run it, with what is around it.
  bool goesToCard(Operation *op) const {
    for (; op; op = op->getParentOp())
      if (auto loop = dyn_cast<flow::WhileOp>(op);
          loop && numberOf(loop) >= 0 && !stay_.contains(numberOf(loop)))
        return true;
    return false;
  }

  bool check(Strand &strand) {
    if (keepsLength(strand)) {
      strand.reason.clear();
      strand.isSized = true;
      return checkSized(
          strand, [&](Operation *op) { return goesToCard(op); },
          [&](Value list) { return find(list); });
    }
    if (!strand.reason.empty())
      return false;
    return checkTypes(strand) && checkPlaces(strand) && checkRoom(strand) && checkCost(strand);
  }

  static bool checkTypes(Strand &strand) {
    Operation *first =
        strand.ops.empty() ? strand.root.getParentBlock()->getParentOp() : strand.ops.front();
    RankedTensorType row = strand.row();
    if (!row || !row.hasStaticShape() || !row.getElementType().isIntOrFloat())
      return strand.fail(first, "uses a list whose rows are not known");
    for (auto push : strand.all<list::PushOp>())
      if (push.getValue().getType() != row || static_cast<int64_t>(push.getLimit()) >= 0)
        return strand.fail(push, "pushes to a list that may be full");
    for (auto pop : strand.all<list::PopOp>())
      if (pop.getValue().getType() != row || pop.getShape())
        return strand.fail(pop, "pops of a list whose rows are not known");
    return true;
  }

  bool checkPlaces(Strand &strand) {
    auto makes = strand.all<list::MakeOp>();
    if (makes.size() != 1 || flow::constantInt(makes[0].getSize()) != 0)
      return strand.fail(makes.empty() ? strand.ops.empty() ? nullptr : strand.ops[0] : makes[0],
                         "uses a list that does not begin as an empty one");
    strand.make = makes[0];
    for (auto &[block, place] : strand.places) {
      Operation *op = block->getParentOp();
      if (!place.in)
        return strand.fail(op, "makes a list in its test");
      if (auto loop = dyn_cast<flow::WhileOp>(op); loop && !goesToCard(op))
        return strand.fail(op, llvm::formatv("uses a list together with loop '{0}', which the "
                                             "host runs",
                                             loop.getFrame())
                                   .str());
      if (!goesToCard(op))
        return strand.fail(op, "uses a list, and the host runs it");
    }
    for (auto pop : strand.all<list::PopOp>())
      if (!goesToCard(pop))
        return strand.fail(pop, "pops of a list outside of a loop");
    // All pushes are in the loop that comes first.
    Operation *user = onlyUser(strand.make.getResult());
    for (; isa_and_present<flow::GateOp>(user); user = onlyUser(user->getResult(0)))
      ;
    auto loop = dyn_cast_or_null<flow::WhileOp>(user);
    if (!loop)
      return strand.fail(strand.make, "makes a list that no loop takes at once");
    strand.loop = &loop.getBefore().front();
    for (auto push : strand.all<list::PushOp>())
      if (!loop->isAncestor(push))
        return strand.fail(push, "pushes to a list outside of its first loop");
    return true;
  }

  // But for tokens.
  static Operation *onlyUser(Value list) {
    Operation *only = nullptr;
    for (Operation *user : list.getUsers()) {
      if (isa<flow::AfterOp>(user))
        continue;
      if (only)
        return nullptr;
      only = user;
    }
    return only;
  }

  bool checkRoom(Strand &strand) {
    Block *block = strand.make->getBlock();
    bool isTop = !isa<flow::WhileOp, flow::CondOp>(block->getParentOp());
    strand.rows = 0;
    auto pushes = strand.all<list::PushOp>();
    for (auto push : pushes) {
      int64_t times = 1;
      bool isKnown = true;
      for (flow::WhileOp loop : loopsAround(push, block)) {
        std::optional<TripBound> bound = tripBoundOf(loop);
        if (!bound)
          return strand.fail(push, "pushes to a list, and nobody knows before the loop how often");
        std::optional<int64_t> trips = bound->known();
        if (trips && (__builtin_mul_overflow(times, *trips, &times) || times >= INT32_MAX))
          return strand.fail(push, "pushes to a list more often than is counted");
        isKnown &= trips.has_value();
        for (Value end : {bound->start, bound->end})
          if (!trips &&
              !(isTop && (flow::constantInt(end) || flow::originOf(end).getParentBlock() == block)))
            return strand.fail(push, "pushes to a list as often as only something around it knows");
      }
      strand.rows = isKnown && strand.rows ? std::optional(*strand.rows + times) : std::nullopt;
    }
    auto loop = cast<flow::WhileOp>(strand.loop->getParentOp());
    std::optional<TripBound> bound = tripBoundOf(loop);
    strand.isExact = bound && bound->isExact && pushesOnceEach(strand, loop);
    return true;
  }

  // Whether each iteration of the loop leaves a row more than it found.
  static bool pushesOnceEach(Strand &strand, flow::WhileOp loop) {
    auto pushes = strand.all<list::PushOp>();
    StrandPlace place = strand.places.lookup(strand.loop);
    auto isCarried = [&](Value list) { return flow::carriedPosition(list, loop) == place.in; };
    auto condition = cast<flow::ConditionOp>(strand.loop->getTerminator());
    Block &body = loop.getBody().front();
    return pushes.size() == 1 && pushes[0]->getBlock() == &body &&
           strand.make.getSize().getDefiningOp<nd::ConstantOp>() &&
           isCarried(pushes[0].getList()) &&
           flow::originOf(body.getTerminator()->getOperand(*place.in)) == pushes[0].getResult() &&
           (!place.result || isCarried(condition.getForwarded()[*place.result]));
  }

  bool checkCost(Strand &strand) {
    if (always_)
      return true;
    RankedTensorType type = strand.row();
    int64_t row = type.getNumElements() * ((type.getElementTypeBitWidth() + 7) / 8), bytes = 0;
    bool isLittle =
        strand.rows && !__builtin_mul_overflow(*strand.rows, row, &bytes) && bytes <= kMostBytes;
    if (isLittle || (strand.isExact && row < kLeastMoved))
      return true;
    return strand.fail(strand.make, strand.isExact || row >= kLeastMoved
                                        ? "makes a list that may have to move to the host's memory"
                                        : "makes a list that may be much shorter than its room");
  }

  const llvm::DenseSet<int64_t> &stay_;
  bool always_;
  llvm::EquivalenceClasses<const void *> classes_;
  llvm::MapVector<const void *, Strand> strands_;
};

} // namespace

std::vector<Strand> findStrands(Operation *graph, const llvm::DenseSet<int64_t> &stay,
                                bool always) {
  return Strands(graph, stay, always).take();
}

} // namespace sluice::codegen
