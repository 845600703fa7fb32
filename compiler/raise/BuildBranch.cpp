// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a flow.cond of a branch. The switches' data become captures, the merges' values results.
// The index of a merge is a constant in each region, once the value is there. A token leaves as one
// that is live either way. What switches and merges ask of the place phase stays with the branch
// (dialects/wire/Steering.h).
#include "compiler/raise/BuildBranch.h"

#include "compiler/raise/RegionBuilder.h"
#include "dialects/wire/Steering.h"

using namespace mlir;

namespace sluice::raise {

namespace {

class BranchBuilder {
public:
  BranchBuilder(const GraphFacts &facts, const Branch &branch, BuiltBranches &built)
      : facts_(facts), branch_(branch), built_(built), last_(branch.ends.back().user),
        builder_(last_), token_(builder_.getType<flow::TokenType>()),
        switches_{SmallVector<DictionaryAttr>(branch.captures.size()),
                  SmallVector<DictionaryAttr>(branch.captures.size())} {}

  void build() {
    SmallVector<Value> captures;
    for (const Capture &capture : branch_.captures)
      captures.push_back(awaited(capture));
    auto cond =
        flow::CondOp::create(builder_, last_->getLoc(), resultTypes(), branch_.predicate, captures);
    fill(cond.getOnTrue(), true, captures);
    fill(cond.getOnFalse(), false, captures);
    keepWishes(cond);
    replaceResults(cond);
  }

private:
  // What came through a switch on a gated predicate has waited for that.
  Value awaited(const Capture &capture) {
    if (!capture.awaited)
      return capture.value;
    Location location = capture.value.getLoc();
    Value token = flow::AfterOp::create(builder_, location, token_, capture.awaited);
    return flow::GateOp::create(builder_, location, capture.value.getType(), capture.value, token);
  }

  static bool isUsed(const BranchEnd &end) {
    auto merge = dyn_cast<flow::MergeOp>(end.user);
    return !end.isMerge() || !merge.getValue().use_empty();
  }
  static bool isIndexUsed(const BranchEnd &end) {
    return end.isMerge() && !cast<flow::MergeOp>(end.user).getIndex().use_empty();
  }

  SmallVector<Type> resultTypes() {
    SmallVector<Type> types;
    for (const BranchEnd &end : branch_.ends) {
      if (isUsed(end))
        types.push_back(end.isMerge() ? end.user->getResult(0).getType() : token_);
      if (isIndexUsed(end))
        types.push_back(cast<flow::MergeOp>(end.user).getIndex().getType());
    }
    return types;
  }

  void keepWishes(flow::CondOp cond) {
    wire::Steering steering;
    for (auto [onFalse, onTrue] : llvm::zip_equal(switches_[false], switches_[true])) {
      steering.add(wire::kOnFalse, onFalse);
      steering.add(wire::kOnTrue, onTrue);
    }
    for (const BranchEnd &end : branch_.ends)
      for (bool isResult : {isUsed(end), isIndexUsed(end)})
        if (isResult)
          steering.add(wire::kMerges, end.isMerge() ? wire::wishesOf(end.user) : DictionaryAttr());
    steering.attachTo(cond);
  }

  void fill(Region &region, bool way, ValueRange captures) {
    Location location = last_->getLoc();
    Block &block = region.emplaceBlock();
    RegionBuilder inside(block, location);
    for (Value capture : captures)
      block.addArgument(capture.getType(), capture.getLoc());
    inside.resolveWith([&](Value value) { return resolve(inside, block, value, way); });
    SmallVector<Operation *> ops(branch_.inside[way].begin(), branch_.inside[way].end());
    llvm::sort(ops, [&](Operation *a, Operation *b) {
      return facts_.position.at(a) < facts_.position.at(b);
    });
    for (Operation *op : ops)
      inside.copy(op);
    flow::YieldOp::create(inside.builder(), location, results(inside, way));
  }

  // Null for what RegionBuilder knows by itself.
  Value resolve(RegionBuilder &inside, Block &block, Value value, bool way) {
    Capture origin = branch_.originOf(facts_, value, way);
    if (branch_.isInside(facts_, origin.value, !way))
      return absent(inside, block, value, way);
    if (branch_.isDecided(origin, value))
      return inside.constant(value.getType(),
                             DenseElementsAttr::get(cast<RankedTensorType>(value.getType()), way));
    if (BlockArgument argument = argumentFor(block, origin)) {
      DictionaryAttr &wishes = switches_[way][argument.getArgNumber()];
      if (auto op = value.getDefiningOp<flow::SwitchOp>(); op && !wishes)
        wishes = wire::wishesOf(op);
      return argument;
    }
    return origin.value == value ? Value() : inside.get(origin.value);
  }

