// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object of JSON that is written member by member. Names of nodes may hold any bytes, so all
// text is made valid UTF-8 here.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <string>

namespace sluice::report {

class JsonObject {
public:
  JsonObject() { out_.objectBegin(); }
  JsonObject(const JsonObject &) = delete;
  JsonObject &operator=(const JsonObject &) = delete;

  void text(llvm::StringRef key, llvm::StringRef value) {
    out_.attribute(llvm::json::fixUTF8(key), llvm::json::fixUTF8(value));
  }
  template <typename Number> void number(llvm::StringRef key, Number value) {
    out_.attribute(llvm::json::fixUTF8(key), static_cast<int64_t>(value));
  }
  void milliseconds(llvm::StringRef key, double value) {
    out_.attribute(key, std::round(value * 1000) / 1000);
  }
  void flag(llvm::StringRef key, bool value) { out_.attribute(key, value); }

  template <typename Texts> void texts(llvm::StringRef key, const Texts &values) {
    out_.attributeArray(key, [&] {
      for (const auto &value : values)
        out_.value(llvm::json::fixUTF8(value));
    });
  }
  template <typename Numbers> void numbers(llvm::StringRef key, const Numbers &values) {
    out_.attributeArray(key, [&] {
      for (auto value : values)
        out_.value(static_cast<int64_t>(value));
    });
  }
  template <typename Write> void object(llvm::StringRef key, Write write) {
    out_.attributeObject(key, write);
  }
  // An object for each value.
  template <typename Values, typename Write>
  void list(llvm::StringRef key, const Values &values, Write write) {
    out_.attributeArray(key, [&] {
      for (const auto &value : values)
        out_.object([&] { write(value); });
    });
  }

  std::string finish() {
    out_.objectEnd();
    return std::move(text_);
  }

private:
  std::string text_;
  llvm::raw_string_ostream stream_{text_};
  llvm::json::OStream out_{stream_};
};

} // namespace sluice::report
