// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// state.table_load: a table of the lines of a text file, as TensorFlow reads vocabularies.
#include "runtime/io/disk.h"
#include "runtime/io/number_text.h"
#include "runtime/kernels/attributes.h"
#include "runtime/kernels/declare.h"
#include "runtime/state/handle.h"
#include "runtime/state/table.h"

#include <algorithm>
#include <vector>

namespace sluice::rt {

namespace {

constexpr int64_t kLineNumber = -1, kWholeLine = -2;

// What a key or a value is in a line, and what it was in all lines so far.
struct Column {
  const char *what; // "key"
  int64_t index;
  DType dtype;
  std::vector<std::string> texts; // empty for numbers of lines

  Status check() const {
    bool fits = true;
    if (index == kLineNumber)
      fits = dtype == DType::kI64;
    else if (index == kWholeLine)
      fits = dtype == DType::kString || dtype == DType::kI32 || dtype == DType::kI64;
    else if (index < 0)
      return invalidArgument(format("expected at least -2 as index of the %s but got %lld", what,
                                    static_cast<long long>(index)));
    if (fits)
      return okStatus();
    return invalidArgument(format("expected a table whose %s is %s but it is %s", what,
                                  index == kLineNumber ? "i64, as the number of a line is"
                                                       : "a string or an integer, as a line may be",
                                  std::string(dtypeName(dtype)).c_str()));
  }

  void take(const std::string &line, const std::vector<std::string_view> &parts) {
    if (index != kLineNumber)
      texts.emplace_back(index == kWholeLine ? std::string_view(line)
                                             : parts[static_cast<size_t>(index)]);
  }

  Result<Tensor> all(int64_t lines, int64_t offset) const {
    SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(dtype, Shape({lines})));
    for (int64_t i = 0; i < lines; ++i) {
      if (index == kLineNumber) {
        tensor.data<int64_t>()[i] = i + offset;
        continue;
      }
      std::string_view text = texts[static_cast<size_t>(i)];
      if (dtype != DType::kString)
        text = trimmed(text);
      if (!parseElement(text, tensor, i).ok())
        return invalidArgument(format("Field %s in line %lld is not a valid %s.",
                                      quoted(text, 60).c_str(), static_cast<long long>(i),
                                      std::string(dtypeName(dtype)).c_str()));
    }
    return tensor;
  }

private:
  static std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpaces = " \t\n\v\f\r";
    size_t first = text.find_first_not_of(kSpaces);
    return first == text.npos ? std::string_view()
                              : text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
  }
};

// The lines of a file, without what ends them. As TensorFlow reads them, no line has a '\r'.
class Lines {
public:
  explicit Lines(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  // False at the end.
  Result<bool> next(std::string &line) {
    line.clear();
    for (;;) {
      for (; position_ < size_; ++position_) {
        char c = buffer_[position_];
        if (c == '\n') {
          ++position_;
          return true;
        }
        if (c != '\r')
          line += c;
      }
      position_ = 0;
      SLUICE_ASSIGN_OR_RETURN(size_, source_->read(buffer_.data(), buffer_.size()));
      if (size_ == 0)
        return !line.empty();
    }
  }

private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_ = std::vector<char>(size_t{1} << 16);
  size_t position_ = 0, size_ = 0;
};

std::vector<std::string_view> split(std::string_view line, char delimiter) {
  std::vector<std::string_view> parts;
  for (;;) {
    size_t end = line.find(delimiter);
    parts.push_back(line.substr(0, end));
    if (end == line.npos)
      return parts;
    line.remove_prefix(end + 1);
  }
}

class TableFile {
public:
  TableFile(std::string path, attributes::state::TableLoad given, const Table &table)
      : path_(std::move(path)), given_(given), key_{"key", given.keyIndex(), table.keyType(), {}},
        value_{"value", given.valueIndex(), table.valueType(), {}} {}

  Status read() {
    SLUICE_RETURN_IF_ERROR(key_.check());
    SLUICE_RETURN_IF_ERROR(value_.check());
    HostDisk disk;
    SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, disk.open(path_));
    Lines lines(std::move(source));
    int64_t most = given_.vocabSize();
    std::string line;
    while (most < 0 || count_ < most) {
      SLUICE_ASSIGN_OR_RETURN(bool isThere, lines.next(line));
      if (!isThere)
        break;
      SLUICE_RETURN_IF_ERROR(take(line));
    }
    if (count_ == 0)
      return outOfRange("no line of '" + path_ + "' counts");
    if (count_ < most)
      return invalidArgument(format("Invalid vocab_size in %s: expected %lld but got %lld",
                                    path_.c_str(), static_cast<long long>(most),
                                    static_cast<long long>(count_)));
    return okStatus();
  }

  Result<Tensor> keys() const { return key_.all(count_, given_.offset()); }
  Result<Tensor> values() const { return value_.all(count_, given_.offset()); }

private:
  Status take(const std::string &line) {
    if (line.empty())
      return invalidArgument(format("Invalid content in %s: line %lld is empty", path_.c_str(),
                                    static_cast<long long>(count_)));
    int64_t last = std::max(key_.index, value_.index);
    std::vector<std::string_view> parts;
    if (last >= 0)
      parts = split(line, given_.delimiter().front());
    if (static_cast<int64_t>(parts.size()) < last + 1)
      return invalidArgument(
          format("Invalid number of columns in %s line %lld (%s): expected %lld got %zu",
                 path_.c_str(), static_cast<long long>(count_), quoted(line, 60).c_str(),
                 static_cast<long long>(last + 1), parts.size()));
    key_.take(line, parts);
    value_.take(line, parts);
    ++count_;
    return okStatus();
  }

  std::string path_;
  attributes::state::TableLoad given_;
  Column key_, value_;
  int64_t count_ = 0;
};

Status loadRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Table * table, objectOf<Table>(call.input(0)));
  const Tensor &filename = call.input(1);
  if (filename.rank() != 0)
    return invalidArgument("filename should be a single string, but got " +
                           filename.shape().toString());
  std::string path = *filename.data<std::string>();
  if (path.empty())
    return invalidArgument("filename cannot be empty.");
  TableFile file(std::move(path), attributes::state::TableLoad(call), *table);
  SLUICE_RETURN_IF_ERROR(file.read());
  if (table->isFilled())
    return okStatus();
  SLUICE_ASSIGN_OR_RETURN(Tensor keys, file.keys());
  SLUICE_ASSIGN_OR_RETURN(Tensor values, file.values());
  return table->fill(keys, values, true);
}

} // namespace

SLUICE_DEFINE_EFFECT_KERNEL(state_table_load, nullptr, loadRun)

} // namespace sluice::rt
