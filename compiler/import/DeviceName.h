// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of devices, full and partial: "/job:worker/replica:0/task:1/device:CPU:0", "/gpu:0".
//
// What a partial name leaves open, or gives as `*`, fits every device.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sluice::import {

struct DeviceName {
  std::optional<std::string> job;
  std::optional<uint32_t> replica;
  std::optional<uint32_t> task;
  std::optional<std::string> type; // upper-case for CPU and GPU, else as given
  std::optional<uint32_t> index;

  bool operator==(const DeviceName &) const = default;

  // Nothing when the text is malformed. Parts come in any order; of a part that is given twice the
  // last one counts.
  static std::optional<DeviceName> parse(llvm::StringRef text);
  // What `parse` expects, for messages.
  static llvm::StringRef expectedForm();

  bool isFull() const { return job && replica && task && type && index; }
  // Whether a device of the full name is one that this name allows.
  bool allows(const DeviceName &full) const;
  // The canonical text; empty when nothing is said.
  std::string text() const;
};

} // namespace sluice::import
