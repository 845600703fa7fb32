// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork and exec: posix_spawn could not tie a child's life to its parent's.
#include "tools/sluice-run/rank_process.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace sluice::run {

namespace {

// The write end blocks, the read end does not.
bool openPipe(int (&ends)[2]) {
  return ::pipe2(ends, O_CLOEXEC) == 0 && ::fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

void closeBoth(const int (&ends)[2]) {
  for (int end : ends)
    if (end >= 0)
      ::close(end);
}

[[noreturn]] void becomeRank(const StartRequest &request, char *const *argv, pid_t parent, int out,
                             int err) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent)
    ::_exit(3); // it ended before it could be watched
  ::dup2(err, STDERR_FILENO);
  if (!request.ownsTerminal) {
    ::dup2(out, STDOUT_FILENO);
    ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  }
  if (request.listenDescriptor >= 0)
    ::fcntl(request.listenDescriptor, F_SETFD, 0);
  std::signal(SIGPIPE, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &request.signalMask, nullptr);
  ::execv(argv[0], argv);
  std::fprintf(stderr, "error: cannot execute '%s': %s\n", argv[0], std::strerror(errno));
  ::_exit(3);
}

} // namespace

rt::Result<Started> startRank(const StartRequest &request) {
  std::vector<char *> argv;
  for (const std::string &argument : request.arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  int out[2] = {-1, -1}, err[2] = {-1, -1};
  pid_t parent = ::getpid();
  bool piped = openPipe(err) && (request.ownsTerminal || openPipe(out));
  pid_t pid = piped ? ::fork() : -1;
  if (pid == 0)
    becomeRank(request, argv.data(), parent, out[1], err[1]);
  if (pid < 0) {
    int error = errno;
    closeBoth(out);
    closeBoth(err);
    return rt::resourceExhausted("cannot start '" + request.arguments[0] +
                                 "': " + std::strerror(error));
  }
  ::close(err[1]);
  if (out[1] >= 0)
    ::close(out[1]);
  return Started{pid, out[0], err[0]};
}

} // namespace sluice::run
