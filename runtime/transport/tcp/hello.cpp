// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hello frames, and what must be equal in them.
#include "runtime/transport/tcp/hello.h"

#include <cstring>

namespace sluice::rt {

namespace {

template <typename T> void put(std::string &out, T value) {
  out.append(reinterpret_cast<const char *>(&value), sizeof value);
}

void putText(std::string &out, std::string_view text) {
  put(out, static_cast<uint8_t>(text.size()));
  out += text;
}

// Takes values from the front; false once the bytes do not suffice.
class Taker {
public:
  explicit Taker(std::string_view bytes) : left_(bytes) {}
  bool take(void *into, size_t count) {
    if (left_.size() < count)
      return false;
    std::memcpy(into, left_.data(), count);
    left_.remove_prefix(count);
    return true;
  }
  template <typename T> bool take(T &value) { return take(&value, sizeof value); }
  bool takeText(std::string &text) {
    uint8_t size = 0;
    if (!take(size) || left_.size() < size)
      return false;
    text = left_.substr(0, size);
    left_.remove_prefix(size);
    return true;
  }
  bool atEnd() const { return left_.empty(); }

private:
  std::string_view left_;
};

std::string differs(const char *what, const std::string &expected, const std::string &got) {
  return format("expected %s '%s' but got '%s'", what, printable(expected, 64).c_str(),
                printable(got, 64).c_str());
}

std::string differs(const char *what, uint32_t expected, uint32_t got) {
  return format("expected %s %u but got %u", what, expected, got);
}

} // namespace

std::string encodeHello(const Hello &hello) {
  std::string body;
  put(body, hello.features);
  put(body, hello.rank);
  put(body, hello.toRank);
  put(body, hello.size);
  put(body, hello.identity.window);
  put(body, hello.beatMs);
  put(body, static_cast<uint8_t>(hello.keyed));
  body.append(hello.nonce.data(), hello.nonce.size());
  putText(body, hello.identity.programHash);
  putText(body, hello.identity.clusterHash);
  putText(body, hello.identity.runId);
  return encodeFrame(FrameKind::kHello, body);
}

std::optional<Hello> decodeHello(std::string_view body) {
  Hello hello;
  Taker taker(body);
  uint8_t keyed = 0;
  bool whole =
      taker.take(hello.features) && taker.take(hello.rank) && taker.take(hello.toRank) &&
      taker.take(hello.size) && taker.take(hello.identity.window) && taker.take(hello.beatMs) &&
      taker.take(keyed) && taker.take(hello.nonce.data(), hello.nonce.size()) &&
      taker.takeText(hello.identity.programHash) && taker.takeText(hello.identity.clusterHash) &&
      taker.takeText(hello.identity.runId) && taker.atEnd();
  if (!whole || keyed > 1)
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
