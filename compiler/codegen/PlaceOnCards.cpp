// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-place-on-cards: which values of a rank lie in the memory of its card, and the copies.
//
// Values travel from one memory to the other where an op needs them there. What a card has code for
// is on the card, but for single numbers and the few integers of shapes, which the host needs,
// unless they follow from what is on the card. What only hands values on leaves them where they
// are; loops carry what any iteration puts there.
#include "compiler/codegen/CardWork.h"
#include "compiler/codegen/CompileCodelets.h"
#include "compiler/codegen/HandsOn.h"
#include "compiler/codegen/Passes.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/gpu/HostChecks.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/flow/GraphOrder.h"
#include "dialects/interfaces/Faces.h"
#include "dialects/list/ListClasses.h"
#include "dialects/nd/Nd.h"
#include "dialects/state/State.h"
#include "dialects/wire/Memory.h"
#include "dialects/wire/Wire.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace sluice::codegen {
#define GEN_PASS_DEF_CODEGENPLACEONCARDS
#include "compiler/codegen/Passes.h.inc"

namespace {

constexpr unsigned kCard = 0;

// Lists that are stacks and no more, so that nothing looks into their elements.
class Stacks {
public:
  explicit Stacks(flow::GraphOp graph)
      : classes_(graph), others_(classes_.size()), pops_(classes_.size()), lists_(classes_.size()) {
    for (Value value : classes_.lists()) {
      unsigned number = classes_.classOf(value);
      lists_[number].push_back(value);
      Operation *op = value.getDefiningOp();
      if (!op || !isOfStack(op, value) || classes_.isOpen(number))
        others_.set(number);
      for (OpOperand &use : value.getUses()) {
        if (!isOfStack(use.getOwner(), value))
          others_.set(number);
        if (auto pop = dyn_cast<list::PopOp>(use.getOwner()))
          pops_[number].push_back(pop);
      }
    }
  }

  // The number of the stack that the op pushes onto, if it is one that may hold what is on a card.
  std::optional<unsigned> of(Operation *op) const {
    auto push = dyn_cast<list::PushOp>(op);
    std::optional<unsigned> number = push ? classes_.findClass(push.getList()) : std::nullopt;
    return number && !others_.test(*number) ? number : std::nullopt;
  }
  ArrayRef<list::PopOp> pops(unsigned number) const { return pops_[number]; }
  ArrayRef<Value> lists(unsigned number) const { return lists_[number]; }

private:
  static bool isOfStack(Operation *op, Value list) {
    if (auto push = dyn_cast<list::PushOp>(op))
      return push.getValue() != list && isa<RankedTensorType>(push.getValue().getType());
    if (auto pop = dyn_cast<list::PopOp>(op))
      return pop.getValue() != list && isa<RankedTensorType>(pop.getValue().getType());
    return isa<list::MakeOp, list::DeclareLimitOp, flow::AfterOp>(op) || handsOn(op);
  }

  list::ListClasses classes_;
  llvm::BitVector others_; // that are no stacks
  SmallVector<SmallVector<list::PopOp>> pops_;
  SmallVector<SmallVector<Value>> lists_;
};

class GraphPlacer {
public:
  GraphPlacer(flow::GraphOp graph, CardLots &lots) : graph_(graph), stacks_(graph), lots_(lots) {}

  void run() {
    dropCopies();
    partRandomNumbers();
    for (Operation *op : flow::operandsFirst(graph_)) {
      order_.push_back(op);
      if (auto codelet = dyn_cast<flow::CodeletOp>(op)) // a loop that is there already
        for (Value result : codelet.getResults())
          if (wire::cardOf(result))
            onCard_.insert(result);
      if (auto read = dyn_cast<state::ReadOp>(op);
          read && wire::cardOf(state::heldBy(read.getVariable())))
        onCard_.insert(read.getValue()); // codegen-place-variables has put it there
      if (canRunOnCard(op) && canBeChecked(op)) {
        eligible_[op] = *cardOperands(op);
        if (lots_.areDrawn() && lots_.next())
          drawn_.insert(op);
      }
      // Values of unknown rank cannot be copied to where the others are.
      if (handsOn(op) && llvm::all_of(handedOn(op).getTypes(), llvm::IsaPred<RankedTensorType>))
        passing_.insert(op);
    }
    place();
    for (Value value : onCard_)
      value.setType(wire::onCard(cast<RankedTensorType>(value.getType()), kCard));
    for (unsigned number : stacksOnCard_)
      for (Value stack : stacks_.lists(number))
        stack.setType(holdingCards(stack.getType()));
    for (Operation *op : ops_)
      addCheck(op);
    for (Operation *op : order_)
      copyOperands(op);
    for (auto &[value, other] : llvm::reverse(copies_)) // in one memory only
      if (value.use_empty() &&
          isa<flow::EnterOp, flow::NextIterationOp, flow::GateOp, nd::ConstantOp>(
              value.getDefiningOp()))
        value.getDefiningOp()->erase();
  }

