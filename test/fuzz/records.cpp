// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes what reads records of files. The first byte chooses: an example; the list of a feature; a
// line of fields; a serialized tensor; a regular expression, of which the second byte says how long
// it is, and a text; a file of records.
#include "runtime/io/bundle/message.h"
#include "runtime/io/memory_disk.h"
#include "runtime/io/records/csv.h"
#include "runtime/io/records/example.h"
#include "runtime/io/records/record_file.h"
#include "runtime/io/records/tensor_proto.h"
#include "runtime/pattern/pattern.h"
#include "test/fuzz/fuzz_target.h"

#include <algorithm>

using namespace sluice;

static constexpr rt::DType kFeatureTypes[] = {rt::DType::kF32, rt::DType::kI64, rt::DType::kString};

static void readList(const rt::Feature &feature) {
  rt::FeatureValues values(feature.dtype);
  if (values.append(feature))
    fuzz::require(values.size() <= feature.list.size(), "a value has a byte at least");
}

static void readExample(std::string_view bytes) {
  auto features = rt::parseExample(bytes);
  if (!features.ok())
    return;
  for (const rt::NamedFeature &named : *features)
    if (auto feature = rt::parseFeature(named.bytes);
        feature.ok() && feature->dtype != rt::DType::kInvalid)
      readList(*feature);
}

static void readLine(std::string_view line) {
  auto all = rt::splitCsv(line, {});
  if (!all.ok())
    return;
  rt::Tensor number = rt::Tensor::scalar(0.0);
  size_t bytes = 0;
  for (const std::string &field : *all) {
    bytes += field.size();
    (void)rt::storeField(field, number, 0);
  }
  fuzz::require(bytes <= line.size(), "fields are parts of the line");
  const int64_t columns[] = {1};
  auto second = rt::splitCsv(line, {.columns = columns});
  fuzz::require(second.ok() && (all->size() < 2 || (*second)[0] == (*all)[1]),
                "a column is the field of its position");
}

// As many elements as a tensor says that it has, which may be more than there is memory for.
static bool isSmall(std::string_view message) {
  constexpr int64_t kMost = 1 << 16;
  int64_t elements = 1;
  rt::MessageReader fields(message);
  while (fields.next()) {
    if (fields.field() != 2 || fields.kind() != rt::MessageReader::Kind::kBytes)
      continue;
    rt::MessageReader dims(fields.bytes());
    while (dims.next()) {
      if (dims.field() != 2 || dims.kind() != rt::MessageReader::Kind::kBytes)
        continue;
      rt::MessageReader dim(dims.bytes());
      while (dim.next())
        if (dim.kind() == rt::MessageReader::Kind::kNumber && dim.number() > 1 &&
            (dim.number() > kMost || (elements *= static_cast<int64_t>(dim.number())) > kMost))
          return false;
    }
  }
  return true;
}

static void readTensor(std::string_view rest) {
  if (!isSmall(rest.substr(1)))
    return;
  auto dtype = static_cast<rt::DType>(static_cast<unsigned char>(rest[0]) %
                                      static_cast<int>(rt::DType::kHandle));
  auto tensor = rt::parseTensorProto(rest.substr(1), dtype);
  if (!tensor.ok())
    return;
  auto again = rt::parseTensorProto(rt::tensorProtoOf(*tensor), dtype);
  fuzz::require(again.ok() && again->shape() == tensor->shape(),
                "what is read can be written and read again");
}

static void match(std::string_view rest) {
  size_t length = std::min(rest.size() - 1, size_t{static_cast<unsigned char>(rest[0])});
  auto pattern = rt::Pattern::parse(rest.substr(1, length));
  if (!pattern.ok())
    return;
  std::string_view text = rest.substr(1 + length);
  constexpr size_t kMost = 64; // a pattern may be long
  text = text.substr(0, kMost);
  bool matches = *pattern->matchesAll(text);
  std::string once = *pattern->replace(text, "\\0", false);
  fuzz::require(once == text, "what is replaced by itself stays");
  fuzz::require(*pattern->replace(text, "\\0", true) == text, "all of it, too");
  if (matches)
    fuzz::require(*pattern->replace(text, "x\\0", false) != text, "what matches is found");
}

static void readRecords(std::string_view rest) {
  rt::MemoryDisk disk;
  disk.files["f"] = std::string(rest.substr(1));
  auto choice = static_cast<unsigned char>(rest[0]);
  rt::RecordForm form;
  form.kind = static_cast<rt::RecordForm::Kind>(choice % 5);
  form.compression = static_cast<rt::Compression>(choice / 5 % 3);
  form.skippedLines = form.headerBytes = choice / 15 % 3;
  form.recordBytes = 3;
  form.hopBytes = choice / 45;
  auto file = rt::RecordFile::open(form, "f", disk);
  if (!file.ok())
    return;
  rt::Record record, again;
  for (int i = 0; i < 100; ++i) {
    auto place = (*file)->place();
    auto isThere = (*file)->next(record);
    if (!isThere.ok() || !*isThere)
      return;
    auto other = rt::RecordFile::openAt(form, "f", place, disk);
    fuzz::require(other.ok() && *(*other)->next(again) && again.value == record.value &&
                      again.key == record.key,
                  "a place has the record that was there");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return -1;
  std::string_view rest = fuzz::textOf(data + 1, size - 1);
  switch (data[0] % 6) {
  case 0:
    readExample(rest);
    break;
  case 1:
    readList({kFeatureTypes[data[1] % 3], rest.substr(1)});
    break;
  case 2:
    readLine(rest);
    break;
  case 3:
    readTensor(rest);
    break;
  case 4:
    match(rest);
    break;
  default:
    readRecords(rest);
  }
  return 0;
}
