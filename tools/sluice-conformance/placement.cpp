// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of seeds, and what the compiler says of its cuts.
#include "tools/sluice-conformance/placement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

namespace sluice::conformance {

using llvm::createStringError;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

std::string Placement::suffix() const {
  return "@" + std::to_string(devices) + (seed ? "/" + std::to_string(*seed) : "");
}

Expected<std::vector<uint64_t>> parseSeeds(StringRef text) {
  constexpr uint64_t kMostSeeds = 10000;
  std::vector<uint64_t> seeds;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    auto [from, to] = part.split('-');
    uint64_t first, last;
    bool good = !from.getAsInteger(10, first);
    good &= part.contains('-') ? !to.getAsInteger(10, last) : !from.getAsInteger(10, last);
    if (!good || first > last || last - first >= kMostSeeds)
      return createStringError("expected seeds such as 3, 1-5 or 1,2,7-9 but got '" + text + "'");
    for (uint64_t i = 0; i <= last - first; ++i)
      if (!llvm::is_contained(seeds, first + i))
        seeds.push_back(first + i);
  }
  return seeds;
}

EdgeCounts &EdgeCounts::operator+=(const EdgeCounts &other) {
  all += other.all;
  inLoops += other.inLoops;
  inNestedLoops += other.inNestedLoops;
  return *this;
}

Expected<EdgeCounts> readPartitionSummary(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError("cannot read " + path + ": " + buffer.getError().message());
  Expected<json::Value> value = json::parse((*buffer)->getBuffer());
  if (!value)
    return value.takeError();
  EdgeCounts counts;
  json::Path::Root root("partition summary");
  json::ObjectMapper map(*value, root);
  if (!map || !map.map("edges", counts.all) || !map.map("edges_in_loops", counts.inLoops) ||
      !map.map("edges_in_nested_loops", counts.inNestedLoops))
    return root.getError();
  return counts;
}

} // namespace sluice::conformance
