// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a peer is lost, in the words that all transports share. `peer` is how the peer is called in
// messages, "rank 2" or with its address.
#pragma once

#include "runtime/transport/transport.h"

namespace sluice::rt {

// After an orderly end.
Status peerEnded(const std::string &peer);
// After a reset, or an end without goodbye.
Status peerBroken(const std::string &peer, const std::string &how);
// After a message that it may not send.
Status peerForbidden(const std::string &peer, const std::string &what);
// After a message that the handler did not admit; `most` is what the handler said.
Status peerNotAdmitted(const std::string &peer, const MessageHeader &header,
                       const Result<uint64_t> &most);

inline bool admits(const Result<uint64_t> &most, const MessageHeader &header) {
  return most.ok() && header.bytes <= *most;
}

} // namespace sluice::rt
