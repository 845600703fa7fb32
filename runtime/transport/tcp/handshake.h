// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One end of a handshake, without its socket:
//
//   connector: hello →        ← hello: acceptor
//   connector: proof →        ← welcome, with a proof: acceptor
//
// A stranger must not be able to end a program, but a program that was started wrongly should end
// and say so. So the acceptor only drops a connection until it has seen a sound hello and, if there
// is a key, the proof; what does not fit then ends it. Without a key a caller's refusal ends it as
// well. The connector has chosen whom it calls: it also ends when it is refused there without
// proof, but not when something else answers at the address.
#pragma once

#include "runtime/transport/tcp/proof.h"

#include <functional>

namespace sluice::rt {

enum class Progress : uint8_t {
  kGoing,
  kDone,
  kDropped, // of no consequence: log it, or try again
  kRefused, // this rank or the peer says that they do not fit
};

struct Outcome {
  Progress progress = Progress::kGoing;
  std::string why; // names the peer
};

// What all handshakes of a process share.
struct Party {
  const TcpOptions &options;
  std::function<bool(uint32_t)> isConnected; // by rank
};

class Handshake {
public:
  // `name` is how the peer is called in messages. The connector says which rank it wants.
  Handshake(const Party &party, std::string name);                    // acceptor
  Handshake(const Party &party, std::string name, uint32_t peerRank); // connector

  // What is to be sent; the caller takes it away. After a refusal too.
  std::string output;

  // Whether the body that was announced may come.
  Outcome onHead(const FrameHead &head, std::string_view bytes);
  Outcome onFrame(const FrameHead &head, std::string_view body);

  uint32_t peerRank() const { return mine_.toRank; }
  uint32_t peerBeatMs() const { return theirs_.beatMs; }

private:
  Outcome acceptHello(const Hello &theirs);
  Outcome acceptProof(std::string_view proof);
  Outcome connectHello(const Hello &theirs);
  Outcome connectWelcome(std::string_view proof);
  Outcome onRefusal(const Refusal &refusal);
  Outcome refuse(Refusal refusal, bool ends);
  Outcome drop(const std::string &why) { return {Progress::kDropped, name_ + ": " + why}; }
  void sayHello();
  std::string proofOf(HandshakeRole role) const;

  const Party &party_;
  std::string name_;
  HandshakeRole role_;
  FrameKind expected_ = FrameKind::kHello;
  Hello mine_, theirs_;
  std::string myHello_, theirHello_; // as sent
};

} // namespace sluice::rt
