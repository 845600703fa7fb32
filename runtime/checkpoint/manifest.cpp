// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Manifests as text. Fingerprints have all of 64 bits, so they are texts of hexadecimal digits.
#include "runtime/checkpoint/manifest.h"

#include "runtime/base/crc32c.h"
#include "runtime/io/json.h"

#include <charconv>

namespace sluice::rt {

namespace {

constexpr int64_t kFormat = 1;

Status damaged(std::string_view how) {
  return {Code::kDataLoss, "the manifest is damaged: " + std::string(how)};
}

std::string checksumLine(std::string_view json) { return format("crc32c:%08x\n", crc32c(json)); }

bool readNumber(const Json &object, std::string_view name, uint64_t &value) {
  const Json *member = object.find(name);
  if (!member || !member->is(Json::Kind::kInteger) || member->integer < 0)
    return false;
  value = static_cast<uint64_t>(member->integer);
  return true;
}

bool readFingerprint(const Json &object, uint64_t &value) {
  const Json *member = object.find("fingerprint");
  if (!member || !member->is(Json::Kind::kString) || member->string.size() != 16)
    return false;
  const char *begin = member->string.data(), *end = begin + member->string.size();
  auto [at, error] = std::from_chars(begin, end, value, 16);
  return error == std::errc() && at == end;
}

Result<Manifest> readMembers(const Json &json) {
  uint64_t format = 0;
  if (!readNumber(json, "format", format))
    return damaged("it does not say its format");
  if (format != kFormat)
    return unimplemented("expected a checkpoint of format " + std::to_string(kFormat) +
                         " but got " + std::to_string(format) +
                         ": it was written by a newer program");
  Manifest manifest;
  const Json *program = json.find("program"), *shards = json.find("shards");
  if (!program || !program->is(Json::Kind::kString) || !readNumber(json, "step", manifest.step) ||
      !shards || !shards->is(Json::Kind::kArray) || shards->items.empty())
    return damaged("a member is missing");
  manifest.program = program->string;
  for (const Json &shard : shards->items) {
    ShardRecord record;
    if (!readNumber(shard, "bytes", record.bytes) ||
        !readNumber(shard, "directory_bytes", record.directoryBytes) ||
        !readFingerprint(shard, record.fingerprint))
      return damaged("a shard's member is missing");
    manifest.shards.push_back(record);
  }
  return manifest;
}

} // namespace

std::string encodeManifest(const Manifest &manifest) {
  std::string json = "{\"format\":" + std::to_string(kFormat) + ",\"program\":";
  appendJsonString(manifest.program, json);
  json += ",\"step\":" + std::to_string(manifest.step) + ",\"shards\":";
  char before = '[';
  for (const ShardRecord &shard : manifest.shards) {
    json += std::exchange(before, ',');
    json += format("{\"bytes\":%llu,\"directory_bytes\":%llu,\"fingerprint\":\"%016llx\"}",
                   static_cast<unsigned long long>(shard.bytes),
                   static_cast<unsigned long long>(shard.directoryBytes),
                   static_cast<unsigned long long>(shard.fingerprint));
  }
  json += "]}\n";
  return json + checksumLine(json);
}

Result<Manifest> decodeManifest(std::string_view file) {
  size_t end = file.find('\n');
  if (end == file.npos)
    return damaged("it ends too early");
  std::string_view json = file.substr(0, end + 1);
  if (file.substr(end + 1) != checksumLine(json))
    return damaged("it has another checksum");
  Result<Json> parsed = parseJson(json);
  return parsed.ok() ? readMembers(*parsed) : damaged(parsed.status().message());
}

} // namespace sluice::rt
