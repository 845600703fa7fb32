// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child processes with a deadline. LLVM's own Program.h kills only the process it started, and
// sends output to files; a hanging linker under the compiler would stay.
#include "tools/sluice-conformance/subprocess.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace sluice::conformance {

namespace {

using TimePoint = std::chrono::steady_clock::time_point;

// A pipe whose ends close by themselves; neither end leaks into other children.
struct Pipe {
  std::array<int, 2> ends{-1, -1};

  bool open() { return pipe2(ends.data(), O_CLOEXEC) == 0; }
  void close(size_t end) {
    if (ends[end] >= 0)
      ::close(ends[end]);
    ends[end] = -1;
  }
  ~Pipe() {
    close(0);
    close(1);
  }
};

int spawn(const std::vector<std::string> &arguments, Pipe &out, Pipe &err, pid_t &child) {
  std::vector<char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  int result = posix_spawn(&child, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return result;
}

// False once the other side has closed the pipe.
bool drain(int descriptor, std::string &text) {
  std::array<char, 65536> block;
  ssize_t count = read(descriptor, block.data(), block.size());
  if (count > 0)
    text.append(block.data(), count);
  return count > 0 || (count < 0 && errno == EINTR);
}

// Collects both streams until both are closed; false at the deadline.
bool collect(Pipe &out, Pipe &err, Finished &finished, TimePoint end) {
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    if (left.count() <= 0)
      return false;
    std::array<pollfd, 2> waiting{pollfd{out.ends[0], POLLIN, 0}, pollfd{err.ends[0], POLLIN, 0}};
    if (poll(waiting.data(), waiting.size(), static_cast<int>(left.count())) <= 0)
      continue;
    if (waiting[0].revents && !drain(out.ends[0], finished.out))
      out.close(0);
    if (waiting[1].revents && !drain(err.ends[0], finished.err))
      err.close(0);
  }
  return true;
}

// A program may close its streams and hang all the same, hence the polling.
bool waitUntil(pid_t child, int &status, TimePoint end) {
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() >= end)
      return false;
    usleep(1000);
  }
  return true;
}

} // namespace

std::string Finished::describe(std::chrono::seconds deadline) const {
  if (!startError.empty())
    return "cannot be started: " + startError;
  if (timedOut)
    return "no end after " + std::to_string(deadline.count()) + " s";
  if (signal)
    return "killed by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  return "exit code " + std::to_string(exitCode);
}

Finished runProgram(const std::vector<std::string> &arguments, std::chrono::seconds deadline) {
  Finished finished;
  Pipe out, err;
  if (!out.open() || !err.open()) {
    finished.startError = strerror(errno);
    return finished;
  }
  TimePoint end = std::chrono::steady_clock::now() + deadline;
  pid_t child = 0;
  if (int error = spawn(arguments, out, err, child)) {
    finished.startError = strerror(error);
    return finished;
  }
  out.close(1);
  err.close(1);
  int status = 0;
  if (!collect(out, err, finished, end) || !waitUntil(child, status, end)) {
    finished.timedOut = true;
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    return finished;
  }
  if (WIFSIGNALED(status))
    finished.signal = WTERMSIG(status);
  else
    finished.exitCode = WEXITSTATUS(status);
  return finished;
}

} // namespace sluice::conformance
