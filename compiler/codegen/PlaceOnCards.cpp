// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-place-on-cards: which values of a rank lie in the memory of its cards, and the copies.
//
// Values travel from one memory to the other where an op needs them there. What a card has code for
// is on the card, but for single numbers and the few integers of shapes, which the host needs,
// unless they follow from what is on the card. What only hands values on leaves them where they
// are; loops carry what any iteration puts there. Of several cards an op has the one that its node
// asks for, else that of its operands, else that of who uses it.
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

// A card; nothing is the host.
using Place = std::optional<unsigned>;

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
  GraphPlacer(flow::GraphOp graph, CardLots &lots, const CardWishes &wishes)
      : graph_(graph), stacks_(graph), lots_(lots), wishes_(wishes) {}

  void run() {
    dropCopies();
    partRandomNumbers();
    for (Operation *op : flow::operandsFirst(graph_)) {
      order_.push_back(op);
      if (auto codelet = dyn_cast<flow::CodeletOp>(op)) // a loop that is there already
        for (Value result : codelet.getResults())
          if (Place card = wire::cardOf(result))
            put(result, *card);
      if (auto read = dyn_cast<state::ReadOp>(op))
        if (Place card = wire::cardOf(state::heldBy(read.getVariable())))
          put(read.getValue(), *card); // codegen-place-variables has put it there
      if (canRunOnCard(op) && canBeChecked(op)) {
        eligible_[op] = *cardOperands(op);
        if (lots_.areDrawn())
          drawn_[op] = lots_.next();
      }
      // Values of unknown rank cannot be copied to where the others are.
      if (handsOn(op) && llvm::all_of(handedOn(op).getTypes(), llvm::IsaPred<RankedTensorType>))
        passing_.insert(op);
    }
    findCardsOfUsers();
    place();
    for (auto [value, card] : onCard_)
      value.setType(wire::onCard(cast<RankedTensorType>(value.getType()), card));
    for (auto [number, card] : stacksOnCard_)
      for (Value stack : stacks_.lists(number))
        stack.setType(holdingCards(stack.getType(), card));
    for (auto [op, card] : ops_)
      addCheck(op);
    for (Operation *op : order_)
      copyOperands(op);
    dropUnused();
  }

  unsigned numOps() const { return ops_.size(); }
  unsigned numCopies() const { return numCopies_; }

