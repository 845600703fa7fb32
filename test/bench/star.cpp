// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floor of a loop with a barrier: in every iteration the first process sends some bytes to all
// others and receives as many from each. With two processes this is a round trip. Prints the
// seconds.
#include "test/bench/loopback.h"

#include <cstring>

using namespace sluice::bench;

int main(int argc, char **argv) {
  if (argc != 5 || (std::strcmp(argv[4], "block") != 0 && std::strcmp(argv[4], "spin") != 0)) {
    std::fprintf(stderr, "usage: bench-star PROCESSES ITERATIONS BYTES block|spin\n");
    return 2;
  }
  int processes = positive(argv[1]), iterations = positive(argv[2]);
  std::vector<char> message(static_cast<size_t>(positive(argv[3])));
  bool spin = argv[4][0] == 's';
  std::vector<int> peers = startChildren(processes - 1, [&](int fd) {
    while (receiveAll(fd, message, spin))
      sendAll(fd, message);
  });
  double start = 0;
  for (int i = -1; i < iterations; ++i) {
    if (i == 0) // all are there
      start = now();
    for (int peer : peers)
      sendAll(peer, message);
    for (int peer : peers)
      if (!receiveAll(peer, message, spin))
        die("a peer has gone");
  }
  std::printf("%.9f\n", now() - start);
  for (int peer : peers)
    ::close(peer);
  awaitChildren();
  return 0;
}
