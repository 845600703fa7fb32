// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reader: files that are awaited and read.
#include "runtime/state/reader.h"

#include <algorithm>

namespace sluice::rt {

// A firing in the queue. What the queue gives goes to the reader, and the firing goes on.
class Reader::Fetch final : public ParkedCall {
public:
  Fetch(Ref<Reader> reader, std::unique_ptr<ParkedCall> firing)
      : reader_(std::move(reader)), firing_(std::move(firing)) {}
  std::span<Tensor> outputs() override { return element_; }

private:
  void end(std::unique_ptr<ParkedCall>, Status status) override {
    reader_->endFetch(status, element_);
    ParkedCall::resume(std::move(firing_), std::move(status));
  }

  Ref<Reader> reader_;
  std::unique_ptr<ParkedCall> firing_;
  Tensor element_[1];
};

Result<Ref<Reader>> Reader::make(Options options) {
  const RecordForm &form = options.form;
  auto fault = [&](const char *what, int64_t least, int64_t got) {
    return invalidArgument(options.title + ": " + what + " must be >= " + std::to_string(least) +
                           " but got " + std::to_string(got));
  };
  if (form.skippedLines < 0)
    return fault("skip_header_lines", 0, form.skippedLines);
  if (form.headerBytes < 0)
    return fault("header_bytes", 0, form.headerBytes);
  if (form.kind == RecordForm::Kind::kFixed && form.recordBytes < 1)
    return fault("record_bytes", 1, form.recordBytes);
  if (form.footerBytes < 0)
    return fault("footer_bytes", 0, form.footerBytes);
  if (form.hopBytes < 0)
    return fault("hop_bytes", 0, form.hopBytes);
  return Ref<Reader>::adopt(new Reader(std::move(options)));
}

Status Reader::check(const Options &options) const {
  if (options.form == options_.form)
    return okStatus();
  return invalidArgument(options_.title + " reads files in another way than " + options.title);
}

// ---- Awaiting

Status Reader::awaitFile(Queue &queue, Client client) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (mayRead_ || next_)
      return okStatus();
    if (!client.parking)
      return internalError("a reader would wait where nothing can");
    if (fetches_) {
      waiting_.push_back(client.parking->park(*this, "read"));
      return okStatus();
    }
    fetches_ = true;
  }
  // Who asks the queue is parked on the reader, which knows where.
  struct InQueue final : Parking {
    Reader &reader;
    Queue &queue;
    Parking &firings;
    bool isParked = false;
    InQueue(Reader &r, Queue &q, Parking &f) : reader(r), queue(q), firings(f) {}
    std::unique_ptr<ParkedCall> park(Waitable &, const char *) override {
      isParked = true;
      std::unique_ptr<ParkedCall> firing = firings.park(reader, "read");
      const ParkedCall *known = firing.get();
      auto fetch = std::make_unique<Fetch>(Ref<Reader>::share(&reader), std::move(firing));
      std::lock_guard<std::mutex> lock(reader.mutex_);
      reader.fetching_ = Fetching{fetch.get(), known, Ref<Queue>::share(&queue)};
      return fetch;
    }
  } inQueue(*this, queue, *client.parking);
  static constexpr DType kName[] = {DType::kString};
  Tensor element[1];
  Status status = queue.dequeue(kName, {element, &inQueue});
  if (!inQueue.isParked)
    endFetch(status, element);
  return status;
}

void Reader::endFetch(const Status &status, std::span<const Tensor> element) {
  std::vector<std::unique_ptr<ParkedCall>> waiting;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    fetches_ = false;
    fetching_.reset();
    if (status.ok())
      next_ = element[0];
    waiting.swap(waiting_);
  }
  for (std::unique_ptr<ParkedCall> &call : waiting) // they look again
    ParkedCall::resume(std::move(call), okStatus());
}

bool Reader::withdraw(const ParkedCall &call) {
  std::optional<Fetching> fetching;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    auto found =
        std::ranges::find_if(waiting_, [&](const auto &one) { return one.get() == &call; });
    if (found != waiting_.end()) {
      waiting_.erase(found);
      return true;
    }
    if (!fetching_ || fetching_->firing != &call)
      return false;
    fetching = fetching_;
  }
  if (!fetching->queue->withdraw(*fetching->inQueue))
    return false; // it has an answer
  endFetch({Code::kCancelled, "the call that asked has ended"}, {});
  return true;
}

// ---- Reading

Status Reader::begin(Disk &disk) {
  std::optional<Tensor> next;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    next = std::exchange(next_, std::nullopt);
  }
  if (!next)
    return okStatus();
  if (next->elements() != 1)
    return invalidArgument("Expected to dequeue a one-element string tensor");
  std::string name = *next->data<std::string>();
  SLUICE_ASSIGN_OR_RETURN(file_, RecordFile::open(options_.form, name, disk));
  current_ = std::move(name);
  place_ = file_->place();
  ++counts_.started;
  std::lock_guard<std::mutex> lock(mutex_);
  mayRead_ = true;
  return okStatus();
}

Result<std::vector<Record>> Reader::read(int64_t most, Disk &disk) {
  std::vector<Record> records;
  if (!isUnderWay())
    SLUICE_RETURN_IF_ERROR(begin(disk));
  if (!isUnderWay())
    return records;
  if (!file_) { // a call of another process has read from it
    SLUICE_ASSIGN_OR_RETURN(file_, RecordFile::openAt(options_.form, current_, place_, disk));
  }
  while (static_cast<int64_t>(records.size()) < most && !file_->hasEnded()) {
    Record record;
    SLUICE_ASSIGN_OR_RETURN(bool isThere, file_->next(record));
    place_ = file_->place();
    if (isThere) {
      ++counts_.records;
      records.push_back(std::move(record));
    }
  }
  if (file_->hasEnded()) {
    file_.reset();
    counts_.finished = counts_.started;
    std::lock_guard<std::mutex> lock(mutex_);
    mayRead_ = false;
  }
  return records;
}

void Reader::reset() {
  counts_ = {};
  current_.clear();
  file_.reset();
  std::lock_guard<std::mutex> lock(mutex_);
  mayRead_ = false;
  next_.reset();
}

} // namespace sluice::rt
