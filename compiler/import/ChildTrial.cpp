// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A forked child, and a pipe through which its diagnostics come.
#include "compiler/import/ChildTrial.h"

#include "dialects/interfaces/NodeName.h"
#include "runtime/base/exit_codes.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/ErrorHandling.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;

namespace sluice::import {

namespace {

// ---- Diagnostics as bytes: the parts that printers look at --------------------------------------

void write(std::string &out, uint64_t number) {
  out.append(reinterpret_cast<const char *>(&number), sizeof number);
}
void write(std::string &out, StringRef text) {
  write(out, text.size());
  out += text;
}

void write(std::string &out, Diagnostic &diagnostic) {
  FileLineColLoc position;
  diagnostic.getLocation()->walk([&](Location inner) {
    position = dyn_cast<FileLineColLoc>(inner);
    return position ? WalkResult::interrupt() : WalkResult::advance();
  });
  write(out, static_cast<uint64_t>(diagnostic.getSeverity()));
  write(out, position ? position.getFilename().getValue() : StringRef());
  write(out, position ? position.getLine() : 0);
  write(out, position ? position.getColumn() : 0);
  write(out, nodeNameOf(diagnostic.getLocation()));
  write(out, diagnostic.str());
  auto notes = diagnostic.getNotes();
  write(out, static_cast<uint64_t>(std::distance(notes.begin(), notes.end())));
  for (Diagnostic &note : notes)
    write(out, note);
}

// Reads what `write` wrote; a child that crashed may have written less.
class Reader {
public:
  Reader(MLIRContext &context, StringRef bytes) : context_(context), bytes_(bytes) {}

  bool atEnd() const { return bytes_.empty(); }

  std::optional<Diagnostic> read() {
    uint64_t severity = number();
    StringRef file = text();
    auto line = static_cast<unsigned>(number()), column = static_cast<unsigned>(number());
    StringRef node = text(), message = text();
    uint64_t notes = number();
    if (isCut_)
      return std::nullopt;
    Location location = UnknownLoc::get(&context_);
    if (!file.empty())
      location = FileLineColLoc::get(&context_, file, line, column);
    if (!node.empty())
      location = NameLoc::get(StringAttr::get(&context_, node), location);
    Diagnostic diagnostic(location, static_cast<DiagnosticSeverity>(severity));
    diagnostic << Twine(message);
    for (uint64_t i = 0; i < notes; ++i) {
      std::optional<Diagnostic> note = read();
      if (!note)
        return std::nullopt;
      diagnostic.attachNote(note->getLocation()) << note->str();
    }
    return diagnostic;
  }

private:
  uint64_t number() {
    uint64_t value = 0;
    if (bytes_.size() < sizeof value)
      isCut_ = true;
    else
      std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_ = bytes_.drop_front(std::min(bytes_.size(), sizeof value));
    return value;
  }
  StringRef text() {
    uint64_t size = number();
    isCut_ |= size > bytes_.size();
    StringRef result = bytes_.take_front(size);
    bytes_ = bytes_.drop_front(result.size());
    return result;
  }

  MLIRContext &context_;
  StringRef bytes_;
  bool isCut_ = false;
};

// ---- The child ----------------------------------------------------------------------------------

void writeAll(int file, StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR)
      return; // nobody listens any more
    bytes = bytes.drop_front(static_cast<size_t>(std::max<ssize_t>(written, 0)));
  }
}

// A crash says nothing, leaves no file, and looks for nobody's bug report.
void becomeQuiet() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS})
    std::signal(number, SIG_DFL);
  int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDERR_FILENO);
}

[[noreturn]] void runChild(MLIRContext &context, int pipe, llvm::function_ref<bool()> body) {
  becomeQuiet();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    std::string bytes;
    write(bytes, diagnostic);
    writeAll(pipe, bytes);
    return success();
  });
  bool isGood = body();
  ::_exit(isGood ? 0 : static_cast<int>(rt::ExitCode::kBadGraph));
}

// ---- The parent ---------------------------------------------------------------------------------

std::string readAll(int file) {
  std::string bytes;
  char part[4096];
  for (;;) {
    ssize_t got = ::read(file, part, sizeof part);
    if (got == 0 || (got < 0 && errno != EINTR))
      return bytes;
    bytes.append(part, static_cast<size_t>(std::max<ssize_t>(got, 0)));
  }
}

TrialOutcome awaitChild(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return TrialOutcome::kCrashed;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == static_cast<int>(rt::ExitCode::kOutOfMemory))
    llvm::report_bad_alloc_error("a child process has no memory");
  if (code == 0)
    return TrialOutcome::kGood;
  return code == static_cast<int>(rt::ExitCode::kBadGraph) ? TrialOutcome::kRefused
                                                           : TrialOutcome::kCrashed;
}

} // namespace

TrialOutcome tryInChild(MLIRContext &context, llvm::function_ref<bool()> body) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return TrialOutcome::kNoProcess;
  pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    runChild(context, ends[1], body);
  }
  int error = errno;
  ::close(ends[1]);
  std::string told = child > 0 ? readAll(ends[0]) : std::string();
  ::close(ends[0]);
  errno = error;
  if (child < 0)
    return TrialOutcome::kNoProcess;
  TrialOutcome outcome = awaitChild(child);
  // What is good will be done here, and tells the same once more.
  for (Reader reader(context, told); outcome != TrialOutcome::kGood && !reader.atEnd();) {
    std::optional<Diagnostic> diagnostic = reader.read();
    if (!diagnostic)
      break;
    context.getDiagEngine().emit(std::move(*diagnostic));
  }
  return outcome;
}

} // namespace sluice::import
