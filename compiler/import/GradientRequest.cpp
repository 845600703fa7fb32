// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing of requests for derivatives.
#include "compiler/import/GradientRequest.h"

#include "compiler/import/Diagnostic.h"

#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace sluice::import {

static bool splitNames(StringRef text, char separator, std::vector<std::string> &names) {
  SmallVector<StringRef> parts;
  text.split(parts, separator);
  for (StringRef part : parts)
    names.push_back(part.str());
  return none_of(names, [](const std::string &name) { return name.empty(); });
}

std::optional<GradientRequest> parseGradientRequest(StringRef text, std::string &problem) {
  problem = "expected Y[*SEED][+Y…]=X[,X…][!STOP[,STOP…]], such as loss=w,b, but got " +
            quoted(text.str());
  GradientRequest request;
  auto [of, rest] = text.split('=');
  auto [wrt, stops] = rest.split('!');
  std::vector<std::string> weighted;
  bool isGood = splitNames(of, '+', weighted) && splitNames(wrt, ',', request.xs) &&
                (!rest.contains('!') || splitNames(stops, ',', request.stops));
  for (StringRef each : weighted) {
    auto [y, seed] = each.split('*');
    request.ys.push_back(y.str());
    if (each.contains('*'))
      request.seeds.push_back(seed.str());
    isGood &= !y.empty() && each.contains('*') == !seed.empty();
  }
  if (!isGood)
    return std::nullopt;
  if (!request.seeds.empty() && request.seeds.size() != request.ys.size()) {
    problem = "expected a seed for each of several values, or for none, in " + quoted(text.str());
    return std::nullopt;
  }
  problem.clear();
  return request;
}

} // namespace sluice::import
