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

// "name*factor"; the factor stays away where there is none.
static bool splitProducts(ArrayRef<std::string> texts, std::vector<std::string> &names,
                          std::vector<std::string> &factors) {
  bool isGood = true;
  for (StringRef each : texts) {
    auto [name, factor] = each.split('*');
    names.push_back(name.str());
    if (each.contains('*'))
      factors.push_back(factor.str());
    isGood &= !name.empty() && each.contains('*') == !factor.empty();
  }
  return isGood;
}

std::optional<GradientRequest> parseTangentRequest(StringRef text, std::string &problem) {
  GradientRequest request;
  auto [of, wrt] = text.split('=');
  std::vector<std::string> moving;
  bool isGood = splitNames(of, ',', request.ys) && splitNames(wrt, ',', moving) &&
                splitProducts(moving, request.xs, request.tangents);
  if (isGood && request.tangents.size() == request.xs.size())
    return request;
  problem = "expected Y[,Y…]=X*TANGENT[,X*TANGENT…], such as y=x*v, but got " + quoted(text.str());
  return std::nullopt;
}

std::optional<GradientRequest> parseGradientRequest(StringRef text, std::string &problem) {
  problem = "expected Y[*SEED][+Y…]=X[,X…][!STOP[,STOP…]], such as loss=w,b, but got " +
            quoted(text.str());
  GradientRequest request;
  auto [of, rest] = text.split('=');
  auto [wrt, stops] = rest.split('!');
  std::vector<std::string> weighted;
  bool isGood = splitNames(of, '+', weighted) && splitNames(wrt, ',', request.xs) &&
                (!rest.contains('!') || splitNames(stops, ',', request.stops)) &&
                splitProducts(weighted, request.ys, request.seeds);
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