  unsigned numOps() const { return ops_.size(); }
  unsigned numCopies() const { return numCopies_; }

private:
  bool isOnCard(Value value) const { return onCard_.contains(value); }
  bool put(Value value) { return isa<RankedTensorType>(value.getType()) && onCard_.insert(value); }

  bool wantsCard(Operation *op) const {
    if (lots_.areDrawn())
      return drawn_.contains(op);
    auto operands = eligible_.find(op);
    return operands != eligible_.end() &&
           (!isForHost(op, operands->second) || llvm::any_of(operands->second, [&](unsigned i) {
             return isOnCard(op->getOperand(i));
           }));
  }

  static Type holdingCards(Type type) {
    auto list = dyn_cast<list::OfType>(type);
    auto element = list ? dyn_cast<RankedTensorType>(list.getElement()) : nullptr;
    return element ? list::OfType::get(type.getContext(), wire::onCard(element, kCard)) : type;
  }

  // The results that go to the card with what is pushed.
  SmallVector<Value> poppedWith(Operation *push) {
    std::optional<unsigned> stack = stacks_.of(push);
    if (!stack || !isOnCard(cast<list::PushOp>(push).getValue()) || !stacksOnCard_.insert(*stack))
      return {};
    return llvm::map_to_vector(stacks_.pops(*stack),
                               [](list::PopOp pop) { return Value(pop.getValue()); });
  }

  // What is on the card stays there, so each value is put there once, and its users are looked at.
  void place() {
    SmallVector<Operation *> open(llvm::reverse(order_));
    while (!open.empty()) {
      Operation *op = open.pop_back_val();
      SmallVector<Value> results = poppedWith(op);
      if (!ops_.contains(op) && wantsCard(op)) {
        ops_.insert(op);
        llvm::append_range(results, op->getResults());
      } else if (passing_.contains(op) && !isOnCard(op->getResult(0)) &&
                 llvm::any_of(handedOn(op), [&](Value value) { return isOnCard(value); })) {
        llvm::append_range(results, receiving(op));
      }
      for (Value result : results)
        if (put(result))
          open.append(result.user_begin(), result.user_end());
    }
  }

  // Copies around a loop that is on the card already. Whether there have to be any is decided with
  // all else.
  void dropCopies() {
    for (auto copy : llvm::make_early_inc_range(graph_.getBody().getOps<wire::CopyOp>())) {
      copy.getResult().replaceAllUsesWith(copy.getValue());
      copy.erase();
    }
  }

  // ---- Checks -----------------------------------------------------------------------------------

  // A check of constants would be of no frame.
  static bool canBeChecked(Operation *op) {
    return !checkedByHost(op) || !llvm::all_of(op->getOperands(), flow::isConstantLike);
  }

  // The host looks at indices and divisors, which a card could only pass over. Wherever they are
  // computed, it does so while the card goes on.
  void addCheck(Operation *op) {
    Value checked = checkedByHost(op);
    if (!checked)
      return;
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    if (wire::cardOf(checked))
      checked = inOtherMemory(toldByCard(b, op));
    b.setInsertionPointAfter(op);
    createHostCheck(b, op, checked);
  }

  // Random numbers by their position, which the host counts, and what makes numbers of it, which a
  // card can do.
  void partRandomNumbers() {
    for (auto whole :
         llvm::make_early_inc_range(graph_.getBody().getOps<state::RandomUniformOp>())) {
      auto type = dyn_cast<RankedTensorType>(whole.getResult().getType());
      if (!type || !type.hasStaticShape() || isFewNumbers(type))
        continue;
      OpBuilder b(whole);
      auto three = RankedTensorType::get({3}, b.getI64Type());
      auto position = state::RandomPositionOp::create(
          b, whole.getLoc(), TypeRange{three, whole.getDone().getType()}, whole.getShape(),
          whole.getGeneratorAttr(), whole.getSeedAttr(), whole.getSeed2Attr(), whole.getAfter());
      auto numbers = nd::RandomUniformOp::create(b, whole.getLoc(), type, position.getPosition(),
                                                 whole.getShape());
      if (isForHost(numbers, {}) && !lots_.areDrawn()) {
        numbers.erase();
        position.erase();
        continue;
      }
      whole.replaceAllUsesWith(ValueRange{numbers, position.getDone()});
      whole.erase();
    }
  }

