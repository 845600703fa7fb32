// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer over a file, and the records in it.
#include "runtime/io/records/record_file.h"

#include "runtime/base/cancellation.h"
#include "runtime/base/crc32c.h"
#include "runtime/base/held_memory.h"
#include "runtime/io/bundle/masked_checksum.h"
#include "runtime/io/records/local_path.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

namespace {

constexpr size_t kReadAtOnce = size_t{1} << 18;
constexpr uint64_t kMostBytes = uint64_t{1} << 36; // of a whole file; memory is the nearer limit

// From front to back, and only of a regular file: a pipe might never have anything.
class PartsSource final : public ByteSource {
public:
  PartsSource(std::unique_ptr<FileParts> parts, uint64_t from)
      : parts_(std::move(parts)), used_(from) {}
  Result<size_t> read(char *data, size_t size) override {
    size_t n = static_cast<size_t>(std::min<uint64_t>(size, parts_->size() - used_));
    SLUICE_RETURN_IF_ERROR(parts_->read(used_, data, n));
    used_ += n;
    return n;
  }

private:
  std::unique_ptr<FileParts> parts_;
  uint64_t used_;
};

template <typename T> T numberAt(std::string_view bytes, size_t at) {
  T number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

bool isChecked(std::string_view bytes, uint32_t stored) {
  return maskedChecksum(crc32c(bytes)) == stored;
}

} // namespace

Result<std::unique_ptr<RecordFile>> RecordFile::open(const RecordForm &form, std::string name,
                                                     Disk &disk) {
  std::unique_ptr<RecordFile> file(new RecordFile(form, std::move(name)));
  SLUICE_RETURN_IF_ERROR(file->openSource(0, disk));
  SLUICE_RETURN_IF_ERROR(file->skipHeader());
  return file;
}

Result<std::unique_ptr<RecordFile>> RecordFile::openAt(const RecordForm &form, std::string name,
                                                       Place place, Disk &disk) {
  std::unique_ptr<RecordFile> file(new RecordFile(form, std::move(name)));
  SLUICE_RETURN_IF_ERROR(file->openSource(place.offset, disk));
  file->place_ = place;
  return file;
}

Status RecordFile::openSource(uint64_t offset, Disk &disk) {
  disk_ = &disk;
  if (form_.kind == RecordForm::Kind::kNames || form_.kind == RecordForm::Kind::kWhole)
    return okStatus();
  SLUICE_ASSIGN_OR_RETURN(std::string path, localPath(name_));
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<FileParts> parts, disk.openParts(path));
  bool isCompressed = form_.compression != Compression::kNone;
  bool isThere = isCompressed || offset <= parts->size();
  source_ = std::make_unique<PartsSource>(std::move(parts), isCompressed || !isThere ? 0 : offset);
  if (isCompressed) {
    source_ = std::make_unique<Inflater>(std::move(source_), form_.compression);
    SLUICE_ASSIGN_OR_RETURN(isThere, skip(offset));
  }
  return isThere ? okStatus() : outOfRange("'" + name_ + "' has become shorter than it was");
}

Status RecordFile::skipHeader() {
  std::string line;
  if (form_.kind == RecordForm::Kind::kLines)
    while (place_.number < form_.skippedLines) {
      SLUICE_ASSIGN_OR_RETURN(bool isThere, nextLine(line));
      if (!isThere)
        break; // there are no lines then
    }
  if (form_.kind != RecordForm::Kind::kFixed)
    return okStatus();
  SLUICE_ASSIGN_OR_RETURN(bool isThere, skip(static_cast<uint64_t>(form_.headerBytes)));
  return isThere ? okStatus() : outOfRange("'" + name_ + "' is shorter than its header");
}

// ---- The buffer

Result<bool> RecordFile::fill(size_t size) {
  while (buffer_.size() - begin_ < size) {
    if (Cancellation::requestedHere())
      return cancelledWork();
    buffer_.erase(0, std::exchange(begin_, 0));
    size_t used = buffer_.size(), more = std::max(kReadAtOnce, used); // no more than is there
    if (!memoryAllows(more))
      return resourceExhausted("not enough memory for a record of '" + name_ + "'");
    buffer_.resize(used + more);
    Result<size_t> n = source_->read(buffer_.data() + used, more);
    buffer_.resize(used + (n.ok() ? *n : 0));
    if (!n.ok())
      return Status(n.status().code(), "'" + name_ + "': " + n.status().message());
    if (*n == 0)
      return false;
  }
  return true;
}

void RecordFile::take(size_t size) {
  begin_ += size;
  place_.offset += size;
}

