// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worklist, and what each kind of op says of its results.
#include "compiler/optimize/RegionTypes.h"

#include "compiler/optimize/Forwarding.h"
#include "compiler/optimize/LooseTypes.h"
#include "compiler/optimize/ShapeFact.h"
#include "dialects/flow/GraphOrder.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::optimize {

// A fact that has changed so often becomes vaguer from then on. Variables of loops within loops
// change a few times, and all that depends on them as often.
static constexpr unsigned kMostChanges = 16;

static bool hasFrames(flow::TokenGraph graph) {
  return llvm::any_of(graph.getBody().getOps(), llvm::IsaPred<flow::EnterOp>);
}

RegionTypes::RegionTypes(flow::TokenGraph graph)
    : names_(graph->getContext(), hasFrames(graph)), lists_(graph, names_) {
  for (Operation *op : flow::operandsFirst(graph))
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      positions_[inner] = static_cast<unsigned>(ops_.size());
      ops_.push_back(inner);
      bool isOpaque = inner->getNumRegions() && !isa<flow::WhileOp, flow::CondOp>(inner);
      return isOpaque ? WalkResult::skip() : WalkResult::advance();
    });
  queued_.resize(ops_.size());
  lists_.findReaders(ops_);
  for (Operation *op : ops_)
    enqueue(op);
  while (!queue_.empty()) { // the first one, so that inner loops settle before what follows
    unsigned position = queue_.top();
    queue_.pop();
    queued_[position] = false;
    visit(ops_[position]);
  }
}

const RegionTypes::Fact *RegionTypes::factOf(Value value) const {
  auto found = facts_.find(value);
  return found == facts_.end() ? nullptr : &found->second.fact;
}

rt::Shape RegionTypes::shapeOf(Value tensorOrList) const {
  if (isa<list::OfType>(tensorOrList.getType()))
    return lists_.shapeOf(tensorOrList);
  const Fact *fact = factOf(tensorOrList);
  return fact ? fact->shape : rt::Shape::unknownRank();
}

unsigned RegionTypes::refine() {
  unsigned refined = 0;
  for (auto &[value, visited] : facts_) {
    Type type =
        tensorTypeOf(cast<TensorType>(value.getType()).getElementType(), visited.fact.shape);
    if (value.getType() == type)
      continue;
    Value(value).setType(type);
    ++refined;
  }
  return refined + lists_.refine();
}

// ---- Facts --------------------------------------------------------------------------------------

void RegionTypes::enqueue(Operation *op) {
  unsigned position = positions_.lookup(op);
  if (!queued_[position])
    queue_.push(position);
  queued_[position] = true;
}

static RegionTypes::Fact joinFacts(const RegionTypes::Fact &a, const RegionTypes::Fact &b) {
  return {joinShapes(a.shape, b.shape), joinElements(a.elements, b.elements)};
}

void RegionTypes::learn(Value value, Fact fact) {
  if (!isa<TensorType>(value.getType()))
    return;
  auto [known, isNew] = facts_.try_emplace(value);
  fact.shape = refineShape(sluice::shapeOf(value.getType()), fact.shape);
  if (!isNew && known->second.changes >= kMostChanges)
    fact = joinFacts(known->second.fact, fact);
  for (int i = 0; i < fact.shape.rank(); ++i)
    if (fact.shape.dim(i) == rt::Shape::kUnknown)
      fact.shape.setDim(i, names_.nameOf(value, static_cast<unsigned>(i)));
  const Fact &before = known->second.fact;
  if (!isNew && before.shape == fact.shape && before.elements == fact.elements)
    return;
  known->second.fact = std::move(fact);
  ++known->second.changes;
  for (Operation *user : value.getUsers())
    enqueue(user);
}

void RegionTypes::learnDeclared(Operation *op) {
  for (Value result : op->getResults())
    learn(result, {sluice::shapeOf(result.getType()), std::nullopt});
}

void RegionTypes::learnJoined(Value value, ArrayRef<Value> sources) {
  std::optional<Fact> joined;
  for (Value source : sources)
    if (const Fact *fact = factOf(source))
      joined = joined ? joinFacts(*joined, *fact) : *fact;
  if (joined)
    learn(value, std::move(*joined));
}

void RegionTypes::learnAll(ValueRange values, ValueRange from) {
  for (auto [value, other] : llvm::zip_equal(values, from))
    learnJoined(value, {other});
}

// ---- Ops ----------------------------------------------------------------------------------------

