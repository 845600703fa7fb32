// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One child and one pipe.
#include "compiler/emit/RunLinker.h"

#include "runtime/io/descriptor.h"
#include "runtime/io/disk.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

extern char **environ;

namespace sluice::emit {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kLongest{120};

LinkFailure toolFailure(std::string message) {
  return {rt::ExitCode::kExternalTool, std::move(message)};
}

LinkFailure fileFailure(const rt::Status &status) {
  return {rt::ExitCode::kInputOutput, status.message()};
}

int millisecondsUntil(Clock::time_point end) {
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
  return static_cast<int>(std::max<decltype(left)>(left, 0));
}

// A running linker, which is killed if it has not ended by itself.
class Linker {
public:
  Linker(pid_t process, rt::Descriptor output) : process_(process), output_(std::move(output)) {}
  ~Linker() {
    if (process_ <= 0)
      return;
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Linker(const Linker &) = delete;

  // The size of the next piece, 0 at the end.
  rt::Result<size_t> read(char *data, size_t size) {
    pollfd entry{output_.get(), POLLIN, 0};
    int ready = ::poll(&entry, 1, millisecondsUntil(end_));
    if (ready == 0)
      return late();
    return rt::readDescriptor(output_.get(), data, size, "the linker's output");
  }

  // As waitpid tells it.
  rt::Result<int> wait() {
    constexpr std::chrono::milliseconds kPause{1};
    int status;
    while (true) {
      pid_t ended = ::waitpid(process_, &status, WNOHANG);
      if (ended == process_) {
        process_ = -1;
        return status;
      }
      if (Clock::now() >= end_)
        return late();
      std::this_thread::sleep_for(kPause);
    }
  }

private:
  static rt::Status late() {
    return {rt::Code::kDeadlineExceeded, "no end after " + std::to_string(kLongest.count()) + " s"};
  }

  pid_t process_;
  rt::Descriptor output_;
  Clock::time_point end_ = Clock::now() + kLongest;
};

// Standard output goes into the pipe, standard error into the file. Returns an error number.
int spawn(ArrayRef<std::string> command, const std::string &errorFile, int pipe, pid_t &process) {
  std::vector<char *> words;
  for (const std::string &word : command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, pipe, STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorFile.c_str(), O_WRONLY,
                                     0);
  // A linker whose compiler was killed ends when it writes.
  sigset_t defaults;
  ::sigemptyset(&defaults);
  ::sigaddset(&defaults, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  int error = ::posix_spawn(&process, words[0], &actions, &attributes, words.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return error;
}

LinkFailure linkerFailed(const std::string &how, const std::string &errorFile) {
  auto said = MemoryBuffer::getFile(errorFile);
  StringRef text = said ? (*said)->getBuffer().take_front(2000) : StringRef();
  // What a linker that crashed says after this is for its makers.
  text = text.split("PLEASE submit a bug report").first.rtrim();
  return toolFailure("the linker failed (" + how + "): " + text.str());
}

std::string howItEnded(int status) {
  return WIFEXITED(status) ? "exit code " + std::to_string(WEXITSTATUS(status))
                           : std::string(::strsignal(WTERMSIG(status)));
}

} // namespace

std::optional<LinkFailure> runLinker(ArrayRef<std::string> command, const std::string &errorFile,
                                     TakeLinked take) {
  if (!sys::fs::can_execute(command[0]))
    return toolFailure("cannot find the linker '" + command[0] + "'; install lld-22");
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return fileFailure(rt::systemError(errno, "make a pipe to", command[0]));
  rt::Descriptor reading(ends[0]), writing(ends[1]);
  pid_t process;
  if (int error = spawn(command, errorFile, writing.get(), process))
    return toolFailure("cannot start the linker '" + command[0] + "': " + std::strerror(error));
  Linker linker(process, std::move(reading));
  (void)writing.close();
  std::vector<char> piece(1 << 16);
  while (true) {
    rt::Result<size_t> size = linker.read(piece.data(), piece.size());
    if (!size.ok())
      return linkerFailed(size.status().message(), errorFile);
    if (*size == 0)
      break;
    if (rt::Status status = take({piece.data(), *size}); !status.ok())
      return fileFailure(status);
  }
  rt::Result<int> status = linker.wait();
  if (!status.ok())
    return linkerFailed(status.status().message(), errorFile);
  if (*status != 0)
    return linkerFailed(howItEnded(*status), errorFile);
  return std::nullopt;
}

} // namespace sluice::emit