Result<bool> RecordFile::skip(uint64_t size) {
  for (uint64_t left = size; left > 0;) {
    SLUICE_ASSIGN_OR_RETURN(bool isThere, fill(1));
    if (!isThere)
      return false;
    auto n = static_cast<size_t>(std::min<uint64_t>(left, buffer_.size() - begin_));
    take(n);
    left -= n;
  }
  return true;
}

// ---- Records

Result<bool> RecordFile::next(Record &record) {
  Result<bool> isThere = false;
  switch (form_.kind) {
  case RecordForm::Kind::kNames:
  case RecordForm::Kind::kWhole:
    return nextWhole(record);
  case RecordForm::Kind::kLines:
    isThere = nextLine(record.value);
    record.key = name_ + ":" + std::to_string(place_.number);
    break;
  case RecordForm::Kind::kFixed:
    isThere = nextFixed(record);
    break;
  case RecordForm::Kind::kRecords:
    isThere = nextChecked(record);
  }
  ended_ = isThere.ok() && !*isThere;
  return isThere;
}

Result<bool> RecordFile::nextWhole(Record &record) {
  if (place_.number > 0)
    return false;
  record.key = record.value = name_;
  if (form_.kind == RecordForm::Kind::kWhole) {
    SLUICE_ASSIGN_OR_RETURN(std::string path, localPath(name_));
    SLUICE_ASSIGN_OR_RETURN(record.value, disk_->read(path, kMostBytes));
  }
  ++place_.number;
  ended_ = true;
  return true;
}

Result<bool> RecordFile::nextLine(std::string &line) {
  size_t end = 0, searched = 0;
  bool isWhole = true;
  while ((end = buffered().find('\n', searched)) == std::string_view::npos && isWhole) {
    searched = buffered().size();
    SLUICE_ASSIGN_OR_RETURN(isWhole, fill(searched + 1));
  }
  std::string_view rest = buffered();
  if (end == rest.npos && rest.empty())
    return false;
  line = rest.substr(0, end);
  take(end == rest.npos ? rest.size() : end + 1);
  if (line.ends_with('\r'))
    line.pop_back();
  ++place_.number;
  return true;
}

Result<bool> RecordFile::nextFixed(Record &record) {
  auto size = static_cast<size_t>(form_.recordBytes);
  auto hop = static_cast<uint64_t>(form_.hopBytes ? form_.hopBytes : form_.recordBytes);
  // The begin of the next record may be beyond the end, which shows only now.
  uint64_t begin =
      static_cast<uint64_t>(form_.headerBytes) + static_cast<uint64_t>(place_.number) * hop;
  SLUICE_ASSIGN_OR_RETURN(bool isThere, skip(begin - place_.offset));
  if (isThere) {
    SLUICE_ASSIGN_OR_RETURN(isThere, fill(size + static_cast<size_t>(form_.footerBytes)));
  }
  if (!isThere)
    return false;
  record.key = name_ + ":" + std::to_string(place_.number);
  record.value = buffered().substr(0, size);
  take(std::min<uint64_t>(hop, size));
  ++place_.number;
  return true;
}

// A length and its checksum, as many bytes and theirs. What is shorter than the first two is the
// end.
Result<bool> RecordFile::nextChecked(Record &record) {
  constexpr size_t kHead = sizeof(uint64_t) + sizeof(uint32_t), kTail = sizeof(uint32_t);
  auto damaged = [&](const char *what) {
    return Status(Code::kDataLoss, std::string(what) + " record at " +
                                       std::to_string(place_.offset) + " of '" + name_ + "'");
  };
  SLUICE_ASSIGN_OR_RETURN(bool isThere, fill(kHead));
  if (!isThere)
    return false;
  auto length = numberAt<uint64_t>(buffered(), 0);
  if (!isChecked(buffered().substr(0, sizeof length),
                 numberAt<uint32_t>(buffered(), sizeof length)))
    return damaged("corrupted");
  if (length > SIZE_MAX - kHead - kTail)
    return damaged("truncated");
  SLUICE_ASSIGN_OR_RETURN(bool isWhole, fill(kHead + length + kTail));
  if (!isWhole)
    return damaged("truncated");
  std::string_view value = buffered().substr(kHead, length);
  if (!isChecked(value, numberAt<uint32_t>(buffered(), kHead + length)))
    return damaged("corrupted");
  record = {name_ + ":" + std::to_string(place_.offset), std::string(value)};
  take(kHead + length + kTail);
  ++place_.number;
  return true;
}

} // namespace sluice::rt
