// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a stateful kernel may use besides its inputs. Given by the executor or the interpreter.
#pragma once

#include "runtime/kernels/firing_number.h"
#include "runtime/state/parking.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace sluice::rt {

struct Environment {
  // The program's variables, generators and shared objects, by the index to which a symbol
  // attribute was resolved.
  std::span<Object *const> resources;
  // Number of the call in this process; tells calls apart.
  uint64_t call = 0;
  FiringNumber firing = {};
  // Receives the text of print ops, one call a line, without the newline.
  const std::function<void(std::string_view)> *print = nullptr;
  // For kernels that may have to wait.
  Parking *parking = nullptr;
};

} // namespace sluice::rt