void RegionTypes::visit(Operation *op) {
  if (auto loop = dyn_cast<flow::WhileOp>(op)) {
    enterLoop(loop);
  } else if (auto branch = dyn_cast<flow::CondOp>(op)) {
    for (Region &region : branch->getRegions())
      learnAll(region.getArguments(), branch.getCaptures());
  } else if (auto condition = dyn_cast<flow::ConditionOp>(op)) {
    auto loop = cast<flow::WhileOp>(op->getParentOp());
    learnAll(loop.getBody().getArguments().take_front(loop.getNumResults()),
             condition.getForwarded());
    learnAll(loop.getResults(), condition.getForwarded());
  } else if (isa<flow::YieldOp>(op)) {
    if (auto loop = dyn_cast<flow::WhileOp>(op->getParentOp()))
      visitVariables(loop);
    else if (auto branch = dyn_cast<flow::CondOp>(op->getParentOp()))
      visitResults(branch);
  } else if (Value forwarded = forwardedOperand(op)) {
    for (Value result : forwardedResults(op))
      learnJoined(result, {forwarded});
  } else if (hidesOperands(op)) {
    learnAll(op->getResults(), op->getOperands().take_front(op->getNumResults()));
  } else if (auto shape = dyn_cast<state::VariableShapeOp>(op)) {
    visitShapeOfVariable(shape);
  } else if (isa_and_nonnull<list::ListDialect>(op->getDialect()) && !op->hasTrait<UsesCell>()) {
    visitList(op);
  } else if (op->hasTrait<Computes>()) {
    visitKernel(op);
  } else {
    learnDeclared(op);
  }
}

// Of lists that keep their length: a number, or a name that is the same all through a call.
int64_t RegionTypes::lengthFrom(Operation *maker) {
  const Fact *fact = factOf(maker->getOperand(0));
  if (!fact)
    return rt::Shape::kUnknown;
  if (isa<list::UnstackOp>(maker)) {
    rt::Shape rows = names_.ofCall(fact->shape);
    return rows.rank() > 0 ? rows.dim(0) : rt::Shape::kUnknown;
  }
  AffineExpr size =
      fact->elements && fact->elements->size() == 1 ? fact->elements->front() : AffineExpr();
  return size && names_.isOfCall(size) ? names_.sizeOf(size) : rt::Shape::kUnknown;
}

void RegionTypes::visitList(Operation *op) {
  std::optional<list::ElementUse> use = list::elementUse(op);
  if (isa<list::MakeOp, list::UnstackOp>(op)) {
    int64_t length = lengthFrom(op);
    auto [known, isNew] = lengths_.try_emplace(op, length);
    if (!isNew && std::exchange(known->second, length) != length)
      for (Operation *reader : lists_.readersOf(op))
        enqueue(reader);
  }
  bool changed = use && isa<TensorType>(use->value.getType()) && !ListElements::isRead(op)
                     ? lists_.write(*use, factOf(use->value))
                     : lists_.declare(op);
  if (changed)
    for (Operation *reader : lists_.readersOf(op))
      enqueue(reader);
  if (!ListElements::isRead(op))
    return visitKernel(op);
  std::optional<Fact> read = lists_.read(op, *use);
  Operation *maker = isa<list::StackOp>(op) ? lists_.makerOf(use->list) : nullptr;
  if (read && maker && read->shape.rank() > 0 && read->shape.dim(0) == rt::Shape::kUnknown)
    if (auto length = lengths_.find(maker); length != lengths_.end())
      read->shape.setDim(0, length->second);
  if (read)
    learn(use->value, std::move(*read));
  for (Value result : op->getResults())
    if (result != use->value)
      learn(result, {sluice::shapeOf(result.getType()), std::nullopt});
}

// What a variable holds has its shape, unless there are assignments that do not see to that.
void RegionTypes::visitShapeOfVariable(state::VariableShapeOp op) {
  learnDeclared(op);
  Type variable = op.getVariable().getType();
  auto ref = dyn_cast<state::RefType>(variable);
  auto type = dyn_cast<RankedTensorType>(ref ? ref.getValue()
                                             : cast<state::ResourceType>(variable).getValue());
  if (!type || !type.hasStaticShape() ||
      findLooseTypes(op->getParentOfType<ModuleOp>()).contains(type))
    return;
  Elements elements;
  for (int64_t size : type.getShape())
    elements.push_back(getAffineConstantExpr(size, op->getContext()));
  learn(op.getResult(), {rt::Shape{type.getRank()}, std::move(elements)});
}

