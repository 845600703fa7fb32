// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the node list of a GraphDef from its wire format.
#include "tools/sluice-conformance/graph_skeleton.h"

#include <cstdint>

namespace sluice::conformance {

using llvm::StringRef;

namespace {

// One field after the other of a protocol buffer message.
class FieldReader {
public:
  explicit FieldReader(StringRef bytes) : rest_(bytes) {}

  // False at the end or where the bytes are malformed.
  bool next() {
    uint64_t key = 0;
    if (rest_.empty() || !readVarint(key))
      return false;
    number = key >> 3;
    text = {};
    switch (key & 7) {
    case 0: {
      uint64_t ignored;
      return readVarint(ignored);
    }
    case 1:
      return take(8);
    case 2: {
      uint64_t length = 0;
      return readVarint(length) && take(length);
    }
    case 5:
      return take(4);
    default:
      return false;
    }
  }

  uint64_t number = 0;
  StringRef text;

private:
  bool readVarint(uint64_t &value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      uint8_t byte = rest_.front();
      rest_ = rest_.drop_front();
      value |= uint64_t(byte & 127) << shift;
      if (byte < 128)
        return true;
    }
    return false;
  }

  bool take(uint64_t length) {
    if (length > rest_.size())
      return false;
    text = rest_.take_front(length);
    rest_ = rest_.drop_front(length);
    return true;
  }

  StringRef rest_;
};

} // namespace

GraphSkeleton GraphSkeleton::parse(StringRef bytes) {
  constexpr uint64_t kNode = 1, kName = 1, kOp = 2, kInput = 3;
  GraphSkeleton graph;
  for (FieldReader fields(bytes); fields.next();) {
    if (fields.number != kNode)
      continue;
    std::string name;
    Node node;
    for (FieldReader parts(fields.text); parts.next();) {
      if (parts.number == kName)
        name = parts.text.str();
      else if (parts.number == kOp)
        node.op = parts.text.str();
      else if (parts.number == kInput)
        node.inputs.push_back(parts.text.str());
    }
    graph.nodes_[name] = std::move(node);
  }
  return graph;
}

bool GraphSkeleton::extends(const GraphSkeleton &earlier) const {
  for (const auto &entry : earlier.nodes_) {
    auto here = nodes_.find(entry.getKey());
    if (here == nodes_.end() || !(here->getValue() == entry.getValue()))
      return false;
  }
  return true;
}

} // namespace sluice::conformance
