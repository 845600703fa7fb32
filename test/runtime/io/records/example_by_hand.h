// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Examples, byte by byte, for tests.
#pragma once

#include "runtime/io/bundle/message.h"

#include <string>
#include <vector>

namespace sluice::rt::by_hand {

inline std::string field(uint32_t number, std::string_view bytes) {
  MessageWriter writer;
  writer.bytes(number, bytes);
  return writer.take();
}

inline std::string floatList(const std::vector<float> &values) {
  std::string_view bytes(reinterpret_cast<const char *>(values.data()), values.size() * 4);
  return field(2, values.empty() ? "" : field(1, bytes));
}
inline std::string int64List(const std::vector<int64_t> &values) {
  std::string packed;
  for (int64_t value : values)
    appendVarint(packed, static_cast<uint64_t>(value));
  return field(3, values.empty() ? "" : field(1, packed));
}
inline std::string bytesList(const std::vector<std::string> &values) {
  std::string list;
  for (const std::string &value : values)
    list += field(1, value);
  return field(1, list);
}

inline std::string entry(std::string_view name, std::string_view feature) {
  return field(1, field(1, name) + field(2, feature));
}
// Of entries.
inline std::string example(const std::vector<std::string> &entries) {
  std::string all;
  for (const std::string &one : entries)
    all += one;
  return field(1, all);
}

} // namespace sluice::rt::by_hand
