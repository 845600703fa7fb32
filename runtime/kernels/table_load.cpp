// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// state.table_load: a table of the lines of a text file, as TensorFlow reads vocabularies.
#include "runtime/base/pieces.h"
#include "runtime/io/disk.h"
#include "runtime/io/number_text.h"
#include "runtime/io/white_space.h"
#include "runtime/kernels/attributes/state.h"
#include "runtime/kernels/declare.h"
#include "runtime/state/handle.h"
#include "runtime/state/table.h"

#include <algorithm>
#include <vector>

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfLine = 512;
constexpr int64_t kLineNumber = -1, kWholeLine = -2;
constexpr uint64_t kMostBytes = uint64_t{1} << 36; // of the file; memory is the nearer limit

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

  void take(std::string_view line, const std::vector<std::string_view> &parts) {
    if (index != kLineNumber)
      texts.emplace_back(index == kWholeLine ? line : parts[static_cast<size_t>(index)]);
  }

  Result<Tensor> all(int64_t lines, int64_t offset) const {
    SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(dtype, Shape({lines})));
    TurnsOfCall turns(kCostOfLine);
    for (int64_t i = 0; i < lines; ++i) {
      if (turns.end())
        return cancelledWork();
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
      if (dtype == DType::kI32) { // as TensorFlow does, of all types for this one
        auto value = static_cast<uint32_t>(tensor.data<int32_t>()[i]);
        tensor.data<int32_t>()[i] = static_cast<int32_t>(value + static_cast<uint32_t>(offset));
      }
    }
    return tensor;
  }
};

// Cuts off the first line, and returns it without its end, "\n" or "\r\n".
std::string_view takeLine(std::string_view &rest) {
  size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  if (!line.empty() && line.back() == '\r')
    line.remove_suffix(1);
  return line;
}

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
    SLUICE_ASSIGN_OR_RETURN(std::string content, disk.read(path_, kMostBytes));
    int64_t most = given_.vocabSize();
    TurnsOfCall turns(kCostOfLine);
    for (std::string_view rest = content; !rest.empty() && (most < 0 || count_ < most);) {
      if (turns.end())
        return cancelledWork();
      SLUICE_RETURN_IF_ERROR(take(takeLine(rest)));
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
  Status take(std::string_view line) {
    if (line.empty())
      return invalidArgument(format("Invalid content in %s: line %lld is empty", path_.c_str(),
                                    static_cast<long long>(count_)));
    int64_t last = std::max(key_.index, value_.index);
    std::vector<std::string_view> parts;
    if (last >= 0)
      parts = split(line, given_.delimiter().front());
    if (last >= static_cast<int64_t>(parts.size()))
      return invalidArgument(
          format("Invalid number of columns in %s line %lld (%s): expected %llu got %zu",
                 path_.c_str(), static_cast<long long>(count_), quoted(line, 60).c_str(),
                 static_cast<unsigned long long>(last) + 1, parts.size()));
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

// Files are read.
uint64_t loadWork(const KernelCall &) { return uint64_t{1} << 30; }

} // namespace

SLUICE_DEFINE_LONG_EFFECT_KERNEL(state_table_load, nullptr, loadRun, loadWork)

} // namespace sluice::rt
