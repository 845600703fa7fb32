// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ParkedFirings.
#include "runtime/executor/parked_firings.h"

#include "runtime/base/threads.h"

#include <algorithm>

namespace sluice::rt {

void ParkedFiring::end(std::unique_ptr<ParkedCall> self, Status status) {
  auto *firing = static_cast<ParkedFiring *>(self.release());
  uint64_t now = systemClock().now();
  firing->inbox_.put({std::unique_ptr<Work>(firing), std::move(status), 0, now, now});
}

std::unique_ptr<ParkedCall> ParkedFirings::park(Waitable &object, const char *what) {
  parked_ = true;
  auto firing = std::make_unique<ParkedFiring>(*node_, *iteration_, *cancellation_, inbox_);
  all_.push_back({firing.get(), node_, Ref<Waitable>::share(&object), what, systemClock().now()});
  return firing;
}

const ParkedFirings::Parked *ParkedFirings::find(const Firing &firing) const {
  auto at = std::find_if(all_.begin(), all_.end(),
                         [&](const Parked &parked) { return parked.firing == &firing; });
  return at == all_.end() ? nullptr : &*at;
}

void ParkedFirings::forget(const Firing &firing) {
  all_.erase(all_.begin() + (find(firing) - all_.data()));
}

void ParkedFirings::withdrawAll() {
  size_t resumed = 0;
  for (const Parked &parked : all_)
    resumed += !parked.object->withdraw(*parked.firing);
  while (resumed) { // they are on their way, if they have not come
    Completion ignored;
    if (inbox_.awaitNext(ignored, ~0u) && ignored.work)
      --resumed;
  }
  all_.clear();
}

std::string describe(const ParkedFirings::Parked &parked) {
  return "parked on " + parked.object->title() + ", " + parked.what;
}

} // namespace sluice::rt
