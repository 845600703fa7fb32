// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs, results and body of a codelet.
#include "compiler/codegen/CodeletBuilder.h"

#include "compiler/codegen/Eligibility.h"
#include "compiler/codegen/ListCells.h"
#include "compiler/codegen/WholeGraph.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Memory.h"

using namespace mlir;

namespace sluice::codegen {

CodeletBuilder::CodeletBuilder(ArrayRef<Operation *> members, unsigned maxConstantBytes,
                               bool keepUnused)
    : maxConstantBytes_(maxConstantBytes) {
  for (Operation *op : members)
    if (vanishesInCodelet(op))
      plumbing_.insert(op);
    else
      compiled_.insert(op);
  for (Operation *op : llvm::reverse(members)) // users first
    if (vanishesInCodelet(op) &&
        llvm::all_of(op->getUsers(), [&](Operation *user) { return isGone(user); }))
      vanishing_.insert(op);
  findLeaving(keepUnused);
}

void CodeletBuilder::findLeaving(bool keepUnused) {
  auto isInside = [&](Operation *user) { return compiled_.contains(user); };
  auto isOutside = [&](Operation *user) { return !isGone(user); };
  for (Operation *op : compiled_)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), isOutside) ||
          (keepUnused && llvm::none_of(result.getUsers(), isInside)))
        results_.push_back(result);
}

static bool isScalar(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 1;
}

bool CodeletBuilder::isWorthwhile() const {
  if (compiled_.size() > 1)
    return true;
  Operation *op = compiled_.front();
  if (op->getNumRegions() || wire::cardOf(op->getResult(0)))
    return true;
  // The plain kernel of these shares its operand's memory.
  if (op->hasTrait<SameElements>())
    return false;
  return !llvm::all_of(llvm::concat<Value>(op->getOperands(), op->getResults()), isScalar);
}

list::MakeOp madeInside(Value value) {
  auto make = value.getDefiningOp<list::MakeOp>();
  return make && value.hasOneUse() && flow::isConstantLike(make.getSize()) &&
                 canHoldList(value.getType()) && hasCodeForList(make)
             ? make
             : list::MakeOp();
}

// Whether the code is one element function, of floats. With its numbers as inputs all ops of a kind
// have the same code, which is compiled once. Integers may be divided, which constants make simple.
bool CodeletBuilder::isElementFunction() const {
  Operation *op = compiled_.front();
  return compiled_.size() == 1 && op->hasTrait<OfElements>() &&
         llvm::all_of(op->getOperandTypes(), [](Type type) {
           return isa<FloatType>(cast<TensorType>(type).getElementType()) && !wire::cardOf(type);
         });
}

bool CodeletBuilder::isCopied(Value value) const {
  if (isScalar(value) && isElementFunction())
    return false;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!flow::isConstantLike(value) || !type || !type.hasStaticShape() || !canHold(type))
    return false;
  if (wire::cardOf(type)) // what a kernel fills with one number
    return cast<nd::ConstantOp>(value.getDefiningOp()).getValue().isSplat();
  int64_t bits = std::max(8u, type.getElementTypeBitWidth());
  return type.getNumElements() <= int64_t{maxConstantBytes_} * 8 / bits;
}

// The value behind gates inside, whose tokens are waited for.
Value CodeletBuilder::originOf(Value value) {
  for (auto gate = value.getDefiningOp<flow::GateOp>(); gate && plumbing_.contains(gate);
       gate = value.getDefiningOp<flow::GateOp>()) {
    for (Value token : gate.getTokens())
      resolveToken(token);
    value = gate.getValue();
  }
  return value;
}

// What an operand is: something inside, a constant to copy, or an input.
void CodeletBuilder::resolve(Value value) {
  if (origins_.contains(value))
    return;
  Value origin = originOf(value);
  origins_[value] = origin;
  if (compiled_.contains(origin.getDefiningOp()))
    return;
  if (list::MakeOp make = madeInside(origin)) {
    constants_.insert(make.getSize());
    constants_.insert(origin);
    return;
  }
  (isCopied(origin) ? constants_ : inputs_).insert(origin);
}

// A token of something inside says nothing new.
void CodeletBuilder::resolveToken(Value token) {
  SmallVector<Value> open{token};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!resolved_.insert(next).second)
      continue;
    Operation *op = next.getDefiningOp();
    if (plumbing_.contains(op))
      open.append(op->operand_begin(), op->operand_end());
    else if (!compiled_.contains(op) && !flow::isConstantLike(next))
      awaited_.insert(next);
  }
}

