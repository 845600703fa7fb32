// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields of examples, features and lists.
#include "runtime/io/records/example.h"

#include "runtime/io/bundle/message.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

namespace {

using Kind = MessageReader::Kind;

Status noExample() { return invalidArgument("Could not parse example input"); }

// An entry of the map: a name and a feature, in any order, and nothing else.
bool parseEntry(std::string_view bytes, NamedFeature &entry) {
  bool hasName = false, hasFeature = false;
  MessageReader reader(bytes);
  while (reader.next()) {
    bool &has = reader.field() == 1 ? hasName : hasFeature;
    if (reader.field() > 2 || reader.kind() != Kind::kBytes || std::exchange(has, true))
      return false;
    (reader.field() == 1 ? entry.name : entry.bytes) = reader.bytes();
  }
  return !reader.failed() && hasName && hasFeature;
}

bool parseFeatures(std::string_view bytes, std::vector<NamedFeature> &features) {
  MessageReader reader(bytes);
  while (reader.next())
    if (reader.field() != 1 || reader.kind() != Kind::kBytes ||
        !parseEntry(reader.bytes(), features.emplace_back()))
      return false;
  return !reader.failed();
}

// ---- Lists: one field of all numbers, or a field for each

bool takeFloats(std::string_view bytes, std::vector<float> &values) {
  if (bytes.size() % sizeof(float) != 0)
    return false;
  size_t count = bytes.size() / sizeof(float);
  values.resize(values.size() + count);
  if (count > 0)
    std::memcpy(values.data() + values.size() - count, bytes.data(), bytes.size());
  return true;
}

bool takeIntegers(std::string_view bytes, std::vector<int64_t> &values) {
  while (!bytes.empty()) {
    uint64_t number;
    if (!takeVarint(bytes, number))
      return false;
    values.push_back(static_cast<int64_t>(number));
  }
  return true;
}

bool takeOne(MessageReader &reader, std::vector<float> &values) {
  if (reader.kind() == Kind::kBytes)
    return takeFloats(reader.bytes(), values);
  uint32_t bits = reader.fixed32();
  return takeFloats({reinterpret_cast<const char *>(&bits), sizeof bits}, values);
}
bool takeOne(MessageReader &reader, std::vector<int64_t> &values) {
  if (reader.kind() == Kind::kBytes)
    return takeIntegers(reader.bytes(), values);
  values.push_back(static_cast<int64_t>(reader.number()));
  return true;
}
bool takeOne(MessageReader &reader, std::vector<std::string> &values) {
  values.emplace_back(reader.bytes());
  return true;
}

} // namespace

Result<std::vector<NamedFeature>> parseExample(std::string_view bytes) {
  std::vector<NamedFeature> features;
  MessageReader reader(bytes);
  while (reader.next())
    if (reader.field() == 1 && !parseFeatures(reader.bytes(), features))
      return noExample();
  if (reader.failed())
    return noExample();
  return features;
}

// As TensorFlow, which looks at the first field only.
Result<Feature> parseFeature(std::string_view bytes) {
  static constexpr DType kTypes[] = {DType::kString, DType::kF32, DType::kI64};
  MessageReader reader(bytes);
  if (!reader.next())
    return reader.failed() ? Result<Feature>(noExample()) : Result<Feature>(Feature{});
  if (reader.field() > std::size(kTypes) || reader.kind() != Kind::kBytes)
    return invalidArgument("Unsupported datatype.");
  return Feature{kTypes[reader.field() - 1], reader.bytes()};
}

FeatureValues::FeatureValues(DType dtype) {
  if (dtype == DType::kI64)
    values_.emplace<std::vector<int64_t>>();
  else if (dtype == DType::kString)
    values_.emplace<std::vector<std::string>>();
}

DType FeatureValues::dtype() const {
  static constexpr DType kTypes[] = {DType::kF32, DType::kI64, DType::kString};
  return kTypes[values_.index()];
}

size_t FeatureValues::size() const {
  return std::visit([](const auto &values) { return values.size(); }, values_);
}

void FeatureValues::clear() {
  std::visit([](auto &values) { values.clear(); }, values_);
}

bool FeatureValues::append(const Feature &feature) {
  MessageReader reader(feature.list);
  auto takeAll = [&](auto &values) {
    while (reader.next())
      if (reader.field() != 1 || !takeOne(reader, values))
        return false;
    return !reader.failed();
  };
  return std::visit(takeAll, values_);
}

void FeatureValues::copyTo(Tensor &tensor, int64_t to, size_t begin, size_t count) const {
  auto copy = [&](const auto &values) {
    using T = typename std::decay_t<decltype(values)>::value_type;
    std::copy_n(values.begin() + static_cast<ptrdiff_t>(begin), count, tensor.data<T>() + to);
  };
  std::visit(copy, values_);
}

} // namespace sluice::rt
