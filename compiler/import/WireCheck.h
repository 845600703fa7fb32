// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the bytes of a binary protobuf message against its declaration before it is parsed.
//
// The protobuf parser only says that it failed. This check finds the byte and the field, and it
// refuses what the parser would silently accept: the same singular field twice, fields of a wrong
// wire type, and text that is not UTF-8. It does not recurse.
#pragma once

#include "compiler/import/Limits.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace google::protobuf {
class Descriptor;
}

namespace sluice::import {

struct WireProblem {
  uint64_t offset = 0;
  std::string message;
};

// `unknownFields` counts fields that the declaration does not have; they are skipped.
std::optional<WireProblem> checkWire(std::string_view bytes,
                                     const google::protobuf::Descriptor *message,
                                     const Limits &limits, uint64_t &unknownFields);

} // namespace sluice::import
