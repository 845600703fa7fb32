// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that a card runs by itself.
#include "runtime/executor/card_loops.h"

#include "runtime/executor/card.h"

namespace sluice::rt {

Result<std::unique_ptr<CardLoop>> CardLoops::take(const SluiceCodelet &code, StreamId stream,
                                                  std::string_view owner) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    auto &idle = idle_[{&code, stream}];
    if (!idle.empty()) {
      auto loop = std::move(idle.back());
      idle.pop_back();
      return loop;
    }
  }
  auto loop = std::make_unique<CardLoop>();
  size_t bytes = static_cast<size_t>(code.loop->numWords) * sizeof(uint64_t);
  SLUICE_ASSIGN_OR_RETURN(loop->words, device_.allocate(bytes, stream, owner));
  return loop;
}

void CardLoops::giveBack(const SluiceCodelet &code, std::unique_ptr<CardLoop> loop) {
  std::lock_guard<std::mutex> lock(mutex_);
  idle_[{&code, loop->words.stream()}].push_back(std::move(loop));
}

} // namespace sluice::rt
