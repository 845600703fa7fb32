// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recording, and the way back.
#include "compiler/interpret/tape/Tape.h"

#include "dialects/state/State.h"
#include "runtime/state/handle.h"
#include "runtime/state/variable.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace sluice::interpret {

rt::Result<Tensors> Step::run(const Tensors &others) const {
  std::vector<const rt::Tensor *> pointers;
  for (const rt::Tensor &tensor : others)
    pointers.push_back(&tensor);
  rt::Environment none;
  return kernel->run(pointers, none);
}

bool isStep(StringRef name) {
  static const llvm::StringSet<> steps = {"nd.floor",  "nd.ceil",       "nd.round",
                                          "nd.sign",   "nd.floor_div",  "nd.stop_gradient",
                                          "list.make", "list.map_make", "list.zeros_like"};
  return steps.contains(name);
}

Rule findRule(StringRef name) {
  for (auto find : {findElementwiseRule, findReductionRule, findMovingRule, findMatmulRule})
    if (Rule rule = find(name))
      return rule;
  return nullptr;
}

uint64_t Tape::record(Operation *op, const KernelCall *kernel, const std::vector<TapeValue> &inputs,
                      const Tensors &outputs) {
  Entry &entry = entries_.emplace_back(Entry{op, kernel, {}, outputs, {}, next_});
  for (const TapeValue &input : inputs) {
    entry.inputs.push_back(input.value);
    entry.inputNumbers.push_back(input.number);
  }
  next_ += outputs.size();
  return entry.firstOutput;
}

static bool isVariable(const rt::Tensor &value) {
  return value.dtype() == rt::DType::kHandle &&
         value.object()->kind() == rt::Object::Kind::kVariable;
}

static bool isComplex(const rt::Tensor &value) {
  return value.dtype() == rt::DType::kC64 || value.dtype() == rt::DType::kC128;
}

// Forwards: what depends on an x. Through arrays and stacks that are objects anything may pass.
void Tape::spread(const Entry &entry, Walk &walk) const {
  StringRef name = entry.op->getName().getStringRef();
  if (isStep(name))
    return;
  bool varies = llvm::any_of(entry.inputNumbers, [&](uint64_t n) { return walk.varies[n]; });
  if (isa<state::ReadOp>(entry.op))
    varies = llvm::is_contained(walk.variables, entry.inputs[0].object());
  if (name.starts_with("array."))
    varies = walk.reachesArrays |= varies;
  for (size_t i = 0; i < entry.outputs.size(); ++i)
    if (uint64_t number = entry.firstOutput + i; varies && !walk.stops.contains(number))
      walk.varies[number] = isContinuous(entry.outputs[i]) || isComplex(entry.outputs[i]);
}

rt::Status Tape::add(uint64_t number, const Numbers &numbers, Walk &walk) {
  Numbers &sum = walk.found[number];
  if (sum.empty())
    sum.resize(numbers.size());
  if (sum.size() != numbers.size())
    return rt::internalError("derivatives of one value differ in size");
  for (size_t i = 0; i < numbers.size(); ++i)
    sum[i] += numbers[i];
  return rt::okStatus();
}

static Rule ruleFor(Operation *op) {
  if (isa<flow::KnownAsOp, flow::CompositeOp>(op))
    return findNamedRule(op->getAttrOfType<StringAttr>("name"));
  return findRule(op->getName().getStringRef());
}

