// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutex and Lock.
#include "runtime/state/mutex.h"

#include "runtime/state/content_reader.h"

namespace sluice::rt {

class Mutex::Hold final : public Wish {
public:
  explicit Hold(Mutex &mutex) : mutex_(mutex) {}
  Outcome attempt(std::span<Tensor> outputs, Status &) override {
    if (mutex_.held_)
      return Outcome::kWaits;
    mutex_.held_ = true;
    auto *lock = new Lock(Ref<Mutex>::share(&mutex_));
    outputs[0] = Tensor::handle(Ref<Object>::adopt(lock));
    return Outcome::kEnded;
  }

private:
  Mutex &mutex_;
};

Status Mutex::lock(Client client) { return ask(0, Hold(*this), client, "lock"); }

void Mutex::unlock() {
  std::unique_lock<std::mutex> lock(mutex_);
  held_ = false;
  serveOthers(lock);
}

Result<std::vector<NamedTensor>> Mutex::content() const {
  std::vector<NamedTensor> content;
  content.emplace_back("title", Tensor::string(options_.title));
  return content;
}

Result<Ref<Mutex>> Mutex::ofContent(std::vector<NamedTensor> content) {
  ContentReader in("mutex", std::move(content));
  Options options{in.text("title")};
  SLUICE_RETURN_IF_ERROR(in.status());
  return make(std::move(options));
}

Lock::~Lock() { (void)release(); }

Status Lock::release() {
  if (released_.exchange(true))
    return invalidArgument("the lock of " + mutex_->title() + " has been released already");
  mutex_->unlock();
  return okStatus();
}

constexpr ObjectType kMutexType = objectTypeOf<Mutex>("mutex");

} // namespace sluice::rt
