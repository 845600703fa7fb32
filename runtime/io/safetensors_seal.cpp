// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two members make the seal, so that a file whose damage has renamed one of them is not taken for
// one of others.
#include "runtime/io/safetensors_seal.h"

#include "runtime/base/crc32c.h"

namespace sluice::rt {

namespace {

constexpr std::string_view kOpen =
    R"("__metadata__":{"sluice_version":"1","sluice_checksum":"crc32c:00000000"})";
constexpr std::string_view kPrefix = "sluice_", kVersion = "1";
constexpr std::string_view kBeforeDigits = R"("sluice_checksum":"crc32c:)";
constexpr size_t kDigits = 8;

Status damaged(const std::string &how) {
  return {Code::kDataLoss, "the file is damaged: " + how + "; use another copy of it"};
}

} // namespace

std::string_view openSeal() { return kOpen; }

void closeSeal(std::string &head, uint32_t checksum) {
  size_t digits = head.find(kBeforeDigits) + kBeforeDigits.size();
  head.replace(digits, kDigits, format("%08x", checksum));
}

Result<std::optional<Seal>> Seal::find(std::string_view head, const Json *metadata) {
  bool sealed = false;
  for (size_t i = 0; metadata && i < metadata->keys.size(); ++i) {
    if (!metadata->items[i].is(Json::Kind::kString))
      return invalidArgument("expected texts as members of '__metadata__'");
    sealed |= std::string_view(metadata->keys[i]).starts_with(kPrefix);
  }
  if (!sealed)
    return std::optional<Seal>();
  const Json *version = metadata->find("sluice_version");
  const Json *checksum = metadata->find("sluice_checksum");
  size_t before = head.find(kBeforeDigits), digits = before + kBeforeDigits.size();
  if (before == head.npos || head.size() < digits + kDigits || !version || !checksum)
    return damaged("its version or checksum cannot be found");
  Seal seal;
  seal.digits_ = head.substr(digits, kDigits);
  seal.checksum_ = checksum->string;
  seal.version_ = version->string;
  seal.see(head.substr(0, digits));
  seal.see("00000000");
  seal.see(head.substr(digits + kDigits));
  return std::optional(std::move(seal));
}

void Seal::see(std::string_view data) { sum_ = crc32c(data, sum_); }

Status Seal::check() const {
  std::string is = format("%08x", sum_);
  if (checksum_ != "crc32c:" + is || digits_ != is)
    return damaged("expected the checksum " + digits_ + " but got " + is);
  if (version_ != kVersion)
    return unimplemented("expected a variables file of version " + std::string(kVersion) +
                         " but got " + version_ + ": it was written by a newer program");
  return okStatus();
}

} // namespace sluice::rt
