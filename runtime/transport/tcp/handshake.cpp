// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of a handshake.
#include "runtime/transport/tcp/handshake.h"

namespace sluice::rt {

namespace {

Hello helloOf(const TcpOptions &options, uint32_t toRank) {
  Hello hello;
  hello.rank = options.rank;
  hello.toRank = toRank;
  hello.size = static_cast<uint32_t>(options.addresses.size());
  hello.beatMs = static_cast<uint32_t>(options.beatNs() / 1'000'000);
  hello.keyed = !options.key.empty();
  hello.nonce = freshNonce();
  hello.identity = options.identity;
  return hello;
}

} // namespace

Handshake::Handshake(const Party &party, std::string name)
    : party_(party), name_(std::move(name)), role_(HandshakeRole::kAcceptor),
      mine_(helloOf(party.options, 0)) {}

Handshake::Handshake(const Party &party, std::string name, uint32_t peerRank)
    : party_(party), name_(std::move(name)), role_(HandshakeRole::kConnector),
      mine_(helloOf(party.options, peerRank)) {
  sayHello();
}

void Handshake::sayHello() {
  myHello_ = encodeHello(mine_);
  output += myHello_;
}

std::string Handshake::proofOf(HandshakeRole role) const {
  bool connector = role_ == HandshakeRole::kConnector;
  return prove(party_.options.key, role, connector ? myHello_ : theirHello_,
               connector ? theirHello_ : myHello_);
}

Outcome Handshake::refuse(Refusal refusal, bool ends) {
  output += encodeRefusal(refusal);
  return {ends ? Progress::kRefused : Progress::kDropped, "refused " + name_ + ": " + refusal.text};
}

Outcome Handshake::onHead(const FrameHead &head, std::string_view bytes) {
  bool keyed = mine_.keyed, connector = role_ == HandshakeRole::kConnector;
  if (!head.ours) {
    output += encodeRefusal({RefusalCode::kMagic, "expected a Sluice executable"});
    return drop("not a Sluice executable, it sent '" + printable(bytes, 16) + "'");
  }
  if (head.version != kProtocolVersion && head.kind != FrameKind::kRefusal)
    return refuse({RefusalCode::kVersion, format("expected protocol version %u but got %u",
                                                 kProtocolVersion, head.version)},
                  connector || !keyed);
  if (!head.zeros && head.kind != FrameKind::kRefusal)
    return refuse({RefusalCode::kMalformed, "expected zeros in bytes 9 to 11 of a frame"}, false);
  if (head.bytes > kMostBodyBytes || (head.kind != expected_ && head.kind != FrameKind::kRefusal))
    return refuse(
        {RefusalCode::kMalformed,
         format("expected a frame of kind %u but got kind %u with %u bytes",
                static_cast<unsigned>(expected_), static_cast<unsigned>(head.kind), head.bytes)},
        false);
  return {};
}

Outcome Handshake::onFrame(const FrameHead &head, std::string_view body) {
  if (head.kind == FrameKind::kRefusal)
    return onRefusal(decodeRefusal(body));
  if (head.kind == FrameKind::kProof)
    return acceptProof(body);
  if (head.kind == FrameKind::kWelcome)
    return connectWelcome(body);
  std::optional<Hello> theirs = decodeHello(body);
  if (!theirs)
    return refuse({RefusalCode::kMalformed, "expected a hello but could not read it"}, false);
  theirs_ = std::move(*theirs);
  theirHello_ = encodeFrame(FrameKind::kHello, body);
  return role_ == HandshakeRole::kAcceptor ? acceptHello(theirs_) : connectHello(theirs_);
}

Outcome Handshake::onRefusal(const Refusal &refusal) {
  bool ends = role_ == HandshakeRole::kConnector || !mine_.keyed;
  // A caller with a wrong magic is one who reached us by mistake; that is his business.
  return {ends ? Progress::kRefused : Progress::kDropped,
          name_ + " refused the connection: " + refusal.text};
}

Outcome Handshake::acceptHello(const Hello &theirs) {
  name_ = format("rank %u at ", theirs.rank) + name_;
  mine_.toRank = theirs.rank;
  if (mine_.keyed && !theirs.keyed)
    return refuse({RefusalCode::kKey, "expected a key but the caller has none"}, false);
  if (!mine_.keyed && theirs.keyed)
    return refuse({RefusalCode::kKey, "expected no key but the caller has one"}, true);
  sayHello();
  expected_ = FrameKind::kProof;
  return {};
}

Outcome Handshake::acceptProof(std::string_view proof) {
  if (!equalProofs(proofOf(HandshakeRole::kConnector), proof))
    return refuse({RefusalCode::kKey, "expected the same key but got another"}, false);
  if (std::optional<Refusal> refusal = judgeHello(mine_, theirs_))
    return refuse(*refusal, true);
  if (theirs_.rank < mine_.rank || theirs_.rank >= mine_.size)
    return refuse({RefusalCode::kRank, format("expected a rank above %u and below %u but got %u",
                                              mine_.rank, mine_.size, theirs_.rank)},
                  true);
  if (party_.isConnected(theirs_.rank))
    return refuse({RefusalCode::kDuplicate,
                   format("rank %u is connected already: was it started twice?", theirs_.rank)},
                  true);
  output += encodeFrame(FrameKind::kWelcome, proofOf(HandshakeRole::kAcceptor));
  return {Progress::kDone, {}};
}

Outcome Handshake::connectHello(const Hello &theirs) {
  if (mine_.keyed != theirs.keyed)
    return refuse({RefusalCode::kKey, mine_.keyed ? "expected a key but the peer has none"
                                                  : "expected no key but the peer has one"},
                  true);
  output += encodeFrame(FrameKind::kProof, proofOf(HandshakeRole::kConnector));
  expected_ = FrameKind::kWelcome;
  return {};
}

Outcome Handshake::connectWelcome(std::string_view proof) {
  if (!equalProofs(proofOf(HandshakeRole::kAcceptor), proof))
    return {Progress::kRefused, "refused " + name_ + ": expected the same key but got another"};
  if (std::optional<Refusal> refusal = judgeHello(mine_, theirs_))
    return {Progress::kRefused, "refused " + name_ + ": " + refusal->text};
  return {Progress::kDone, {}};
}

} // namespace sluice::rt
