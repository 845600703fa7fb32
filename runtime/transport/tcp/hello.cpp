// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hello frames, and what must be equal in them.
#include "runtime/transport/tcp/hello.h"

#include "runtime/base/byte_stream.h"

#include <algorithm>

namespace sluice::rt {

namespace {

std::string differs(const char *what, const std::string &expected, const std::string &got) {
  return format("expected %s '%s' but got '%s'", what, printable(expected, 64).c_str(),
                printable(got, 64).c_str());
}

std::string differs(const char *what, uint32_t expected, uint32_t got) {
  return format("expected %s %u but got %u", what, expected, got);
}

} // namespace

std::string encodeHello(const Hello &hello) {
  ByteWriter out;
  out.number(hello.features);
  out.number(hello.rank);
  out.number(hello.toRank);
  out.number(hello.size);
  out.number(hello.identity.window);
  out.number(hello.beatMs);
  out.number(static_cast<uint8_t>(hello.keyed));
  out.raw(hello.nonce.data(), hello.nonce.size());
  out.text<uint8_t>(hello.identity.programHash);
  out.text<uint8_t>(hello.identity.clusterHash);
  out.text<uint8_t>(hello.identity.runId);
  return encodeFrame(FrameKind::kHello, out.bytes());
}

std::optional<Hello> decodeHello(std::string_view body) {
  Hello hello;
  ByteReader in(body);
  hello.features = in.number<uint64_t>();
  hello.rank = in.number<uint32_t>();
  hello.toRank = in.number<uint32_t>();
  hello.size = in.number<uint32_t>();
  hello.identity.window = in.number<uint32_t>();
  hello.beatMs = in.number<uint32_t>();
  auto keyed = in.number<uint8_t>();
  std::string_view nonce = in.raw(hello.nonce.size());
  std::copy(nonce.begin(), nonce.end(), hello.nonce.begin());
  hello.identity.programHash = in.text<uint8_t>();
  hello.identity.clusterHash = in.text<uint8_t>();
  hello.identity.runId = in.text<uint8_t>();
  if (in.failed() || !in.atEnd() || keyed > 1)
    return std::nullopt;
  hello.keyed = keyed;
  return hello;
}

std::optional<Refusal> judgeHello(const Hello &mine, const Hello &theirs) {
  const TcpIdentity &my = mine.identity, &their = theirs.identity;
  if (my.programHash != their.programHash)
    return Refusal{RefusalCode::kProgram, differs("program", my.programHash, their.programHash) +
                                              "; all executables must come from one compilation"};
  if (my.clusterHash != their.clusterHash)
    return Refusal{RefusalCode::kCluster, differs("cluster", my.clusterHash, their.clusterHash)};
  if (my.runId != their.runId)
    return Refusal{RefusalCode::kRun, differs("run", my.runId, their.runId)};
  if (my.window != their.window)
    return Refusal{RefusalCode::kWindow, differs("window", my.window, their.window)};
  if (mine.size != theirs.size)
    return Refusal{RefusalCode::kSize, differs("cluster size", mine.size, theirs.size)};
  if (theirs.rank == mine.rank)
    return Refusal{RefusalCode::kSelf,
                   format("rank %u was reached by a rank %u: one address stands for two ranks, or "
                          "a rank was started twice",
                          mine.rank, theirs.rank)};
  if (theirs.toRank != mine.rank)
    return Refusal{RefusalCode::kRank,
                   format("expected a peer that looks for rank %u but got one for rank %u",
                          mine.rank, theirs.toRank)};
  if (theirs.rank != mine.toRank)
    return Refusal{RefusalCode::kRank, differs("rank", mine.toRank, theirs.rank)};
  return std::nullopt;
}

} // namespace sluice::rt
