// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of lost peers.
#include "runtime/transport/peer_status.h"

namespace sluice::rt {

Status peerEnded(const std::string &peer) { return {Code::kCancelled, peer + ": ended"}; }

Status peerBroken(const std::string &peer, const std::string &how) {
  return {Code::kUnavailable, peer + ": " + how};
}

Status peerForbidden(const std::string &peer, const std::string &what) {
  return {Code::kPermissionDenied, peer + ": " + what};
}

Status peerNotAdmitted(const std::string &peer, const MessageHeader &header,
                       const Result<uint64_t> &most) {
  if (!most.ok())
    return peerForbidden(peer, most.status().message());
  return peerForbidden(peer,
                       format("sent a message of type %u with %u bytes, expected at most %llu",
                              header.type, header.bytes, static_cast<unsigned long long>(*most)));
}

} // namespace sluice::rt
