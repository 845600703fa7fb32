// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starting, watching and ending of ranks.
#include "tools/sluice-run/launcher.h"

#include "tools/sluice-run/rank_trace_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice::run {

namespace {

// Different for every start, so that ranks of two runs never talk to each other.
std::string randomId() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    return {};
  std::string text;
  for (unsigned char byte : bytes)
    text += rt::format("%02x", byte);
  return text;
}

} // namespace

Launcher::Launcher(std::vector<Rank> ranks, const Options &options, OutputQueue &out)
    : ranks_(std::move(ranks)), options_(options), out_(out) {
  sigset_t handled;
  sigemptyset(&handled);
  for (int signal : {SIGCHLD, SIGTERM, SIGINT, SIGUSR2})
    sigaddset(&handled, signal);
  ::sigprocmask(SIG_BLOCK, &handled, &oldMask_);
  signals_ = ::signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK);
}

Launcher::~Launcher() {
  if (signals_ >= 0)
    ::close(signals_);
}

rt::Status Launcher::start() {
  std::string runId = randomId();
  if (signals_ < 0 || runId.empty())
    return rt::internalError(std::string("cannot prepare the start: ") + std::strerror(errno));
  std::vector<ListeningSocket> sockets;
  // Asked for its flags, rank 0 needs no others.
  if (options_.askedAlone)
    ranks_.resize(1);
  else
    for (size_t rank = 0; rank < ranks_.size(); ++rank) {
      rt::Result<ListeningSocket> socket = ListeningSocket::open(ranks_[rank].address);
      if (!socket.ok())
        return {socket.status().code(),
                "rank " + std::to_string(rank) + ": " + socket.status().message()};
      sockets.push_back(std::move(*socket));
    }
  rt::Status status;
  for (size_t rank = 0; status.ok() && rank < ranks_.size(); ++rank) {
    StartRequest request;
    request.arguments = argumentsOf(rank, sockets, runId);
    request.listenDescriptor = sockets.empty() ? -1 : sockets[rank].descriptor();
    status = startRank(rank, std::move(request));
  }
  if (!status.ok())
    for (pid_t pid : pids_) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  return status;
}

std::vector<std::string> Launcher::argumentsOf(size_t rank,
                                               const std::vector<ListeningSocket> &sockets,
                                               const std::string &runId) const {
  std::vector<std::string> arguments{ranks_[rank].executable};
  if (!sockets.empty()) {
    std::string peers;
    for (const ListeningSocket &socket : sockets)
      peers += (peers.empty() ? "" : ",") + socket.address();
    arguments.push_back("--listen-fd=" + std::to_string(sockets[rank].descriptor()));
    arguments.push_back("--peers=" + peers);
    arguments.push_back("--run-id=" + runId);
    if (!options_.trace.empty())
      arguments.push_back("--trace=" + traceOfRank(options_.trace, rank));
    arguments.insert(arguments.end(), options_.everyRank.begin(), options_.everyRank.end());
  }
  if (rank == 0)
    arguments.insert(arguments.end(), options_.firstRank.begin(), options_.firstRank.end());
  return arguments;
}

rt::Status Launcher::startRank(size_t rank, StartRequest request) {
  request.ownsTerminal = rank == 0;
  request.signalMask = oldMask_;
  SLUICE_ASSIGN_OR_RETURN(Started started, run::startRank(request));
  pids_.push_back(started.pid);
  stopped_.push_back(false);
  relayOfErrors_.push_back(relays_.size());
  relays_.emplace_back(started.err, prefixOf(rank), out_);
  if (started.out >= 0)
    relays_.emplace_back(started.out, prefixOf(rank), out_);
  return rt::okStatus();
}

