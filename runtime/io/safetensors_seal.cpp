// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sealing: the checksum is taken with zeros in the place of its own digits. Two members make the
// seal, so that a file whose damage has renamed one of them is not taken for one of others.
#include "runtime/io/safetensors_seal.h"

#include "runtime/base/crc32c.h"

namespace sluice::rt {

namespace {

constexpr std::string_view kOpen =
    R"("__metadata__":{"sluice_version":"1","sluice_checksum":"crc32c:00000000"})";
constexpr std::string_view kPrefix = "sluice_", kVersion = "1";
constexpr std::string_view kBeforeDigits = R"("sluice_checksum":"crc32c:)";
constexpr size_t kDigits = 8;

std::string checksumOf(std::string_view file, size_t digits) {
  uint32_t sum = crc32c(file.substr(0, digits));
  sum = crc32c("00000000", sum);
  return format("%08x", crc32c(file.substr(digits + kDigits), sum));
}

Status damaged(const std::string &how) {
  return {Code::kDataLoss, "the file is damaged: " + how + "; use another copy of it"};
}

} // namespace

std::string_view openSeal() { return kOpen; }

void closeSeal(std::string &file) {
  size_t digits = file.find(kBeforeDigits) + kBeforeDigits.size();
  file.replace(digits, kDigits, checksumOf(file, digits));
}

Status checkSeal(std::string_view file, const Json *metadata) {
  if (!metadata)
    return okStatus();
  bool sealed = false;
  for (size_t i = 0; i < metadata->keys.size(); ++i) {
    if (!metadata->items[i].is(Json::Kind::kString))
      return invalidArgument("expected texts as members of '__metadata__'");
    sealed |= std::string_view(metadata->keys[i]).starts_with(kPrefix);
  }
  if (!sealed)
    return okStatus();
  const Json *version = metadata->find("sluice_version");
  const Json *checksum = metadata->find("sluice_checksum");
  size_t before = file.find(kBeforeDigits), digits = before + kBeforeDigits.size();
  if (before == file.npos || file.size() < digits + kDigits || !version || !checksum)
    return damaged("its version or checksum cannot be found");
  std::string is = checksumOf(file, digits);
  std::string_view was = file.substr(digits, kDigits);
  if (checksum->string == "crc32c:" + std::string(was) && was == is && version->string != kVersion)
    return unimplemented("expected a variables file of version " + std::string(kVersion) +
                         " but got " + version->string + ": it was written by a newer program");
  if (checksum->string != "crc32c:" + is)
    return damaged("expected the checksum " + std::string(was) + " but got " + is);
  return okStatus();
}

} // namespace sluice::rt
