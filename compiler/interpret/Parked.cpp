// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings whose kernels wait for what others bring: an element of a queue, room in it, a lock.
// Calls of the interpreter follow each other, so nobody but another firing of the same call can
// bring it.
#include "compiler/interpret/Call.h"

using namespace mlir;

namespace sluice::interpret {

class Call::ParkedFiring final : public rt::ParkedCall {
public:
  ParkedFiring(Call &call, const Firing &firing, size_t numOutputs)
      : call_(call), firing(firing), values(numOutputs) {}

  std::span<rt::Tensor> outputs() override { return values; }

private:
  void end(std::unique_ptr<rt::ParkedCall> self, rt::Status ended) override {
    status = std::move(ended);
    call_.resumed_.push_back(std::move(self));
  }

  Call &call_;

public:
  Firing firing;
  std::vector<rt::Tensor> values;
  rt::Status status;
};

std::unique_ptr<rt::ParkedCall> Call::park(rt::Waitable &object, const char *what) {
  hasParked_ = true;
  size_t numOutputs = llvm::count_if(node(running_->node).op->getResults(),
                                     [](Value result) { return !isToken(result); });
  auto parked = std::make_unique<ParkedFiring>(*this, *running_, numOutputs);
  parked_.push_back({parked.get(), rt::Ref<rt::Waitable>::share(&object), what});
  return parked;
}

// The first that was resumed ends like any other firing.
void Call::finishResumed() {
  std::unique_ptr<rt::ParkedCall> first = std::move(resumed_.front());
  resumed_.erase(resumed_.begin());
  auto &resumed = static_cast<ParkedFiring &>(*first);
  llvm::erase_if(parked_, [&](const Parked &parked) { return parked.firing == &resumed; });
  const Node &op = node(resumed.firing.node);
  if (resumed.status.ok())
    resumed.status = op.kernel->check(resumed.values);
  if (!resumed.status.ok())
    return fail(std::move(resumed.status).atNode(op.name));
  std::vector<TapeValue> inputs; // nothing that can be parked has a derivative
  sendResults(op, resumed.firing, resumed.values, inputs);
  finish(resumed.firing);
}

void Call::withdrawParked() {
  for (const Parked &parked : parked_)
    parked.object->withdraw(*parked.firing);
  parked_.clear();
  resumed_.clear();
}

std::string Call::describe(const Parked &parked) const {
  return "node '" + node(parked.firing->firing.node).name + "' is parked on " +
         parked.object->title() + ", " + parked.what;
}

} // namespace sluice::interpret
