// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Token machine: firing of codelets.
#include "runtime/codelet/operands.h"
#include "runtime/executor/arena.h"
#include "runtime/executor/codelet_firing.h"
#include "runtime/executor/token_machine.h"

#include <algorithm>

namespace sluice::rt {

// What the compiler has estimated, or one operation for each member and element of the largest
// operand.
static uint64_t workOf(const Node &node, const Iteration &iteration) {
  if (node.codelet->work)
    return node.codelet->work;
  int64_t elements = 1;
  for (const Input &input : node.inputs)
    elements = std::max(elements, operandOf(input, iteration).elements());
  return static_cast<uint64_t>(elements) * std::max<size_t>(1, node.codelet->members.size());
}

void TokenMachine::fireCodelet(const Node &node, Iteration &iteration) {
  bool hasEnded;
  if (node.codelet->memory != kHostMemory) {
    hasEnded = cards_->fireCodelet(*this, node, iteration);
  } else if (!node.codelet->isUnmeasured() && inlineOperations_ > 1) {
    hasEnded = fireCodeletHere(node, iteration);
  } else if (isWorthAWorker(node, iteration)) {
    hasEnded = fireLargeCodelet(node, iteration);
  } else {
    if (exchange_)
      exchange_->stepAside(); // it may take longer than last time
    uint64_t begin = systemClock().now();
    hasEnded = fireCodeletHere(node, iteration);
    node.lastTime.note(systemClock().now() - begin);
  }
  if (!hasEnded)
    return; // has failed, or ends on a worker
  --iteration.outstanding;
  settle(iteration);
}

bool TokenMachine::fireCodeletHere(const Node &node, Iteration &iteration) {
  return node.codelet->small ? fireSmallCodelet(node, iteration)
                             : fireLargeCodelet(node, iteration);
}

namespace {
// Outputs are written to memory apart.
class OperandsOfSmall final : public CodeletOperands {
public:
  OperandsOfSmall(const Node &node, const Iteration &iteration)
      : node_(node), iteration_(iteration) {}

private:
  Buffer *find(const void *element) const override {
    for (const Input &place : node_.inputs)
      if (Buffer *buffer = bufferIfWithin(operandOf(place, iteration_), element))
        return buffer;
    return nullptr;
  }

  const Node &node_;
  const Iteration &iteration_;
};
} // namespace

// All outputs fit into tokens, so nothing has to be allocated or kept beyond the call.
bool TokenMachine::fireSmallCodelet(const Node &node, Iteration &iteration) {
  const Codelet &codelet = *node.codelet;
  SluiceTensorRef inputs[Codelet::kFewInputs];
  SluiceOutputRef outputs[Codelet::kFewOutputs];
  alignas(16) unsigned char values[Codelet::kFewOutputs][Tensor::kInlineBytes];
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const Tensor &value = operandOf(node.inputs[i], iteration);
    inputs[i] = {const_cast<void *>(value.raw()), value.shape().dims().data()};
  }
  for (size_t i = 0; i < codelet.outputs.size(); ++i)
    outputs[i] = {values[i], const_cast<int64_t *>(codelet.outputs[i].shape.dims().data())};
  auto arenaSize = static_cast<size_t>(codelet.code->arenaBytes);
  SluiceCodeletCall call{inputs,
                         outputs,
                         arenaSize ? threadArena(arenaSize) : nullptr,
                         codelet.code->arenaBytes,
                         0,
                         0,
                         nullptr,
                         nullptr,
                         cancellation_.word(),
                         nullptr};
  OperandsOfSmall operands(node, iteration);
  if ((arenaSize && !call.arena) || codelet.code->body(&call) != kSluiceOk) [[unlikely]]
    return fireLargeCodelet(node, iteration); // does it again, and says what is wrong
  ++counters_.codelets;
  counters_.codeletFloatOps += codelet.floatOps + call.loopOps;
  for (uint32_t i = 0; i < node.numSlots; ++i)
    iteration.slots[node.firstSlot + i].reset();
  for (size_t port = 0; port < codelet.outputs.size(); ++port) {
    const CodeletOutput &output = codelet.outputs[port];
    Tensor value = Tensor::inlineValue(output.dtype, output.shape, values[port]);
    deliver(node, port, &value, false, iteration);
  }
  for (size_t port = codelet.outputs.size(); port < node.ports.size(); ++port)
    deliver(node, port, nullptr, false, iteration);
  return true;
}

bool TokenMachine::isWorthAWorker(const Node &node, const Iteration &iteration) const {
  if (!othersWait())
    return false;
  if (inlineOperations_ == 1)
    return true;
  if (node.codelet->isUnmeasured()) // so is what has never run
    return node.lastTime.get() > kLong;
  return !node.codelet->small && workOf(node, iteration) >= inlineOperations_;
}

bool TokenMachine::fireLargeCodelet(const Node &node, Iteration &iteration) {
  bool offloads = isWorthAWorker(node, iteration);
  if (!offloads) {
    CodeletFiring firing(node, iteration, cancellation_);
    Status status = firing.prepare();
    return endCodelet(firing, status.ok() ? firing.run() : std::move(status));
  }
  auto firing = std::make_unique<CodeletFiring>(node, iteration, cancellation_);
  if (Status status = firing->prepare(); !status.ok())
    return endCodelet(*firing, std::move(status));
  enqueue(std::move(firing));
  return false;
}

bool TokenMachine::endCodelet(CodeletFiring &firing, Status status) {
  if (!status.ok()) {
    fail(std::move(status).atNode(firing.node().name));
    return false;
  }
  finishFiring(firing);
  return true;
}

void TokenMachine::countCodelet(const CodeletCounts &counts) {
  ++counters_.codelets;
  counters_.codeletFloatOps += counts.floatOps;
  counters_.codeletBails += counts.bails;
  counters_.floatKernels += counts.floatKernels;
}

} // namespace sluice::rt
