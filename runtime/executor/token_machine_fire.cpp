// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Token machine: what each kind of node does when it fires.
#include "runtime/executor/token_machine.h"

namespace sluice::rt {

void TokenMachine::fire(const Node &node, Iteration &iteration) {
  ++iteration.fired;
  ++counters_.firings;
  NodeState &state = iteration.states[node.index];
  state.fired = true;
  if (node.kind == NodeKind::kMerge)
    fireMerge(node, iteration);
  else if (state.dead)
    fireDead(node, iteration);
  else if (node.kind == NodeKind::kKernel && !node.scalarPath)
    return fireKernel(node, iteration); // may end later, on a worker
  else if (node.kind == NodeKind::kCodelet)
    return fireCodelet(node, iteration); // likewise
  else if (node.kind == NodeKind::kCopy)
    return cards_->fireCopy(*this, node, iteration); // likewise
  else
    fireLive(node, iteration);
  --iteration.outstanding;
  settle(iteration);
}

void TokenMachine::fireLive(const Node &node, Iteration &iteration) {
  switch (node.kind) {
  case NodeKind::kKernel:
    return fireScalarKernel(node, iteration);
  case NodeKind::kForward:
    return pass(node, 0, 0, iteration, iteration);
  case NodeKind::kSwitch:
    return fireSwitch(node, iteration);
  case NodeKind::kEnter:
    return fireEnter(node, iteration, false);
  case NodeKind::kExit:
    return fireExit(node, iteration);
  case NodeKind::kNextIteration:
    return fireNextIteration(node, iteration);
  case NodeKind::kJoin:
    return deliverToAllPorts(node, false, iteration);
  case NodeKind::kFeed: {
    Tensor value = feeds_[node.port];
    return deliver(node, 0, &value, false, iteration);
  }
  case NodeKind::kFetch:
    return fireFetch(node, iteration);
  case NodeKind::kTarget:
    ++targetsDone_;
    return;
  case NodeKind::kSend:
    return fireSend(node, iteration, false);
  case NodeKind::kRecv:
    return fireRecv(node, iteration);
  case NodeKind::kCall:
    return fireCall(node, iteration);
  case NodeKind::kReturn:
    return fireReturn(node, iteration);
  case NodeKind::kMerge: // live or dead, it has fired already
  case NodeKind::kCodelet:
  case NodeKind::kCopy:
  case NodeKind::kArgument: // never fires
    return;
  }
}

void TokenMachine::fireExit(const Node &node, Iteration &iteration) {
  FrameInstance &frame = *iteration.frame;
  if (frame.hasLeft[node.index])
    return fail(invalidArgument("expected one live value to leave the loop but got a second one in "
                                "iteration " +
                                std::to_string(iteration.number))
                    .atNode(node.name));
  frame.hasLeft[node.index] = true;
  pass(node, 0, 0, iteration, *frame.parentIteration);
}

void TokenMachine::fireDead(const Node &node, Iteration &iteration) {
  ++counters_.deadFirings;
  for (uint32_t i = 0; i < node.numSlots; ++i) // live operands of a dead node
    iteration.slots[node.firstSlot + i].reset();
  FrameInstance &frame = *iteration.frame;
  switch (node.kind) {
  case NodeKind::kEnter:
    return fireEnter(node, iteration, true);
  case NodeKind::kExit:
    // An exit is dead in every iteration but the last; only the newest may turn out to be that.
    if (iteration.number + 1 == frame.next && !(frame.deferred.size()))
      frame.deadExits.push_back(&node);
    return;
  case NodeKind::kNextIteration: // starts no iteration, but is dead in one that something else
                                 // starts
    if (iteration.following)
      deliver(node, 0, nullptr, true, *iteration.following);
    else
      frame.deadBacks.push_back(&node);
    return;
  case NodeKind::kFetch:
    return fail(
        invalidArgument("the fetched tensor is dead: it lies on a branch that was not taken")
            .atNode(node.name));
  case NodeKind::kReturn:
    return fail(invalidArgument("function '" + std::string(frame.info.name) +
                                "' returns a dead tensor: it lies on a branch that was not taken")
                    .atNode(node.name));
  case NodeKind::kTarget:
    ++targetsDone_;
    return;
  case NodeKind::kSend:
    return fireSend(node, iteration, true);
  default:
    deliverToAllPorts(node, true, iteration);
  }
}

Tensor TokenMachine::takeInput(const Node &node, size_t input, Iteration &iteration) {
  const Input &in = node.inputs[input];
  if (in.constant)
    return *in.constant;
  return std::move(iteration.slots[in.slot]); // in a conditional expression it would be copied
}

void TokenMachine::fireScalarKernel(const Node &node, Iteration &iteration) {
  constexpr size_t kMaxOperands = 4; // kernels with a scalar function have at most three
  const void *operands[kMaxOperands] = {};
  for (size_t i = 0; i < node.inputs.size() && i < kMaxOperands; ++i)
    operands[i] = operandOf(node.inputs[i], iteration).raw();
  Tensor result = Tensor::uninitializedScalar(node.outputTypes[0]);
  node.kernel->scalar(operands, result.raw());
  for (uint32_t i = 0; i < node.numSlots; ++i)
    iteration.slots[node.firstSlot + i].reset();
  ++counters_.kernels;
  counters_.floatKernels += node.floatValued;
  deliver(node, 0, &result, false, iteration);
  for (size_t port = 1; port < node.ports.size(); ++port)
    deliver(node, port, nullptr, false, iteration);
}

void TokenMachine::fireKernel(const Node &node, Iteration &iteration) {
  ++counters_.kernels;
  counters_.floatKernels += node.floatValued;
  if (node.stateful)
    return fireStatefulKernel(node, iteration);
  if (othersWait())
    return fireHereOrElsewhere(node, iteration, nullptr);
  KernelFiring firing(node, iteration, cancellation_, nullptr);
  endKernel(firing, runHere(firing));
}

void TokenMachine::fireStatefulKernel(const Node &node, Iteration &iteration) {
  environment_->firing = firingNumber(iteration);
  if ((node.kernel->flags & Kernel::kOnWorkers) && othersWait())
    return fireHereOrElsewhere(node, iteration, environment_);
  parked_.begin(node, iteration, cancellation_);
  KernelFiring firing(node, iteration, cancellation_, environment_);
  Status status = runHere(firing);
  held_.endHere(node, iteration);
  if (!parked_.parked())
    return endKernel(firing, std::move(status));
  ++elsewhere_;
  firing.releaseInputs(); // whoever resumes it has what is needed of them
}

Status TokenMachine::runHere(KernelFiring &firing) {
  Status status = firing.prepare();
  if (exchange_)
    exchange_->stepAside();
  return status.ok() ? firing.run() : status;
}

void TokenMachine::fireHereOrElsewhere(const Node &node, Iteration &iteration,
                                       const Environment *environment) {
  auto firing = std::make_unique<KernelFiring>(node, iteration, cancellation_, environment);
  Status status = firing->prepare();
  if (status.ok() && firing->work() >= inlineOperations_)
    return enqueue(std::move(firing));
  if (status.ok())
    status = firing->run();
  if (environment)
    held_.endHere(node, iteration);
  endKernel(*firing, std::move(status));
}

void TokenMachine::endKernel(KernelFiring &firing, Status status) {
  if (!status.ok())
    return fail(std::move(status).atNode(firing.node().name));
  Iteration &iteration = firing.iteration();
  finishFiring(firing);
  --iteration.outstanding;
  settle(iteration);
}

void TokenMachine::finishFiring(Firing &firing) {
  const Node &node = firing.node();
  if (node.kind == NodeKind::kCodelet)
    countCodelet(*firing.counts());
  firing.releaseInputs();
  std::span<Tensor> outputs = firing.outputs();
  for (size_t port = 0; port < node.ports.size(); ++port)
    deliver(node, port, port < outputs.size() ? &outputs[port] : nullptr, false,
            firing.iteration());
}

void TokenMachine::fireSwitch(const Node &node, Iteration &iteration) {
  const Tensor &predicate = operandOf(node.inputs[1], iteration);
  if (predicate.dtype() != DType::kBool || predicate.rank() != 0)
    return fail(invalidArgument("expected a scalar bool as predicate but got shape " +
                                predicate.shape().toString())
                    .atNode(node.name));
  bool taken = *predicate.data<bool>();
  if (!node.inputs[1].constant)
    iteration.slots[node.inputs[1].slot].reset();
  pass(node, 0, taken ? 1 : 0, iteration, iteration);
  deliver(node, taken ? 0 : 1, nullptr, true, iteration);
  for (size_t port = 2; port < node.ports.size(); ++port)
    deliver(node, port, nullptr, false, iteration);
}

void TokenMachine::fireMerge(const Node &node, Iteration &iteration) {
  NodeState &state = iteration.states[node.index];
  if (state.dead) {
    ++counters_.deadFirings;
    return deliverToAllPorts(node, true, iteration);
  }
  if (!state.live) // constants only
    state.liveInput = static_cast<uint32_t>(node.fallback);
  pass(node, state.liveInput, 0, iteration, iteration);
  if (node.ports.size() > 1 && !node.ports[1].empty()) {
    Tensor index = Tensor::scalar<int32_t>(static_cast<int32_t>(state.liveInput));
    deliver(node, 1, &index, false, iteration);
  }
  for (size_t port = 2; port < node.ports.size(); ++port)
    deliver(node, port, nullptr, false, iteration);
}

void TokenMachine::fireEnter(const Node &node, Iteration &iteration, bool dead) {
  FrameInstance &child = childFrame(node.child, iteration);
  Tensor value = dead ? Tensor() : takeInput(node, 0, iteration);
  if (node.constant) {
    auto &token = child.constants[node.constantEnter];
    token = {true, dead, value};
    for (Iteration *i = child.oldestIteration(); i; i = i->following) {
      Tensor copy = value;
      deliver(node, 0, &copy, dead, *i);
    }
  } else { // the first iteration does not retire before all enters have come
    deliver(node, 0, &value, dead, *child.oldestIteration());
  }
  ++child.entersArrived;
  settle(*child.oldestIteration());
}

static Status tooManyIterations(const FrameInstance &frame) {
  return outOfRange(format("the loop of frame '%s' wants more than %llu iterations, the limit; if "
                           "it is to end later than that, use a larger --limit iterations",
                           std::string(frame.info.name).c_str(),
                           static_cast<unsigned long long>(frame.next)));
}

void TokenMachine::fireNextIteration(const Node &node, Iteration &iteration) {
  FrameInstance &frame = *iteration.frame;
  if (!iteration.following && frame.next >= mostIterations_) [[unlikely]]
    return fail(tooManyIterations(frame).atNode(node.name));
  if (iteration.following) {
    pass(node, 0, 0, iteration, *iteration.following);
  } else if (frame.hasRoom()) {
    pass(node, 0, 0, iteration, openIteration(frame));
  } else {
    // Opening an iteration is delayed, but from now on this one is not the last.
    frame.deadExits.clear();
    frame.deferred.push_back({&node, takeInput(node, 0, iteration)});
  }
}

void TokenMachine::fireFetch(const Node &node, Iteration &iteration) {
  fetches_[node.port] = takeInput(node, 0, iteration);
  ++fetchesDone_;
}

//===-- Functions -----------------------------------------------------------------------------===//

// The chain of calls that has become too long, from the innermost out.
static Status tooManyCalls(const Node &node, const FrameInstance &frame, uint64_t most) {
  constexpr int kShown = 8;
  std::string chain;
  int count = 0;
  for (const FrameInstance *at = &frame; at && count < kShown; at = at->parent)
    if (at->info.isFunction) {
      chain += (chain.empty() ? "" : ", called by ") + ("'" + std::string(at->info.name) + "'");
      ++count;
    }
  return resourceExhausted(format("expected at most %llu calls within each other; here %s, and so "
                                  "on; if that ends, use a larger --limit call-depth",
                                  static_cast<unsigned long long>(most), chain.c_str()))
      .atNode(node.name);
}

void TokenMachine::fireCall(const Node &node, Iteration &iteration) {
  ++iteration.outstanding; // until it is entered
  calls_.emplace_back(&node, &iteration);
}

bool TokenMachine::enterLatestCall() {
  if (calls_.empty())
    return false;
  auto [node, iteration] = calls_.back();
  calls_.pop_back();
  enterFunction(*node, *iteration);
  --iteration->outstanding;
  settle(*iteration);
  return true;
}

// An instance of the function's frame, which knows the way back.
void TokenMachine::enterFunction(const Node &node, Iteration &iteration) {
  if (iteration.frame->callDepth >= mostCalls_) [[unlikely]]
    return fail(tooManyCalls(node, *iteration.frame, mostCalls_));
  const StaticFrame &info = signature_.frames[node.child];
  FrameInstance &frame = *pool_.take(info);
  frame.start(iteration.frame, &iteration, 1);
  frame.call = &node;
  ++frame.callDepth;
  frame.firing = firingNumber(iteration);
  if (node.recursion)
    frame.firing = frame.firing.inFrame(node.recursion);
  ++iteration.liveChildren;
  ++counters_.framesEntered;
  Iteration &first = openIteration(frame);
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    Tensor value = takeInput(node, i, iteration);
    deliver(*info.arguments[i], 0, &value, false, first);
  }
  for (const Node *source : info.sources)
    markReady(source, &first);
  settle(first); // a function may have nothing to do
}

void TokenMachine::fireReturn(const Node &node, Iteration &iteration) {
  FrameInstance &frame = *iteration.frame;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    Tensor value = takeInput(node, i, iteration);
    deliver(*frame.call, i, &value, false, *frame.parentIteration);
  }
  for (size_t port = node.inputs.size(); port < frame.call->ports.size(); ++port)
    deliver(*frame.call, port, nullptr, false, *frame.parentIteration);
}

} // namespace sluice::rt