private:
  Place cardOf(Value value) const {
    auto known = onCard_.find(value);
    return known == onCard_.end() ? Place() : Place(known->second);
  }
  bool put(Value value, unsigned card) {
    return isa<RankedTensorType>(value.getType()) && onCard_.insert({value, card}).second;
  }

  // The first of these values that is on one.
  template <typename Values> Place firstCardOf(Values values) const {
    for (Value value : values)
      if (Place card = cardOf(value))
        return card;
    return std::nullopt;
  }

  Place wantedCard(Operation *op) const {
    if (lots_.areDrawn())
      return drawn_.lookup(op);
    auto operands = eligible_.find(op);
    std::optional<int64_t> wish = wishes_.of(op);
    if (operands == eligible_.end() || wish == CardWishes::kHost)
      return std::nullopt;
    Place near = firstCardOf(
        llvm::map_range(operands->second, [&](unsigned i) { return op->getOperand(i); }));
    bool isForCard =
        near || !(wish ? isForHostAnyhow(op, operands->second) : isForHost(op, operands->second));
    if (!isForCard)
      return std::nullopt;
    if (wish && *wish >= 0)
      return static_cast<unsigned>(*wish);
    return near ? near : Place(ofUsers_.lookup(op).value_or(0));
  }

  // For ops whose nodes ask for nothing, and whose operands are on no card: that of the first user
  // that asks for one, so that values travel late.
  void findCardsOfUsers() {
    for (Operation *op : llvm::reverse(order_)) {
      if (std::optional<int64_t> wish = wishes_.of(op); wish && *wish >= 0) {
        ofUsers_[op] = static_cast<unsigned>(*wish);
        continue;
      }
      for (Operation *user : op->getUsers())
        if (Place card = ofUsers_.lookup(user)) {
          ofUsers_[op] = card;
          break;
        }
    }
  }

  static Type holdingCards(Type type, unsigned card) {
    auto list = dyn_cast<list::OfType>(type);
    auto element = list ? dyn_cast<RankedTensorType>(list.getElement()) : nullptr;
    return element ? list::OfType::get(type.getContext(), wire::onCard(element, card)) : type;
  }

  // The results that go to a card with what is pushed first.
  SmallVector<Value> poppedWith(Operation *push, Place &card) {
    std::optional<unsigned> stack = stacks_.of(push);
    Place pushed = stack ? cardOf(cast<list::PushOp>(push).getValue()) : Place();
    if (!pushed || !stacksOnCard_.insert({*stack, *pushed}).second)
      return {};
    card = pushed;
    return llvm::map_to_vector(stacks_.pops(*stack),
                               [](list::PopOp pop) { return Value(pop.getValue()); });
  }

  // What is on the card stays there, so each value is put there once, and its users are looked at.
  void place() {
    SmallVector<Operation *> open(llvm::reverse(order_));
    while (!open.empty()) {
      Operation *op = open.pop_back_val();
      Place card;
      SmallVector<Value> results = poppedWith(op, card);
      if (Place wanted = ops_.contains(op) ? Place() : wantedCard(op)) {
        ops_.insert({op, *(card = wanted)});
        llvm::append_range(results, op->getResults());
      } else if (passing_.contains(op) && !cardOf(op->getResult(0))) {
        if (Place handed = firstCardOf(handedOn(op))) {
          card = handed;
          llvm::append_range(results, receiving(op));
        }
      }
      for (Value result : results)
        if (put(result, *card))
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
      checked = inMemory(toldByCard(b, op), Place());
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
      Place needed = codelet
                         ? wire::cardOf(codelet.getBody().getArgument(operand.getOperandNumber()))
                     : ops_.contains(op) ? neededOn(operand)
                                         : whereOthersAre(operand);
      if (needed != wire::cardOf(operand.get()))
        operand.set(inMemory(operand.get(), needed));
    }
  }

  // What is handed on, pushed or assigned goes to where others on the card are.
  Place whereOthersAre(OpOperand &operand) {
    Operation *op = operand.getOwner();
    if (std::optional<unsigned> stack = stacks_.of(op)) {
      auto known = stacksOnCard_.find(*stack);
      return known == stacksOnCard_.end() ? Place() : Place(known->second);
    }
    if (auto assign = dyn_cast<state::AssignOp>(op))
      return wire::cardOf(state::heldBy(assign.getVariable()));
    return isHandedOn(operand) ? wire::cardOf(op->getResult(0)) : Place();
  }

  // Numbers of the host are parameters of kernels.
  Place neededOn(OpOperand &operand) {
    Operation *op = operand.getOwner();
    if (!llvm::is_contained(eligible_[op], operand.getOperandNumber()))
      return std::nullopt;
    auto type = cast<RankedTensorType>(operand.get().getType());
    bool isNumber = !wire::cardOf(type) && type.hasStaticShape() && type.getNumElements() == 1;
    return isNumber ? Place() : Place(ops_.lookup(op));
  }

  Value inMemory(Value value, Place place) {
    std::pair<Value, int64_t> key(value, place ? static_cast<int64_t>(*place) : -1);
    if (Value known = copies_.lookup(key))
      return known;
    auto type = cast<RankedTensorType>(value.getType());
    OpBuilder b(graph_.getContext());
    b.setInsertionPointAfterValue(value);
    if (Operation *op = value.getDefiningOp();
        isa<flow::EnterOp, flow::NextIterationOp, flow::GateOp>(op)) {
      // Once, in front of the loop, whatever is waited for in it; between iterations nothing but a
      // merge may stand.
      Operation *other = b.clone(*op);
      Value operand = op->getOperand(0);
      Value before = wire::cardOf(operand) == place ? operand : inMemory(operand, place);
      other->setOperand(0, before);
      other->getResult(0).setType(before.getType());
      return copies_[key] = other->getResult(0);
    }
    Value &other = copies_[key];
    other = place ? inMemoryOfCard(b, value, *place)
                  : Value(wire::CopyOp::create(b, value.getLoc(), wire::onHost(type), value));
    numCopies_ += isa<wire::CopyOp>(other.getDefiningOp());
    return other;
  }

  // What is needed in other memories only.
  void dropUnused() {
    DenseSet<Value> dropped;
    for (auto &[key, other] : llvm::reverse(copies_)) {
      Value value = key.first;
      if (!dropped.contains(value) && value.use_empty() &&
          isa<flow::EnterOp, flow::NextIterationOp, flow::GateOp, nd::ConstantOp>(
              value.getDefiningOp())) {
        dropped.insert(value);
        value.getDefiningOp()->erase();
      }
    }
  }

  flow::GraphOp graph_;
  Stacks stacks_;
  CardLots &lots_;
  const CardWishes &wishes_;
  DenseMap<Operation *, Place> drawn_; // if there are lots
  DenseMap<Operation *, Place> ofUsers_;
  llvm::MapVector<unsigned, unsigned> stacksOnCard_;
  SmallVector<Operation *> order_;
  DenseMap<Operation *, SmallVector<unsigned>> eligible_; // with the operands of cardOperands
  DenseSet<Operation *> passing_;                         // that may hand on what is on the card
  llvm::MapVector<Value, unsigned> onCard_;
  llvm::MapVector<Operation *, unsigned> ops_; // that run on a card
  // Of a value on a card, or in the host's memory, which is -1.
  llvm::MapVector<std::pair<Value, int64_t>, Value> copies_;
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
    CardWishes wishes(program);
    for (auto graph : program.getOps<flow::GraphOp>()) {
      GraphPlacer placer(graph, lots, wishes);
      placer.run();
      numOps += placer.numOps();
      numCopies += placer.numCopies();
    }
  }
};

} // namespace
} // namespace sluice::codegen
