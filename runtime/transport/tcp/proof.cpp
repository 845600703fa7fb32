// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs, by libsodium.
#include "runtime/transport/tcp/proof.h"

#include <sodium/core.h>
#include <sodium/crypto_auth_hmacsha256.h>
#include <sodium/randombytes.h>
#include <sodium/utils.h>

namespace sluice::rt {

bool startCrypto() { return ::sodium_init() >= 0; }

Nonce freshNonce() {
  Nonce nonce;
  ::randombytes_buf(nonce.data(), nonce.size());
  return nonce;
}

static const unsigned char *bytesOf(std::string_view text) {
  return reinterpret_cast<const unsigned char *>(text.data());
}

std::string prove(const std::string &key, HandshakeRole role, std::string_view connectorHello,
                  std::string_view acceptorHello) {
  if (key.empty())
    return {};
  crypto_auth_hmacsha256_state state;
  ::crypto_auth_hmacsha256_init(&state, bytesOf(key), key.size());
  char who = static_cast<char>(role);
  // Hello frames tell their own length, so that no two pairs look alike when put together.
  for (std::string_view part : {std::string_view(&who, 1), connectorHello, acceptorHello})
    ::crypto_auth_hmacsha256_update(&state, bytesOf(part), part.size());
  std::string proof(crypto_auth_hmacsha256_BYTES, '\0');
  ::crypto_auth_hmacsha256_final(&state, reinterpret_cast<unsigned char *>(proof.data()));
  ::sodium_memzero(&state, sizeof state);
  return proof;
}

bool equalProofs(std::string_view expected, std::string_view got) {
  return expected.size() == got.size() &&
         ::sodium_memcmp(expected.data(), got.data(), got.size()) == 0;
}

} // namespace sluice::rt