rt::Status Tape::goBack(const Entry &entry, Walk &walk) const {
  Step step{entry.op, entry.kernel, entry.inputs, entry.outputs, {}, {}, {}};
  bool isNeeded = false;
  for (size_t i = 0; i < entry.outputs.size(); ++i) {
    auto found = walk.found.find(entry.firstOutput + i);
    bool passes = found != walk.found.end() && !walk.stops.contains(entry.firstOutput + i);
    isNeeded |= passes;
    size_t count = 0;
    if (isContinuous(entry.outputs[i])) {
      SLUICE_ASSIGN_OR_RETURN(count, countNumbers(entry.outputs[i]));
    }
    step.ofOutputs.push_back(passes ? found->second : Numbers(count));
  }
  for (uint64_t number : entry.inputNumbers)
    step.wanted.push_back(walk.varies[number]);
  if (!isNeeded || !llvm::is_contained(step.wanted, true) || isa<state::ReadOp>(entry.op))
    return rt::okStatus();
  step.ofInputs.resize(entry.inputs.size());
  Rule rule = ruleFor(entry.op);
  bool isOfReals =
      llvm::none_of(entry.inputs, isComplex) && llvm::none_of(entry.outputs, isComplex);
  if (!rule || !isOfReals)
    return rt::unimplemented("the interpreter has no derivative of " +
                             entry.op->getName().getStringRef().str() +
                             (isOfReals ? "" : " with complex numbers") +
                             " of its own; --interpret=differentiate asks the compiler for it");
  SLUICE_RETURN_IF_ERROR(rule(step));
  for (size_t i = 0; i < step.wanted.size(); ++i)
    if (step.wanted[i] && !step.ofInputs[i].empty())
      SLUICE_RETURN_IF_ERROR(add(entry.inputNumbers[i], step.ofInputs[i], walk));
  return rt::okStatus();
}

// Of a variable: of all that was read of it.
rt::Result<rt::Tensor> Tape::derivativeOf(const TapeValue &x, const Walk &walk) const {
  if (!isVariable(x.value)) {
    auto found = walk.found.find(x.number);
    auto count = static_cast<size_t>(x.value.elements());
    return withNumbers(x.value.dtype(), x.value.shape(),
                       found == walk.found.end() ? Numbers(count) : found->second);
  }
  SLUICE_ASSIGN_OR_RETURN(rt::Variable * variable, rt::objectOf<rt::Variable>(x.value));
  rt::Tensor like = variable->value;
  Numbers sum;
  for (const Entry &entry : entries_) {
    auto found = walk.found.find(entry.firstOutput);
    if (!isa<state::ReadOp>(entry.op) || entry.inputs[0].object() != x.value.object())
      continue;
    like = entry.outputs[0];
    sum.resize(static_cast<size_t>(like.elements()));
    for (size_t i = 0; found != walk.found.end() && i < sum.size(); ++i)
      sum[i] += found->second[i];
  }
  sum.resize(static_cast<size_t>(like.elements()));
  return withNumbers(like.dtype(), like.shape(), sum);
}

rt::Result<Tensors> Tape::answer(flow::GradientOp request,
                                 const std::vector<TapeValue> &operands) const {
  std::span<const TapeValue> rest = operands;
  auto take = [&](OperandRange segment) {
    auto taken = rest.first(segment.size());
    rest = rest.subspan(segment.size());
    return taken;
  };
  auto ys = take(request.getYs()), seeds = take(request.getSeeds()), xs = take(request.getXs());
  Walk walk;
  walk.varies.resize(next_);
  for (const TapeValue &stop : rest)
    walk.stops.insert(stop.number);
  for (const TapeValue &x : xs) {
    if (isVariable(x.value))
      walk.variables.push_back(x.value.object());
    else
      walk.varies[x.number] = x.number != 0;
  }
  for (const Entry &entry : entries_)
    spread(entry, walk);
  for (size_t i = 0; i < ys.size(); ++i) {
    if (!walk.varies[ys[i].number])
      continue;
    SLUICE_ASSIGN_OR_RETURN(size_t count, countNumbers(ys[i].value));
    Numbers seed(count, 1);
    if (!seeds.empty()) {
      SLUICE_ASSIGN_OR_RETURN(seed, numbersOf(seeds[i].value));
    }
    if (seed.size() > count) // of a list: the derivative of a push takes the last element
      seed.erase(seed.begin(), seed.end() - static_cast<ptrdiff_t>(count));
    SLUICE_RETURN_IF_ERROR(add(ys[i].number, seed, walk));
  }
  for (const Entry &entry : llvm::reverse(entries_))
    if (rt::Status status = goBack(entry, walk); !status.ok())
      return std::move(status).atNode(nodeName(entry.op));
  Tensors results;
  for (const TapeValue &x : xs) {
    SLUICE_ASSIGN_OR_RETURN(results.emplace_back(), derivativeOf(x, walk));
  }
  return results;
}

} // namespace sluice::interpret
