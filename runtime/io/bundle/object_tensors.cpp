// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects have attributes, of which each has a name and a key.
#include "runtime/io/bundle/object_tensors.h"

#include "runtime/io/bundle/message.h"

#include <set>

namespace sluice::rt {

namespace {

using Kind = MessageReader::Kind;

class Objects {
public:
  bool parse(std::string_view bytes) {
    return eachMessage(bytes, 1, [&](std::string_view object) {
      return eachMessage(object, 2, [&](std::string_view attribute) { return add(attribute); });
    });
  }
  std::map<std::string, std::string> take() {
    for (const std::string &name : ambiguous_)
      keys_.erase(name);
    return std::move(keys_);
  }

private:
  template <typename Each>
  static bool eachMessage(std::string_view bytes, uint32_t field, const Each &each) {
    MessageReader reader(bytes);
    while (reader.next())
      if (reader.field() == field && reader.kind() == Kind::kBytes && !each(reader.bytes()))
        return false;
    return !reader.failed();
  }

  bool add(std::string_view attribute) {
    std::string name, key;
    MessageReader reader(attribute);
    while (reader.next()) {
      if (reader.kind() != Kind::kBytes)
        continue;
      if (reader.field() == 2)
        name = reader.bytes();
      else if (reader.field() == 3)
        key = reader.bytes();
    }
    auto [known, isNew] = keys_.try_emplace(name, key);
    if (!isNew && known->second != key)
      ambiguous_.insert(name);
    return !reader.failed();
  }

  std::map<std::string, std::string> keys_;
  std::set<std::string> ambiguous_;
};

} // namespace

Result<std::map<std::string, std::string>> tensorsOfVariables(std::string_view bytes) {
  Objects objects;
  if (!objects.parse(bytes))
    return Status(Code::kDataLoss,
                  "tensor '" + std::string(kObjectGraph) + "': is no list of objects");
  std::map<std::string, std::string> keys = objects.take();
  keys.erase(""); // of what is no variable
  return keys;
}

} // namespace sluice::rt
