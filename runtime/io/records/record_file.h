// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that are read record by record.
#pragma once

#include "runtime/io/records/inflater.h"

#include <memory>
#include <string>

namespace sluice::rt {

struct RecordForm {
  enum class Kind : uint8_t {
    kNames,   // the name of the file, which is not opened
    kWhole,   // the file
    kLines,   // a line, without its end
    kFixed,   // so many bytes
    kRecords, // what a TFRecord file holds
  };
  Kind kind = Kind::kNames;
  // Of lines how many come before the first one that counts; of fixed ones the bytes before the
  // first one, of each, behind the last one, and from the begin of one to that of the next.
  int64_t skippedLines = 0, headerBytes = 0, recordBytes = 0, footerBytes = 0, hopBytes = 0;
  Compression compression = Compression::kNone;
  bool operator==(const RecordForm &) const = default;
};

struct Record {
  std::string key, value;
};

class RecordFile {
public:
  // Where a record begins: in the bytes that are not compressed, and which it is.
  struct Place {
    uint64_t offset = 0;
    int64_t number = 0;
  };

  // At its first record, or at one whose place was said. Only files that are regular ones.
  static Result<std::unique_ptr<RecordFile>> open(const RecordForm &form, std::string name,
                                                  Disk &disk);
  static Result<std::unique_ptr<RecordFile>> openAt(const RecordForm &form, std::string name,
                                                    Place place, Disk &disk);

  // False at the end. DATA_LOSS where a checksum is wrong or the file was cut off; the place stays
  // where it was then, and so does what comes next. CANCELLED once the call is to end.
  Result<bool> next(Record &record);
  // Whether it is known that nothing comes, also without trying.
  bool hasEnded() const { return ended_; }
  // Of the next record.
  Place place() const { return place_; }
  const std::string &name() const { return name_; }

private:
  RecordFile(const RecordForm &form, std::string name) : form_(form), name_(std::move(name)) {}
  Status openSource(uint64_t offset, Disk &disk);
  Status skipHeader();
  // Whether so many bytes are in the buffer, or more, from the place on.
  Result<bool> fill(size_t size);
  Result<bool> skip(uint64_t size);
  void take(size_t size);
  std::string_view buffered() const { return std::string_view(buffer_).substr(begin_); }

  Result<bool> nextWhole(Record &record);
  Result<bool> nextLine(std::string &line);
  Result<bool> nextFixed(Record &record);
  Result<bool> nextChecked(Record &record);

  RecordForm form_;
  std::string name_;
  Disk *disk_ = nullptr; // of whole files
  std::unique_ptr<ByteSource> source_;
  std::string buffer_; // what was read from `place_` on, behind `begin_`
  size_t begin_ = 0;
  Place place_;
  bool ended_ = false;
};

} // namespace sluice::rt
