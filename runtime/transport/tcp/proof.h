// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the two ends of a connection show each other that they have the same key.
#pragma once

#include "runtime/transport/tcp/hello.h"

namespace sluice::rt {

// Who proves; part of what is proven, so that nobody can send a proof back to its maker.
enum class HandshakeRole : char { kConnector = 'C', kAcceptor = 'A' };

// Before the others here, once. False when the system has no random numbers.
bool startCrypto();

Nonce freshNonce();

// HMAC-SHA-256 with the key over the role and both hello frames, nonces and all. Empty without a
// key.
std::string prove(const std::string &key, HandshakeRole role, std::string_view connectorHello,
                  std::string_view acceptorHello);

// In a time that does not tell where they differ.
bool equalProofs(std::string_view expected, std::string_view got);

} // namespace sluice::rt