// One input waits for what comes from outside without being used, and with it the whole codelet.
SmallVector<Value> CodeletBuilder::makeInputs(OpBuilder &builder) {
  Location location = compiled_.back()->getLoc();
  SmallVector<Value> tokens;
  for (Value value : awaited_)
    if (isa<flow::TokenType>(value.getType()))
      tokens.push_back(value);
    else if (!inputs_.contains(value))
      tokens.push_back(flow::AfterOp::create(builder, location,
                                             flow::TokenType::get(builder.getContext()), value));
  // All operands are constants. One of them waits; the code still has it as a constant, which the
  // op may depend on.
  if (!tokens.empty() && inputs_.empty())
    inputs_.insert(constants_.back());
  SmallVector<Value> operands(inputs_.begin(), inputs_.end());
  if (!tokens.empty())
    operands[0] =
        flow::GateOp::create(builder, location, operands[0].getType(), operands[0], tokens);
  return operands;
}

void CodeletBuilder::makeBody(Block &body, Location location) {
  auto builder = OpBuilder::atBlockEnd(&body);
  IRMapping here;
  for (Value input : inputs_)
    here.map(input, body.addArgument(input.getType(), input.getLoc()));
  for (Value constant : constants_)
    builder.clone(*constant.getDefiningOp(), here);
  for (Operation *op : compiled_) {
    for (Value operand : op->getOperands())
      here.map(operand, here.lookup(origins_.lookup(operand)));
    builder.clone(*op, here);
  }
  SmallVector<Value> yields;
  for (Value result : results_)
    yields.push_back(here.lookup(result));
  flow::YieldOp::create(builder, location, yields);
}

// Without classes of one dim, and with numbers that follow from the codelet alone, so that others
// that compute the same have its text.
static SmallVector<ClassedDim> inOrder(SmallVector<ClassedDim> dims) {
  llvm::MapVector<int64_t, unsigned> sizes;
  for (const ClassedDim &dim : dims)
    ++sizes[dim.number];
  llvm::erase_if(dims, [&](const ClassedDim &dim) { return sizes[dim.number] == 1; });
  DenseMap<int64_t, int64_t> numbers;
  for (ClassedDim &dim : dims)
    dim.number =
        numbers.try_emplace(dim.number, static_cast<int64_t>(numbers.size())).first->second;
  return dims;
}

SmallVector<ClassedDim> CodeletBuilder::sameDimsOfInputs() const {
  SmallVector<ClassedDim> dims;
  for (Operation *op : compiled_)
    for (ClassedDim dim : sameDims(op)) {
      auto input = llvm::find(inputs_, origins_.lookup(op->getOperand(dim.operand)));
      if (input == inputs_.end())
        continue;
      dim.operand = static_cast<unsigned>(input - inputs_.begin());
      dims.push_back(dim);
    }
  return inOrder(std::move(dims));
}

void CodeletBuilder::replaceMembers(flow::CodeletOp codelet) {
  for (auto [result, value] : llvm::zip_equal(results_, codelet.getResults()))
    result.replaceUsesWithIf(value, [&](OpOperand &use) { return !isGone(use.getOwner()); });
  eraseMembers();
  for (Value constant : llvm::reverse(constants_)) // lists before their sizes
    if (constant.use_empty())
      constant.getDefiningOp()->erase();
}

void CodeletBuilder::eraseMembers() {
  SmallVector<Operation *> gone(compiled_.begin(), compiled_.end());
  gone.append(vanishing_.begin(), vanishing_.end());
  for (Operation *op : gone)
    op->dropAllReferences();
  for (Operation *op : gone)
    op->erase();
}

flow::CodeletOp CodeletBuilder::build() {
  for (Operation *op : compiled_)
    for (Value operand : op->getOperands())
      resolve(operand);
  Operation *last = compiled_.back();
  OpBuilder builder(last);
  SmallVector<Value> inputs = makeInputs(builder);
  auto codelet =
      flow::CodeletOp::create(builder, last->getLoc(), TypeRange(ValueRange(results_)), inputs);
  setSameDims(codelet, sameDimsOfInputs());
  makeBody(codelet.getBody().emplaceBlock(), last->getLoc());
  replaceMembers(codelet);
  return codelet;
}

} // namespace sluice::codegen
