// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parser of .npy headers: a Python dict of literals, read by a strict grammar.
#include "runtime/io/dtype_names.h"
#include "runtime/io/npy.h"
#include "runtime/io/number_text.h"

#include <charconv>

namespace sluice::rt {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
// numpy itself writes a few hundred bytes and refuses more than 10,000 by default.
constexpr size_t kMaxHeader = 65536;

class DictParser {
public:
  explicit DictParser(std::string_view text) : text_(text) {}

  Result<NpyHeader> parse() {
    if (!take('{'))
      return unexpected("'{'");
    while (!take('}')) {
      SLUICE_RETURN_IF_ERROR(parseEntry());
      if (take(','))
        continue;
      if (!take('}'))
        return unexpected("',' or '}'");
      break;
    }
    skipSpace();
    if (at_ != text_.size())
      return unexpected("the end of the header");
    if (!seenDescr_ || !seenOrder_ || !seenShape_)
      return invalidArgument(std::string("npy header has no key '") +
                             (!seenDescr_   ? "descr"
                              : !seenOrder_ ? "fortran_order"
                                            : "shape") +
                             "'");
    return std::move(header_);
  }

private:
  Status parseEntry() {
    std::string_view key;
    if (!takeString(key))
      return unexpected("a key in quotes");
    if (!take(':'))
      return unexpected("':'");
    bool *seen = key == "descr"           ? &seenDescr_
                 : key == "fortran_order" ? &seenOrder_
                 : key == "shape"         ? &seenShape_
                                          : nullptr;
    if (!seen)
      return invalidArgument("expected the keys 'descr', 'fortran_order' and 'shape' in the npy "
                             "header but got " +
                             quoted(key, 40));
    if (std::exchange(*seen, true))
      return invalidArgument("npy header has the key '" + std::string(key) + "' twice");
    if (seen == &seenDescr_)
      return parseDescr();
    return seen == &seenOrder_ ? parseOrder() : parseShape();
  }

  Status parseDescr() {
    skipSpace();
    if (at_ < text_.size() && text_[at_] == '[')
      return invalidArgument("expected an npy file of numbers but got one of records");
    std::string_view name;
    if (!takeString(name))
      return unexpected("a dtype in quotes");
    std::optional<DType> dtype = dtypeFromNumpyName(name);
    if (!dtype)
      return refuseDescr(name);
    header_.dtype = *dtype;
    return {};
  }

  static Status refuseDescr(std::string_view name) {
    std::string hint;
    if (name.starts_with('>'))
      hint = ": big-endian data; convert it with array.astype(array.dtype.newbyteorder('<'))";
    else if (name.starts_with("|O"))
      hint = ": Python objects";
    else if (name.find_first_of("US") != name.npos)
      hint = ": strings; use a .json file for them";
    return invalidArgument("expected a little-endian bool, integer, float or complex npy dtype "
                           "but got " +
                           quoted(name, 40) + hint);
  }

  Status parseOrder() {
    if (takeWord("True"))
      header_.fortranOrder = true;
    else if (!takeWord("False"))
      return unexpected("True or False");
    return {};
  }

  Status parseShape() {
    if (!take('('))
      return unexpected("'(' of the shape");
    bool comma = true;
    while (!take(')')) {
      if (!comma)
        return unexpected("',' or ')'");
      int64_t dim;
      if (!takeDim(dim))
        return unexpected("a dim from 0 to 9223372036854775807");
      if (header_.shape.rank() == Shape::kMaxRank)
        return invalidArgument(format("npy shape has more than %d dims", Shape::kMaxRank));
      header_.shape.append(dim);
      comma = take(',');
    }
    // `(3)` is a number in Python, not a tuple.
    if (header_.shape.rank() == 1 && !comma)
      return invalidArgument("expected a tuple like (3,) as npy shape but got a number");
    SLUICE_ASSIGN_OR_RETURN([[maybe_unused]] int64_t elements, header_.shape.checkedElements());
    return {};
  }

  void skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
      ++at_;
  }
  bool take(char c) {
    skipSpace();
    if (at_ == text_.size() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }
  bool takeWord(std::string_view word) {
    skipSpace();
    if (!text_.substr(at_).starts_with(word))
      return false;
    at_ += word.size();
    return true;
  }
  // Without escapes: no key or dtype needs one.
  bool takeString(std::string_view &value) {
    skipSpace();
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"'))
      return false;
    size_t end = text_.find(text_[at_], at_ + 1);
    if (end == text_.npos)
      return false;
    value = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return value.find('\\') == value.npos;
  }
  bool takeDim(int64_t &dim) {
    skipSpace();
    auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), dim);
    if (error != std::errc() || dim < 0)
      return false;
    at_ = static_cast<size_t>(end - text_.data());
    return true;
  }

  Status unexpected(const char *wanted) const {
    return invalidArgument(format("expected %s at byte %zu of the npy dict but got ", wanted, at_) +
                           (at_ >= text_.size() ? "its end" : quoted(text_.substr(at_), 20)));
  }

  std::string_view text_;
  size_t at_ = 0;
  bool seenDescr_ = false, seenOrder_ = false, seenShape_ = false;
  NpyHeader header_;
};

} // namespace

Result<size_t> npyHeaderLength(std::string_view prefix) {
  if (!prefix.starts_with(kMagic) || prefix.size() < 8)
    return invalidArgument("expected an npy file, which starts with \"\\x93NUMPY\" and a version");
  auto byte = [&](size_t i) { return static_cast<unsigned char>(prefix[i]); };
  int version = byte(6);
  if (version < 1 || version > 3 || byte(7) != 0)
    return invalidArgument(
        format("expected npy version 1.0, 2.0 or 3.0 but got %d.%d", version, byte(7)));
  size_t start = version == 1 ? 10 : 12;
  if (prefix.size() < start)
    return invalidArgument("npy file ends within its header");
  size_t length = 0;
  for (size_t i = start; i-- > 8;)
    length = length << 8 | byte(i);
  if (length > kMaxHeader)
    return invalidArgument(
        format("expected an npy header of at most %zu bytes but got %zu", kMaxHeader, length));
  return start + length;
}

Result<NpyHeader> parseNpyHeader(std::string_view bytes) {
  SLUICE_ASSIGN_OR_RETURN(size_t end, npyHeaderLength(bytes));
  size_t start = bytes[6] == 1 ? 10 : 12;
  if (end > bytes.size())
    return invalidArgument(format("npy header of %zu bytes goes beyond the end of the file, where "
                                  "%zu are left",
                                  end - start, bytes.size() - start));
  SLUICE_ASSIGN_OR_RETURN(NpyHeader header, DictParser(bytes.substr(start, end - start)).parse());
  header.dataOffset = end;
  return header;
}

} // namespace sluice::rt
