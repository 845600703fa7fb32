// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing and printing of device names.
#include "compiler/import/DeviceName.h"

#include "llvm/ADT/StringExtras.h"

namespace sluice::import {

using llvm::StringRef;

namespace {

// Takes a name of letters, digits and underscores that starts with a letter, or "*", which says
// nothing.
bool takeWord(StringRef &text, std::optional<std::string> &part) {
  if (text.consume_front("*")) {
    part.reset();
    return true;
  }
  size_t length = text.find_if_not([](char c) { return llvm::isAlnum(c) || c == '_'; });
  StringRef word = text.take_front(length);
  if (word.empty() || !llvm::isAlpha(word.front()))
    return false;
  part = word.str();
  text = text.drop_front(word.size());
  return true;
}

// Takes a number below 2^31, or "*".
bool takeNumber(StringRef &text, std::optional<uint32_t> &part) {
  if (text.consume_front("*")) {
    part.reset();
    return true;
  }
  StringRef digits = text.take_while(llvm::isDigit);
  int32_t number = 0;
  if (digits.empty() || digits.getAsInteger(10, number))
    return false;
  part = static_cast<uint32_t>(number);
  text = text.drop_front(digits.size());
  return true;
}

bool takeDevice(StringRef &text, DeviceName &name) {
  if (!takeWord(text, name.type))
    return false;
  for (const char *known : {"CPU", "GPU"})
    if (name.type && StringRef(*name.type).equals_insensitive(known))
      name.type = known;
  name.index.reset();
  return !text.consume_front(":") || takeNumber(text, name.index);
}

// The old form: "/cpu:0", "/GPU:*".
bool takeOldDevice(StringRef &text, DeviceName &name) {
  for (const char *known : {"CPU", "GPU"})
    if (text.starts_with_insensitive(std::string(known) + ":")) {
      name.type = known;
      text = text.drop_front(4);
      return takeNumber(text, name.index);
    }
  return false;
}

bool takePart(StringRef &text, DeviceName &name) {
  if (text.consume_front("job:"))
    return takeWord(text, name.job);
  if (text.consume_front("replica:"))
    return takeNumber(text, name.replica);
  if (text.consume_front("task:"))
    return takeNumber(text, name.task);
  if (text.consume_front("device:"))
    return takeDevice(text, name);
  return takeOldDevice(text, name);
}

template <typename Part> bool fits(const Part &wanted, const Part &has) {
  return !wanted || wanted == has;
}

} // namespace

std::optional<DeviceName> DeviceName::parse(StringRef text) {
  DeviceName name;
  while (!text.empty())
    if (!text.consume_front("/") || !takePart(text, name))
      return std::nullopt;
  return name;
}

StringRef DeviceName::expectedForm() {
  return "'/job:NAME/replica:N/task:N/device:CPU:N', of which parts may be missing or '*'";
}

bool DeviceName::allows(const DeviceName &full) const {
  return fits(job, full.job) && fits(replica, full.replica) && fits(task, full.task) &&
         fits(type, full.type) && fits(index, full.index);
}

std::string DeviceName::text() const {
  std::string result;
  if (job)
    result += "/job:" + *job;
  if (replica)
    result += "/replica:" + std::to_string(*replica);
  if (task)
    result += "/task:" + std::to_string(*task);
  if (type || index)
    result += "/device:" + type.value_or("*") + ":" + (index ? std::to_string(*index) : "*");
  return result;
}

} // namespace sluice::import