  // ---- Copies -----------------------------------------------------------------------------------

  // Elements that nobody looks at may be anywhere.
  bool isOnlyAwaited(OpOperand &operand) const {
    Operation *op = operand.getOwner();
    if (isa<nd::MatchShapeOp>(op) && ops_.contains(op))
      return operand.getOperandNumber() > 0;
    return isa<flow::AfterOp>(op) || op->hasTrait<AsksShape>() ||
           (isa<state::ReadOp>(op) && operand.getOperandNumber() > 0);
  }

  void copyOperands(Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()) || isOnlyAwaited(operand))
        continue;
      auto codelet = dyn_cast<flow::CodeletOp>(op);
      bool needsCard =
          codelet
              ? wire::cardOf(codelet.getBody().getArgument(operand.getOperandNumber())).has_value()
          : ops_.contains(op) ? needsOnCard(operand)
                              : staysOnCard(operand);
      if (needsCard != wire::cardOf(operand.get()).has_value())
        operand.set(inOtherMemory(operand.get()));
    }
  }

  // Whether the value is handed on, pushed or assigned to where others on the card are.
  bool staysOnCard(OpOperand &operand) {
    Operation *op = operand.getOwner();
    if (std::optional<unsigned> stack = stacks_.of(op))
      return stacksOnCard_.contains(*stack);
    if (auto assign = dyn_cast<state::AssignOp>(op))
      return wire::cardOf(state::heldBy(assign.getVariable())).has_value();
    return isHandedOn(operand) && wire::cardOf(op->getResult(0)).has_value();
  }

  // Numbers of the host are parameters of kernels.
  bool needsOnCard(OpOperand &operand) {
    if (!llvm::is_contained(eligible_[operand.getOwner()], operand.getOperandNumber()))
      return false;
    auto type = cast<RankedTensorType>(operand.get().getType());
    return wire::cardOf(type) || !type.hasStaticShape() || type.getNumElements() != 1;
  }

  Value inOtherMemory(Value value) {
    if (Value known = copies_.lookup(value))
      return known;
    auto type = cast<RankedTensorType>(value.getType());
    RankedTensorType target = wire::cardOf(type) ? wire::onHost(type) : wire::onCard(type, kCard);
    OpBuilder b(graph_.getContext());
    b.setInsertionPointAfterValue(value);
    if (Operation *op = value.getDefiningOp();
        isa<flow::EnterOp, flow::NextIterationOp, flow::GateOp>(op)) {
      // Once, in front of the loop, whatever is waited for in it; between iterations nothing but a
      // merge may stand.
      Operation *other = b.clone(*op);
      Value before = inOtherMemory(op->getOperand(0));
      other->setOperand(0, before);
      other->getResult(0).setType(before.getType());
      return copies_[value] = other->getResult(0);
    }
    Value &other = copies_[value];
    other = wire::cardOf(target) ? inMemoryOfCard(b, value, kCard)
                                 : Value(wire::CopyOp::create(b, value.getLoc(), target, value));
    numCopies_ += isa<wire::CopyOp>(other.getDefiningOp());
    return other;
  }

  flow::GraphOp graph_;
  Stacks stacks_;
  CardLots &lots_;
  DenseSet<Operation *> drawn_; // for the card, if there are lots
  llvm::SmallSetVector<unsigned, 8> stacksOnCard_;
  SmallVector<Operation *> order_;
  DenseMap<Operation *, SmallVector<unsigned>> eligible_; // with the operands of cardOperands
  DenseSet<Operation *> passing_;                         // that may hand on what is on the card
  llvm::SetVector<Value> onCard_;
  llvm::SetVector<Operation *> ops_; // that run on the card
  llvm::MapVector<Value, Value> copies_;
  unsigned numCopies_ = 0;
};

struct PlaceOnCards : impl::CodegenPlaceOnCardsBase<PlaceOnCards> {
  // To see what code an element has, it is written.
  void getDependentDialects(DialectRegistry &registry) const override {
    registerCodegenDialects(registry);
    registry.insert<state::StateDialect, wire::WireDialect>();
  }
  void runOnOperation() override {
    visitProgramsWithCard(getOperation(), [&](ModuleOp program) { place(program); });
  }

  void place(ModuleOp program) {
    CardLots lots(program);
    for (auto graph : program.getOps<flow::GraphOp>()) {
      GraphPlacer placer(graph, lots);
      placer.run();
      numOps += placer.numOps();
      numCopies += placer.numCopies();
    }
  }
};

} // namespace
} // namespace sluice::codegen
