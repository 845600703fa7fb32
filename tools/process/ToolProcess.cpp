// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals, and the ends that LLVM would make in its own way.
#include "tools/process/ToolProcess.h"

#include "runtime/base/exit_codes.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace sluice {

// Allocates nothing.
static void endWithoutMemory(void *, const char *, bool) {
  constexpr std::string_view message =
      "error: out of memory; allow the process more (ulimit -v, ulimit -d), or compile a smaller "
      "graph\n";
  (void)!::write(STDERR_FILENO, message.data(), message.size());
  llvm::sys::RunInterruptHandlers(); // removes files that are being written
  ::_exit(static_cast<int>(rt::ExitCode::kOutOfMemory));
}

// Standard output that LLVM could not write, as it notices at the end; or a bug.
static void endAfterFatalError(void *, const char *reason, bool) {
  llvm::StringRef text = reason;
  bool cannotWrite = text.consume_front("IO failure on output stream: ");
  std::string message = (cannotWrite ? "error: cannot write the output: " : "error: internal: ") +
                        text.str() + '\n';
  (void)!::write(STDERR_FILENO, message.data(), message.size());
  llvm::sys::RunInterruptHandlers();
  ::_exit(static_cast<int>(cannotWrite ? rt::ExitCode::kInputOutput
                                       : rt::ExitCode::kInternalError));
}

// LLVM sets its handlers also over what nohup or a shell has told us to ignore.
static std::vector<int> ignoredSignals() {
  std::vector<int> ignored;
  for (int number : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction action;
    if (::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
      ignored.push_back(number);
  }
  return ignored;
}

ToolProcess::ToolProcess(int &argc, char **&argv) : ToolProcess(argc, argv, ignoredSignals()) {}

ToolProcess::ToolProcess(int &argc, char **&argv, const std::vector<int> &ignored)
    : llvm_(argc, argv) {
  // LLVM's own handler of operator new, which InitLLVM has installed, comes to this one.
  llvm::install_bad_alloc_error_handler(endWithoutMemory);
  llvm::install_fatal_error_handler(endAfterFatalError);
  // Over the handlers of InitLLVM, which LLVM installs once: files to remove come to those.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (int number : ignored)
    std::signal(number, SIG_IGN);
}

} // namespace sluice
