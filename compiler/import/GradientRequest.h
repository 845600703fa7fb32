// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A request for derivatives, as users write it.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice::import {

// All are names of tensors; an x may be a variable's node.
struct GradientRequest {
  std::vector<std::string> ys;
  std::vector<std::string> seeds; // none, or one for each y
  std::vector<std::string> xs;
  std::vector<std::string> stops;
  // None, or one for each x: how the xs move. Then it is asked how the ys do, the Jacobian times a
  // vector.
  std::vector<std::string> tangents;
};

// "loss", "y+z", "y*seed", each with "=x" or "=x,w:0", and then "!stop" or "!stop,other". Nothing,
// and the problem as text, when it is none of these.
std::optional<GradientRequest> parseGradientRequest(llvm::StringRef text, std::string &problem);
// "y=x*v", "y,z=x*v,w*u".
std::optional<GradientRequest> parseTangentRequest(llvm::StringRef text, std::string &problem);

} // namespace sluice::import
