// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Member: shards of checkpoints, which rank 0 has the others write and read. A rank that does so
// computes, as far as others can tell.
#include "runtime/cluster/member.h"

namespace sluice::rt {

namespace {

void write(const ShardRecord &record, PayloadWriter &out) {
  out.u64(record.bytes);
  out.u64(record.directoryBytes);
  out.u64(record.fingerprint);
}

ShardRecord readRecord(PayloadReader &in) {
  ShardRecord record;
  record.bytes = in.u64();
  record.directoryBytes = in.u64();
  record.fingerprint = in.u64();
  return record;
}

Result<ShardRequest> readRequest(PayloadReader &in) {
  ShardRequest request;
  uint64_t kind = in.u64();
  request.step = in.u64();
  for (uint64_t count = in.u64(); count > 0 && !in.failed(); --count)
    request.records.push_back(readRecord(in));
  for (uint64_t count = in.u64(); count > 0 && !in.failed(); --count)
    request.kept.push_back(in.u64());
  if (in.failed() || !in.atEnd() || kind > static_cast<uint64_t>(ShardRequest::Kind::kRemoveOthers))
    return invalidArgument("a damaged request about shards");
  request.kind = static_cast<ShardRequest::Kind>(kind);
  return request;
}

} // namespace

void Member::keepShardsIn(const std::string &folder) {
  shards_.emplace(folder, rank(), executor_.lasting());
}

void Member::requestShards(const ShardRequest &request) {
  PayloadWriter out;
  out.u64(static_cast<uint64_t>(request.kind));
  out.u64(request.step);
  out.u64(request.records.size());
  for (const ShardRecord &record : request.records)
    write(record, out);
  out.u64(request.kept.size());
  for (uint64_t step : request.kept)
    out.u64(step);
  shardAnswersMissing_ = transport_->size() - 1;
  shardsStatus_ = okStatus();
  shardRecords_.assign(transport_->size(), {});
  for (uint32_t peer = 1; peer < transport_->size(); ++peer) {
    debts_[peer].shards = true;
    debts_[peer].asked = clock_.now();
    send(peer, MessageType::kShardRequest, out.bytes());
  }
  transport_->flush();
}

void Member::receiveShardRequest(std::span<const char> payload) {
  PayloadReader in(payload);
  Result<ShardRequest> request = readRequest(in);
  if (!request.ok())
    return forbid(0, request.status());
  Result<ShardRecord> record = shards_ ? shards_->perform(*request)
                                       : Result<ShardRecord>(failedPrecondition("has no folder"));
  PayloadWriter out;
  out.status(record.status());
  write(record.ok() ? *record : ShardRecord(), out);
  send(0, MessageType::kShardReply, out.bytes());
}

void Member::receiveShardReply(uint32_t peer, std::span<const char> payload) {
  PayloadReader in(payload);
  Status status = in.status();
  shardRecords_[peer] = readRecord(in);
  if (in.failed())
    return forbid(peer, invalidArgument("a truncated answer about shards"));
  if (!status.ok() && shardsStatus_.ok())
    shardsStatus_ = Status(status.code(), deviceOf(peer) + ": " + status.message());
  debts_[peer].shards = false;
  --shardAnswersMissing_;
}

Result<std::vector<ShardRecord>> Member::takeShardRecords() {
  if (end_)
    return end_.status;
  if (!shardsStatus_.ok())
    return shardsStatus_;
  return std::move(shardRecords_);
}

} // namespace sluice::rt