  BlockArgument argumentFor(Block &block, const Capture &capture) {
    const auto *found = llvm::find(branch_.captures, capture);
    return found == branch_.captures.end() ? BlockArgument()
                                           : block.getArgument(found - branch_.captures.begin());
  }

  // A token of the other way is dead here, which does not matter where it is used. But dead or not,
  // it waits for what its op waits for; an order between effects may depend on that.
  Value absent(RegionBuilder &inside, Block &block, Value token, bool way) {
    SmallVector<Value> tokens;
    for (const Capture &capture : branch_.awaitedBy(facts_, token, !way)) {
      Value argument = argumentFor(block, capture);
      tokens.push_back(argument.getType() == token_ ? argument : inside.after(argument));
    }
    if (tokens.empty())
      return inside.start();
    return flow::TriggerOp::create(inside.builder(), token.getLoc(), token_, tokens);
  }

  SmallVector<Value> results(RegionBuilder &inside, bool way) {
    SmallVector<Value> values;
    for (const BranchEnd &end : branch_.ends) {
      if (isUsed(end))
        values.push_back(inside.get(end.values[way] ? end.values[way] : end.values[!way]));
      if (!isIndexUsed(end))
        continue;
      values.push_back(indexOf(inside, end, way));
    }
    return values;
  }

  // The value knows when the branch is there, and what it has waited for.
  Value indexOf(RegionBuilder &inside, const BranchEnd &end, bool way) {
    Value value = end.values[way];
    int32_t number = cast<flow::MergeOp>(end.user).getValues()[1] == value;
    auto type = RankedTensorType::get({}, inside.builder().getI32Type());
    Value index = inside.constant(type, DenseElementsAttr::get(type, number));
    if (flow::isConstantLike(value))
      return index;
    return flow::GateOp::create(inside.builder(), end.user->getLoc(), type, index,
                                inside.after(inside.get(value)));
  }

  void replaceResults(flow::CondOp cond) {
    unsigned next = 0;
    for (const BranchEnd &end : branch_.ends) {
      Value result = isUsed(end) ? cond.getResult(next++) : Value();
      Value index = isIndexUsed(end) ? cond.getResult(next++) : Value();
      if (end.isMerge())
        replaceMerge(cast<flow::MergeOp>(end.user), result, index);
      else
        end.user->setOperand(end.operand, result);
    }
  }

  // A merge waits for its tokens, but does not care whether they are dead.
  void replaceMerge(flow::MergeOp merge, Value value, Value index) {
    Location location = merge.getLoc();
    auto wait = [&](Value result) -> Value {
      if (!result || merge.getTokens().empty())
        return result;
      Value token = flow::TriggerOp::create(builder_, location, token_, merge.getTokens());
      return flow::GateOp::create(builder_, location, result.getType(), result, token);
    };
    value = wait(value);
    if (value)
      built_.replacements.push_back({merge.getValue(), value});
    if (index)
      built_.replacements.push_back({merge.getIndex(), wait(index)});
  }

  const GraphFacts &facts_;
  const Branch &branch_;
  BuiltBranches &built_;
  Operation *last_; // the last op that takes a result
  OpBuilder builder_;
  Type token_;
  // By way and capture: what the first switch asks for that brings it there; null if none does.
  std::array<SmallVector<DictionaryAttr>, 2> switches_;
};

} // namespace

void buildBranch(const GraphFacts &facts, const Branch &branch, BuiltBranches &built) {
  BranchBuilder(facts, branch, built).build();
  for (const BranchEnd &end : branch.ends)
    built.copied.insert(end.user);
  for (bool way : {true, false})
    built.copied.insert(branch.inside[way].begin(), branch.inside[way].end());
}

static bool isNeeded(Operation *op, const DenseSet<Operation *> &copied) {
  return !op->use_empty() || op->getNumResults() == 0 || isa<flow::FeedOp, flow::ArgumentOp>(op) ||
         (hasEffect(op) && !copied.contains(op));
}

void BuiltBranches::finish() {
  for (auto [from, to] : replacements)
    from.replaceAllUsesWith(to);
  llvm::SetVector<Operation *> open(copied.begin(), copied.end());
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    if (isNeeded(op, copied))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        open.insert(producer);
    op->erase();
  }
}

} // namespace sluice::raise
