// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that is taken and given back at once.
#include "runtime/memory/text_room.h"

#include "runtime/base/held_memory.h"
#include "runtime/memory/memory_account.h"

#include <cstdlib>

namespace sluice::rt {

bool longTextHasRoom(size_t bytes) {
  if (!memoryAllows(bytes))
    return false;
  if (uint8_t account = MemoryAccount::here()) {
    if (!MemoryAccount::hold(account, bytes))
      return false;
    MemoryAccount::unhold(account, bytes);
  }
  void *volatile block = std::malloc(bytes); // a pair that nobody looks at may be left out
  bool isThere = block != nullptr;
  std::free(block);
  return isThere;
}

} // namespace sluice::rt
