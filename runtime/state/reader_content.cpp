// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a reader is between calls: as TensorFlow writes it, and as checkpoints have it.
#include "runtime/io/bundle/message.h"
#include "runtime/state/content_reader.h"
#include "runtime/state/reader.h"

namespace sluice::rt {

// ---- Messages: the numbers of files started and finished, that of records, and the file

static bool isPlaceless(RecordForm::Kind kind) {
  return kind == RecordForm::Kind::kNames || kind == RecordForm::Kind::kWhole;
}

Result<std::string> Reader::serialize() const {
  if (!isPlaceless(options_.form.kind))
    return unimplemented("Reader SerializeState");
  MessageWriter writer;
  writer.number(1, static_cast<uint64_t>(counts_.started));
  writer.number(2, static_cast<uint64_t>(counts_.finished));
  writer.number(3, static_cast<uint64_t>(counts_.records));
  if (!current_.empty())
    writer.bytes(4, current_);
  return writer.take();
}

Status Reader::deserialize(std::string_view state) {
  reset();
  if (!isPlaceless(options_.form.kind))
    return unimplemented("Reader RestoreState");
  Counts counts;
  std::string current;
  MessageReader reader(state);
  while (reader.next()) {
    int64_t *numbers[] = {&counts.started, &counts.finished, &counts.records};
    if (reader.field() <= 3)
      *numbers[reader.field() - 1] = static_cast<int64_t>(reader.number());
    else if (reader.field() == 4)
      current = reader.bytes();
  }
  if (reader.failed())
    return invalidArgument("Could not parse state for " + title());
  if (counts.started < 0 || counts.finished < 0 || counts.records < 0)
    return invalidArgument("Unexpected negative value when restoring in " + title());
  if (counts.started > counts.finished)
    return invalidArgument("Inconsistent work started vs. finished when restoring in " + title());
  counts_ = counts;
  counts_.started = counts_.finished;
  current_ = std::move(current);
  return okStatus();
}

// ---- Contents

static Tensor numbers(std::initializer_list<int64_t> values) {
  return Tensor::vector<int64_t>(std::span(values.begin(), values.size()));
}

Result<std::vector<NamedTensor>> Reader::content() const {
  const RecordForm &form = options_.form;
  std::vector<NamedTensor> content;
  content.emplace_back("title", Tensor::string(options_.title));
  content.emplace_back("form", numbers({static_cast<int64_t>(form.kind), form.skippedLines,
                                        form.headerBytes, form.recordBytes, form.footerBytes,
                                        form.hopBytes, static_cast<int64_t>(form.compression)}));
  content.emplace_back("counts", numbers({counts_.started, counts_.finished, counts_.records}));
  content.emplace_back("file", Tensor::string(current_));
  content.emplace_back("place", numbers({static_cast<int64_t>(place_.offset), place_.number}));
  std::lock_guard<std::mutex> lock(mutex_);
  if (next_)
    content.emplace_back("next", *next_);
  return content;
}

Result<Ref<Reader>> Reader::ofContent(std::vector<NamedTensor> content) {
  bool hasNext = !content.empty() && content.back().first == "next";
  ContentReader in("reader", std::move(content));
  Options options;
  options.title = in.text("title");
  Tensor form = in.take("form", DType::kI64, 1), counts = in.take("counts", DType::kI64, 1);
  std::string current = in.text("file");
  Tensor place = in.take("place", DType::kI64, 1), next;
  if (hasNext)
    next = in.takeAny("next");
  SLUICE_RETURN_IF_ERROR(in.status());
  if (form.elements() != 7 || counts.elements() != 3 || place.elements() != 2)
    return in.refuse("another number of numbers");
  const auto *f = form.data<int64_t>(), *c = counts.data<int64_t>(), *p = place.data<int64_t>();
  constexpr auto kKinds = static_cast<int64_t>(RecordForm::Kind::kRecords) + 1;
  constexpr auto kCompressions = static_cast<int64_t>(Compression::kGzip) + 1;
  if (f[0] < 0 || f[0] >= kKinds || f[6] < 0 || f[6] >= kCompressions)
    return in.refuse("a form that there is not");
  if (c[1] < 0 || c[0] < c[1] || c[0] - c[1] > 1 || c[2] < 0 || p[0] < 0 || p[1] < 0)
    return in.refuse("numbers that cannot be");
  if (next.valid() && next.dtype() != DType::kString)
    return in.refuse("a name that is no string");
  options.form = {static_cast<RecordForm::Kind>(f[0]), f[1], f[2], f[3], f[4], f[5],
                  static_cast<Compression>(f[6])};
  SLUICE_ASSIGN_OR_RETURN(Ref<Reader> reader, make(std::move(options)));
  reader->counts_ = {c[0], c[1], c[2]};
  reader->current_ = std::move(current);
  reader->place_ = {static_cast<uint64_t>(p[0]), p[1]};
  reader->mayRead_ = reader->isUnderWay();
  if (next.valid())
    reader->next_ = next;
  return reader;
}

constexpr ObjectType kReaderType = objectTypeOf<Reader>("reader");

} // namespace sluice::rt