std::string Launcher::prefixOf(size_t rank) const {
  if (!options_.prefix)
    return {};
  std::string text = "[rank " + std::to_string(rank) + "]";
  const char *noColor = std::getenv("NO_COLOR");
  if (!::isatty(out_.descriptor()) || (noColor && *noColor))
    return text + ' ';
  // The six colours of terminals that are neither black nor white.
  return "\033[" + std::to_string(31 + rank % 6) + "m" + text + "\033[0m ";
}

Verdict Launcher::run() {
  while (anyRuns()) {
    wait();
    advance();
  }
  for (LineRelay &relay : relays_)
    relay.finish();
  return judge(ends_, stopSignal_);
}

void Launcher::wait() {
  std::vector<pollfd> waiting{{signals_, POLLIN, 0}};
  waiting.push_back({out_.empty() ? -1 : out_.descriptor(), POLLOUT, 0});
  for (const LineRelay &relay : relays_)
    waiting.push_back({out_.full() ? -1 : relay.descriptor(), POLLIN, 0});
  int timeout = -1;
  if (stage_ != Stage::kRunning) {
    auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
    timeout = static_cast<int>(std::max<int64_t>(left.count(), 0));
  }
  if (::poll(waiting.data(), waiting.size(), timeout) > 0)
    handleReady(waiting);
}

void Launcher::handleReady(const std::vector<pollfd> &waiting) {
  for (size_t i = 0; i < relays_.size(); ++i)
    if (waiting[i + 2].revents)
      relays_[i].readSome();
  if (waiting[1].revents)
    out_.writeSome();
  if (waiting[0].revents)
    handleSignals();
}

void Launcher::handleSignals() {
  signalfd_siginfo info;
  while (::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGCHLD)
      continue;
    // What comes from the terminal, the ranks have received as well.
    if (info.ssi_code != SI_KERNEL)
      signalAll(signal, /*stops=*/false);
    if (signal != SIGTERM && signal != SIGINT)
      continue;
    if (stage_ == Stage::kRunning)
      stopSignal_ = signal;
    beginEnding(std::chrono::duration<double>(options_.grace));
  }
  reap();
}

void Launcher::reap() {
  size_t before = ends_.size();
  for (size_t rank = 0; rank < pids_.size(); ++rank) {
    int status;
    if (pids_[rank] > 0 && ::waitpid(pids_[rank], &status, WNOHANG) == pids_[rank])
      noteEnd(rank, status, before);
  }
}

void Launcher::noteEnd(size_t rank, int status, size_t together) {
  RankEnd end;
  end.rank = rank;
  (WIFSIGNALED(status) ? end.signal : end.exitCode) =
      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  end.stopped = stopped_[rank];
  // Of ends that are seen together, those by signals came first: the others noticed them.
  ends_.insert(end.signal ? ends_.begin() + static_cast<ptrdiff_t>(together) : ends_.end(), end);
  pids_[rank] = -1;
  // Who cannot read its flags has not begun, and the others would only wait for it.
  if (end.exitCode == kUsage)
    beginEnding({});
  else if (end.bad() || rank == 0)
    beginEnding(std::chrono::duration<double>(options_.grace));
}

void Launcher::beginEnding(std::chrono::duration<double> grace) {
  if (stage_ != Stage::kRunning)
    return;
  stage_ = Stage::kWaiting;
  deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(grace);
}

void Launcher::advance() {
  if (stage_ == Stage::kRunning || Clock::now() < deadline_ || !anyRuns())
    return;
  bool terminate = stage_ == Stage::kWaiting;
  stage_ = terminate ? Stage::kTerminating : Stage::kKilling;
  deadline_ = Clock::now() + std::chrono::seconds(1);
  signalAll(terminate ? SIGTERM : SIGKILL, /*stops=*/true);
}

void Launcher::signalAll(int signal, bool stops) {
  for (size_t rank = 0; rank < pids_.size(); ++rank)
    if (pids_[rank] > 0) {
      stopped_[rank] = stopped_[rank] || stops;
      ::kill(pids_[rank], signal);
    }
}

} // namespace sluice::run
