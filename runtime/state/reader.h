// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reader of records: it takes the names of files from a queue, and gives the records of one file
// after the other.
//
// A firing that wants records first awaits a file, which may mean to be parked, and then reads,
// which may take long; both again, if the file turns out to have none. Of several that await a file
// one asks the queue, and the others wait for it: it may get a file that is enough for all.
#pragma once

#include "runtime/io/records/record_file.h"
#include "runtime/memory/named_tensor.h"
#include "runtime/state/object_type.h"
#include "runtime/state/queue.h"

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sluice::rt {

class Reader final : public Waitable {
public:
  static constexpr Kind kKind = Kind::kReader;
  static const ObjectType &type() { return kReaderType; }

  struct Options {
    std::string title; // "reader 'r'", for messages
    RecordForm form;
  };
  static Result<Ref<Reader>> make(Options options);
  // INVALID_ARGUMENT unless the reader is as was asked for.
  Status check(const Options &options) const;

  // ---- From any thread

  // Ends once there is a file under way, or the name of one. Errors are those of the queue.
  Status awaitFile(Queue &queue, Client client);
  bool withdraw(const ParkedCall &call) override;
  std::string title() const override { return options_.title; }

  // ---- From one thread at a time

  // Up to so many records of one file; none if there is no file, or its end was reached. Begins
  // with the next file if none is under way; an error of its first record stays until it is read or
  // the reader is reset.
  Result<std::vector<Record>> read(int64_t most, Disk &disk);
  int64_t recordsProduced() const { return counts_.records; }
  int64_t filesCompleted() const { return counts_.finished; }
  void reset();

  // As TensorFlow writes them, for forms without a place in a file; UNIMPLEMENTED for others.
  Result<std::string> serialize() const;
  // INVALID_ARGUMENT if it is none, and then as after a reset.
  Status deserialize(std::string_view state);

  // All that the reader is, as of LastingObject::save, and the reader of such a content.
  Result<std::vector<NamedTensor>> content() const;
  static Result<Ref<Reader>> ofContent(std::vector<NamedTensor> content);

private:
  class Fetch;
  struct Counts {
    int64_t started = 0, finished = 0, records = 0;
  };
  // Who waits in the queue for the name of a file.
  struct Fetching {
    const ParkedCall *inQueue; // what the queue knows
    const ParkedCall *firing;  // what it is parked for
    Ref<Queue> queue;
  };

  explicit Reader(Options options) : Waitable(kKind), options_(std::move(options)) {}
  bool isUnderWay() const { return counts_.started > counts_.finished; }
  Status begin(Disk &disk);
  // The queue has answered, or will not.
  void endFetch(const Status &status, std::span<const Tensor> element);

  const Options options_;
  Counts counts_;
  std::string current_;              // the file that is under way, or was last
  RecordFile::Place place_;          // in it
  std::unique_ptr<RecordFile> file_; // opened when it is read

  mutable std::mutex mutex_;
  // With the mutex.
  bool fetches_ = false;
  bool mayRead_ = false; // a file is under way
  std::optional<Fetching> fetching_;
  std::optional<Tensor> next_; // what the queue has given
  std::vector<std::unique_ptr<ParkedCall>> waiting_;
};

} // namespace sluice::rt