void RegionTypes::visitVariables(flow::WhileOp loop) {
  Block &before = loop.getBefore().front();
  Operation *yield = loop.getBody().front().getTerminator();
  for (auto [argument, init, next] :
       llvm::zip(before.getArguments(), loop.getInits(), yield->getOperands()))
    learnJoined(argument, {init, next});
}

void RegionTypes::visitResults(flow::CondOp branch) {
  Operation *onTrue = branch.getOnTrue().front().getTerminator();
  Operation *onFalse = branch.getOnFalse().front().getTerminator();
  for (auto [result, one, other] :
       llvm::zip_equal(branch.getResults(), onTrue->getOperands(), onFalse->getOperands()))
    learnJoined(result, {one, other});
}

void RegionTypes::enterLoop(flow::WhileOp loop) {
  size_t inits = loop.getInits().size(), results = loop.getNumResults();
  visitVariables(loop);
  learnAll(loop.getBefore().getArguments().drop_front(inits), loop.getCaptures());
  learnAll(loop.getBody().getArguments().drop_front(results), loop.getCaptures());
}

// Forgets names; whether there were any.
static bool forget(ArrayRef<int64_t> names, std::vector<rt::Shape> &shapes) {
  bool found = false;
  for (rt::Shape &shape : shapes)
    for (int i = 0; i < shape.rank(); ++i)
      if (shape.dim(i) < rt::Shape::kUnknown && llvm::is_contained(names, shape.dim(i))) {
        shape.setDim(i, rt::Shape::kUnknown);
        found = true;
      }
  return found;
}

// The answer of the op's own rule. One that holds only where dims are equal that are not known to
// be is asked for again without their names, and then without any.
static rt::Result<std::vector<rt::Shape>>
askRule(Operation *op, std::vector<rt::Shape> shapes, const TensorPointers &values, DimNames &names,
        llvm::SetVector<std::pair<int64_t, int64_t>> &doubts) {
  auto ask = [&](rt::Sizes sizes) {
    std::vector<const rt::Shape *> inputs;
    for (const rt::Shape &shape : shapes)
      inputs.push_back(&shape);
    return evaluateShapes(op, inputs, values, sizes);
  };
  constexpr int kMostQuestions = 3;
  (void)names.takeDoubted();
  for (int i = 0; isa<CodeOp>(op) && i < kMostQuestions; ++i) {
    auto results = ask(rt::Sizes(&names));
    SmallVector<int64_t> doubted = names.takeDoubted();
    if (doubted.empty() && results.ok())
      return results;
    for (size_t pair = 0; pair + 1 < doubted.size(); pair += 2)
      if (doubted[pair] < 0 && doubted[pair + 1] < 0)
        doubts.insert({doubted[pair], doubted[pair + 1]});
    if (!forget(doubted, shapes))
      break;
  }
  for (rt::Shape &shape : shapes)
    shape = withoutNames(shape);
  return ask({});
}

// By the op's own rule, with what is known of its operands.
void RegionTypes::visitKernel(Operation *op) {
  static const Fact kNoTensor{};
  auto factFor = [&](Value value) {
    return isa<TensorType>(value.getType()) ? factOf(value) : &kNoTensor;
  };
  std::vector<rt::Shape> shapes;
  for (Value operand : op->getOperands()) {
    const Fact *fact = factFor(operand);
    if (!fact)
      return;
    shapes.push_back(fact->shape);
  }
  ElementRules rules(op, factFor, names_);
  llvm::SetVector<std::pair<int64_t, int64_t>> doubts;
  auto results = askRule(op, std::move(shapes), rules.values(), names_, doubts);
  if (op->getParentOfType<flow::WhileOp>())
    doubted_.insert_range(doubts);
  if (!results.ok()) // fails if it runs
    return learnDeclared(op);
  if (!results->empty())
    results->front() = rules.refine(results->front());
  SmallVector<Fact> facts;
  for (auto [result, shape] : llvm::zip_equal(kernelOutputs(op), *results)) {
    rt::Shape known = refineShape(sluice::shapeOf(result.getType()), shape);
    std::optional<Elements> elements = rules.elementsOf(cast<OpResult>(result), known);
    if (elements && known.rank() != 0)
      known = refineShape(known, {static_cast<int64_t>(elements->size())});
    facts.push_back({std::move(known), std::move(elements)});
  }
  for (auto [result, fact] : llvm::zip_equal(kernelOutputs(op), facts))
    learn(result, std::move(fact));
}

} // namespace sluice::optimize
