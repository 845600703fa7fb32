// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floor of tokens that go one way: one process sends messages of 40 bytes (a header of 16, a tag, a
// type and a scalar: what a token of a loop needs), so many with each write; the other reads what
// there is, and looks at every message. Prints the seconds.
#include "test/bench/loopback.h"

#include <cstdint>
#include <cstring>

using namespace sluice::bench;

namespace {

struct Message {
  uint32_t bytes, kind, edge, step;
  uint64_t iteration, type;
  float value, padding;
};
static_assert(sizeof(Message) == 40);
constexpr uint32_t kPayload = 24, kToken = 16;

void sendTokens(int fd, int count, int batch) {
  std::vector<Message> messages(static_cast<size_t>(batch));
  char go;
  if (!receiveAll(fd, {&go, 1}, /*spin=*/false))
    die("the receiver has gone");
  for (int sent = 0; sent < count;) {
    size_t some = 0;
    for (; some < messages.size() && sent < count; ++some, ++sent)
      messages[some] = {
          kPayload, kToken, static_cast<uint32_t>(some), 1, static_cast<uint64_t>(sent), 1, 1, 0};
    sendAll(fd, {reinterpret_cast<const char *>(messages.data()), some * sizeof(Message)});
  }
}

int parse(std::span<const char> bytes, uint64_t &next, double &sum) {
  int parsed = 0;
  for (; bytes.size() >= sizeof(Message); bytes = bytes.subspan(sizeof(Message)), ++parsed) {
    Message message;
    std::memcpy(&message, bytes.data(), sizeof message);
    bool known = message.bytes == kPayload && message.kind == kToken && message.type == 1;
    if (!known || message.iteration != next++) {
      std::fprintf(stderr, "error: got a message that was not sent\n");
      std::exit(1);
    }
    sum += static_cast<double>(message.value);
  }
  return parsed;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: bench-stream TOKENS TOKENS-PER-WRITE\n");
    return 2;
  }
  int tokens = positive(argv[1]), batch = positive(argv[2]);
  int peer = startChildren(1, [&](int fd) { sendTokens(fd, tokens, batch); })[0];
  std::vector<char> buffer(64 << 10);
  size_t held = 0;
  uint64_t next = 0;
  double sum = 0, start = now();
  sendAll(peer, {"", 1});
  for (int got = 0; got < tokens;) {
    ssize_t count = ::recv(peer, buffer.data() + held, buffer.size() - held, 0);
    if (count <= 0)
      die("receive");
    held += static_cast<size_t>(count);
    int parsed = parse({buffer.data(), held}, next, sum);
    size_t used = static_cast<size_t>(parsed) * sizeof(Message);
    std::memmove(buffer.data(), buffer.data() + used, held -= used);
    got += parsed;
  }
  double seconds = now() - start;
  if (sum != tokens)
    die("sum");
  std::printf("%.9f\n", seconds);
  awaitChildren();
  return 0;
}
