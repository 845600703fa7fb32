// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 64 bits that tell texts apart, though not against somebody who looks for two that agree.
#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::rt {

uint64_t fingerprintOf(std::string_view bytes);

} // namespace sluice::rt
