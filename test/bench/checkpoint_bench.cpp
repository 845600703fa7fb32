// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What checkpoints cost beside the same bytes written and read as they are. Prints a JSON line for
// each measurement, in seconds; test/bench/checkpoint repeats rounds and makes the table.
//
// Usage: checkpoint-bench FOLDER BYTES ROUNDS
#include "runtime/api/variable_files.h"
#include "runtime/checkpoint/checkpoint_series.h"
#include "runtime/io/safetensors.h"
#include "runtime/state/variable.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

using namespace sluice::rt;

namespace {

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void check(const Status &status) {
  if (status.ok())
    return;
  std::fprintf(stderr, "%s\n", status.toString().c_str());
  std::exit(1);
}
void check(bool done, const char *what) {
  if (!done) {
    std::perror(what);
    std::exit(1);
  }
}

void print(const char *what, double begin) {
  std::printf("{\"what\":\"%s\",\"seconds\":%.6f}\n", what, now() - begin);
  std::fflush(stdout);
}

// Weights of a model: a few large matrices, and a small vector for each.
class Weights {
public:
  explicit Weights(uint64_t bytes) {
    constexpr uint64_t kLarge = 64 << 20, kSmall = 16 << 10;
    for (uint64_t made = 0, i = 0; made < bytes; ++i) {
      uint64_t size = std::min(bytes - made, i % 2 ? kSmall : kLarge);
      add(std::max<uint64_t>(size, 4));
      made += size;
    }
    fill();
  }
  void fill() {
    for (Variable *variable : variables()) {
      variable->value = *Tensor::allocate(DType::kF32, variable->shape);
      for (int64_t i = 0; i < variable->value.elements(); ++i)
        variable->value.data<float>()[i] = static_cast<float>(i % 8191);
    }
  }
  std::span<const LastingResource> resources() const { return resources_; }
  std::vector<Variable *> variables() const {
    std::vector<Variable *> variables;
    for (const LastingResource &resource : resources_)
      variables.push_back(static_cast<Variable *>(resource.object));
    return variables;
  }

private:
  void add(uint64_t bytes) {
    auto elements = static_cast<int64_t>(bytes / sizeof(float));
    auto *variable =
        new Variable("w" + std::to_string(owned_.size()), DType::kF32, Shape{elements});
    owned_.push_back(Ref<Object>::adopt(variable));
    resources_.push_back({"variable", variable->name, variable});
  }
  std::vector<Ref<Object>> owned_;
  std::vector<LastingResource> resources_;
};

void writeRaw(const std::string &path, const Weights &weights) {
  int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  check(file >= 0, "open");
  for (Variable *variable : weights.variables()) {
    const char *at = variable->value.data<char>();
    for (size_t left = variable->value.bytes(); left > 0;) {
      ssize_t n = ::write(file, at, left);
      check(n > 0, "write");
      at += n;
      left -= static_cast<size_t>(n);
    }
  }
  check(::fsync(file) == 0 && ::close(file) == 0, "fsync");
}

// Into memory of each tensor, as a program would have it.
std::vector<Tensor> readRaw(const std::string &path, const Weights &weights) {
  int file = ::open(path.c_str(), O_RDONLY);
  check(file >= 0, "open");
  std::vector<Tensor> tensors;
  for (Variable *variable : weights.variables()) {
    tensors.push_back(*Tensor::allocate(DType::kF32, variable->shape));
    char *at = tensors.back().data<char>();
    for (size_t left = tensors.back().bytes(); left > 0;) {
      ssize_t n = ::read(file, at, left);
      check(n > 0, "read");
      at += n;
      left -= static_cast<size_t>(n);
    }
  }
  ::close(file);
  return tensors;
}

// The system's memory holds nothing of the file any more.
void forget(const std::string &path) {
  int file = ::open(path.c_str(), O_RDONLY);
  check(file >= 0 && ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0, "fadvise");
  ::close(file);
}

double sumOf(const Weights &weights) {
  double sum = 0;
  for (Variable *variable : weights.variables())
    for (float value : variable->value.values<float>())
      sum += value;
  return sum;
}

class Rounds {
public:
  Rounds(std::string folder, uint64_t bytes) : folder_(std::move(folder)), weights_(bytes) {}

  void run(uint64_t step, bool rawFirst) {
    auto series = open();
    rawFirst ? (raw(), save(*series, step)) : (save(*series, step), raw());
    // As in a process that has just begun.
    auto drop = [&] {
      for (Variable *variable : weights_.variables())
        variable->value.reset();
    };
    std::string shard = folder_ + "/c/step-" + std::to_string(step) + "/rank-0";
    for (bool cold : {true, false}) {
      auto own = [&] {
        drop();
        if (cold)
          forget(shard);
        double begin = now();
        check(series->resume(1000, [](const std::string &text) { std::puts(text.c_str()); })
                  .status());
        print(cold ? "load, cold" : "load", begin);
      };
      auto raw = [&] {
        drop();
        if (cold)
          forget(folder_ + "/raw");
        double begin = now();
        std::vector<Tensor> tensors = readRaw(folder_ + "/raw", weights_);
        print(cold ? "read, cold" : "read", begin);
      };
      rawFirst ? (raw(), own()) : (own(), raw());
    }
    drop();
    check(series->resume(1000, [](const std::string &) {}).status());
    double begin = now();
    volatile double sum = sumOf(weights_);
    (void)sum;
    print("first look at what was loaded", begin);
    begin = now();
    for (Variable *variable : weights_.variables())
      for (int64_t i = 0; i < variable->value.elements(); i += 1024)
        variable->value.data<float>()[i] += 1;
    print("first write to what was loaded", begin);
    weights_.fill(); // in memory of their own
    safetensors();
  }

private:
  std::unique_ptr<CheckpointSeries> open() {
    auto series = CheckpointSeries::open(files_, folder_ + "/c", {"bench", weights_.resources()});
    check(series.status());
    return std::move(*series);
  }
  void raw() {
    ::unlink((folder_ + "/raw").c_str());
    ::sync(); // what others have written is nobody's cost
    double begin = now();
    writeRaw(folder_ + "/raw", weights_);
    print("write and fsync", begin);
  }
  // Removing the one before is not measured, for neither of both.
  void save(CheckpointSeries &series, uint64_t step) {
    if (step > 1)
      std::filesystem::remove_all(folder_ + "/c/step-" + std::to_string(step - 1));
    ::sync();
    double begin = now();
    check(series.save(step, 1000));
    print("save", begin);
  }
  void safetensors() {
    HostDisk disk;
    std::string path = folder_ + "/safetensors";
    double begin = now();
    std::vector<NamedTensor> tensors;
    for (Variable *variable : weights_.variables())
      tensors.emplace_back(variable->name, variable->value);
    std::unique_ptr<NewFiles> files = disk.writeSeveral();
    check(files->begin(path));
    check(writeSafetensors(std::move(tensors), *files));
    check(files->commit());
    print("--save", begin);
    begin = now();
    auto file = disk.openParts(path);
    check(file.status());
    check(readSafetensors(**file).status());
    print("--load", begin);
    ::unlink(path.c_str());
  }

  HostFileSystem files_;
  std::string folder_;
  Weights weights_;
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: checkpoint-bench FOLDER BYTES ROUNDS\n");
    return 2;
  }
  Rounds rounds(argv[1], std::strtoull(argv[2], nullptr, 10));
  for (long i = 1, count = std::strtol(argv[3], nullptr, 10); i <= count; ++i)
    rounds.run(static_cast<uint64_t>(i), i % 2 == 0);
}
