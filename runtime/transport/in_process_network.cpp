// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Network twin inside one process: pipes guarded by a lock.
#include "runtime/transport/network.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>

namespace sluice::rt {

namespace {

// Bytes in one direction.
struct Pipe {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<char> bytes;
  bool closed = false;

  void close() {
    std::lock_guard lock(mutex);
    closed = true;
    changed.notify_all();
  }
};

Status timedOut(const char *what) {
  return {Code::kDeadlineExceeded, format("%s timed out", what)};
}

class PipeStream final : public Stream {
public:
  PipeStream(std::shared_ptr<Pipe> in, std::shared_ptr<Pipe> out)
      : in_(std::move(in)), out_(std::move(out)) {}
  ~PipeStream() override {
    in_->close();
    out_->close();
  }

  Result<size_t> read(std::span<char> into, uint64_t timeoutNs) override {
    std::unique_lock lock(in_->mutex);
    if (!in_->changed.wait_for(lock, std::chrono::nanoseconds(timeoutNs),
                               [&] { return in_->closed || !in_->bytes.empty(); }))
      return timedOut("reading");
    size_t count = std::min(into.size(), in_->bytes.size());
    std::copy_n(in_->bytes.begin(), count, into.begin());
    in_->bytes.erase(in_->bytes.begin(), in_->bytes.begin() + static_cast<ptrdiff_t>(count));
    return count;
  }

  Status write(std::span<const char> bytes, uint64_t) override {
    std::lock_guard lock(out_->mutex);
    if (out_->closed)
      return {Code::kUnavailable, "the peer closed the connection"};
    out_->bytes.insert(out_->bytes.end(), bytes.begin(), bytes.end());
    out_->changed.notify_all();
    return okStatus();
  }

private:
  std::shared_ptr<Pipe> in_, out_;
};

// Connections that wait to be accepted.
struct Backlog {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::unique_ptr<Stream>> waiting;
};

class InProcessNetwork final : public Network {
public:
  Result<std::unique_ptr<Listener>> listen(const std::string &address) override;
  Result<std::unique_ptr<Stream>> connect(const std::string &address, uint64_t) override {
    std::shared_ptr<Backlog> backlog;
    {
      std::lock_guard lock(table_->mutex);
      if (auto it = table_->listeners.find(address); it != table_->listeners.end())
        backlog = it->second.lock();
    }
    if (!backlog)
      return Status(Code::kUnavailable, "nobody listens at '" + address + "'");
    auto there = std::make_shared<Pipe>(), back = std::make_shared<Pipe>();
    std::lock_guard lock(backlog->mutex);
    backlog->waiting.push_back(std::make_unique<PipeStream>(there, back));
    backlog->changed.notify_one();
    return std::unique_ptr<Stream>(std::make_unique<PipeStream>(back, there));
  }

private:
  struct Table {
    std::mutex mutex;
    std::map<std::string, std::weak_ptr<Backlog>> listeners;
    int nextPort = 1;
  };
  std::shared_ptr<Table> table_ = std::make_shared<Table>();
};

class InProcessListener final : public Listener {
public:
  InProcessListener(std::string address, std::shared_ptr<Backlog> backlog)
      : address_(std::move(address)), backlog_(std::move(backlog)) {}
  std::string address() const override { return address_; }
  Result<std::unique_ptr<Stream>> accept(uint64_t timeoutNs) override {
    std::unique_lock lock(backlog_->mutex);
    if (!backlog_->changed.wait_for(lock, std::chrono::nanoseconds(timeoutNs),
                                    [&] { return !backlog_->waiting.empty(); }))
      return timedOut("accepting");
    std::unique_ptr<Stream> stream = std::move(backlog_->waiting.front());
    backlog_->waiting.pop_front();
    return stream;
  }

private:
  std::string address_;
  std::shared_ptr<Backlog> backlog_;
};

Result<std::unique_ptr<Listener>> InProcessNetwork::listen(const std::string &address) {
  size_t colon = address.rfind(':');
  if (colon == std::string::npos)
    return invalidArgument("expected an address of the form host:port but got '" + address + "'");
  std::lock_guard lock(table_->mutex);
  std::string chosen = address;
  if (address.substr(colon) == ":0")
    chosen = address.substr(0, colon + 1) + std::to_string(table_->nextPort++);
  auto &entry = table_->listeners[chosen];
  if (!entry.expired())
    return Status(Code::kUnavailable, "address '" + chosen + "' is in use");
  auto backlog = std::make_shared<Backlog>();
  entry = backlog;
  return std::unique_ptr<Listener>(std::make_unique<InProcessListener>(chosen, backlog));
}

} // namespace

std::unique_ptr<Network> makeInProcessNetwork() { return std::make_unique<InProcessNetwork>(); }

} // namespace sluice::rt
