// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel of nn.ctc_beam_search. Readings are a tree, of which the likeliest are the *beam*; what is
// known of a reading is how likely the paths are that end in its last label, and in a blank.
#include "runtime/base/pieces.h"
#include "runtime/kernels/attributes/nn.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/nn_ctc.h"

#include <atomic>
#include <deque>
#include <set>
#include <unordered_map>
#include <vector>

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfStep = 256;

// How many rows of labels there are, or an error.
Result<int64_t> rowsOf(const Shape &logits, const Shape &lengths, int64_t paths) {
  SLUICE_RETURN_IF_ERROR(checkLogits(logits, lengths));
  int64_t rows = Shape::kUnknown;
  if (!logits.hasRank())
    return rows;
  if (logits.dim(1) >= 0 && __builtin_mul_overflow(logits.dim(1), paths, &rows))
    return invalidArgument("expected fewer paths but got " + std::to_string(paths));
  if (logits.dim(2) == 0)
    return invalidArgument("num_classes must not be 0");
  return rows;
}

Status searchShape(ShapeCall &call) {
  const Shape &logits = call.input(0);
  const auto paths = static_cast<int64_t>(attributes::nn::CtcBeamSearch(call).paths());
  call.output(0) = Shape{Shape::kUnknown, Shape::kUnknown};
  call.output(1) =
      Shape{logits.hasRank() && logits.rank() == 3 ? logits.dim(1) : Shape::kUnknown, paths};
  SLUICE_ASSIGN_OR_RETURN(const int64_t rows, rowsOf(logits, call.input(1), paths));
  call.output(0).setDim(0, rows);
  return okStatus();
}

// Logarithms of probabilities.
template <typename T> struct Odds {
  T all = kImpossible<T>, blank = kImpossible<T>, label = kImpossible<T>;
};

template <typename T> struct Reading {
  const Reading *parent = nullptr;
  int64_t label = -1;
  int64_t number = 0; // of readings in the order in which they were made
  Odds<T> before, now;
  std::unordered_map<int64_t, Reading *> longer;

  bool isAlive() const { return now.all != kImpossible<T>; }
};

template <typename T> class Beam {
public:
  Beam(size_t width, int64_t classes) : width_(width), classes_(classes) {
    Reading<T> &root = add(nullptr, -1);
    root.now.all = root.now.blank = 0;
    readings_.insert(&root);
  }

  void step(const T *logits) {
    std::vector<Reading<T> *> kept(readings_.begin(), readings_.end());
    readings_.clear();
    const T norm = normOf(logits), blank = logits[classes_ - 1];
    for (Reading<T> *each : kept)
      each->before = each->now;
    for (Reading<T> *each : kept) {
      if (each->parent) {
        if (each->parent->isAlive())
          each->now.label = logOfSum(each->now.label, comeFrom(*each->parent, each->label));
        each->now.label += logits[each->label] - norm;
      }
      each->now.blank = each->before.all + blank - norm;
      each->now.all = logOfSum(each->now.blank, each->now.label);
      readings_.insert(each);
    }
    for (Reading<T> *each : kept)
      if (isWanted(each->before.all))
        lengthen(*each, logits, norm);
  }

  // Likeliest first.
  std::vector<const Reading<T> *> found() const { return {readings_.begin(), readings_.end()}; }

private:
  struct IsLikelier {
    bool operator()(const Reading<T> *a, const Reading<T> *b) const {
      return a->now.all != b->now.all ? a->now.all > b->now.all : a->number < b->number;
    }
  };

  Reading<T> &add(const Reading<T> *parent, int64_t label) {
    Reading<T> &made = all_.emplace_back();
    made.parent = parent;
    made.label = label;
    made.number = static_cast<int64_t>(all_.size());
    return made;
  }
  T normOf(const T *logits) const {
    const T most = *std::max_element(logits, logits + classes_);
    T sum = 0;
    for (int64_t i = 0; i < classes_; ++i)
      sum += std::exp(logits[i] - most);
    return most + std::log(sum);
  }
  // The same label again is another one only after a blank.
  static T comeFrom(const Reading<T> &parent, int64_t label) {
    return label == parent.label ? parent.before.blank : parent.before.all;
  }
  bool isWanted(T odds) const {
    return odds > kImpossible<T> &&
           (readings_.size() < width_ || odds > (*readings_.rbegin())->now.all);
  }
  void lengthen(Reading<T> &reading, const T *logits, T norm) {
    for (int64_t label = 0; label + 1 < classes_; ++label) {
      auto at = reading.longer.find(label);
      if (at != reading.longer.end() && at->second->isAlive())
        continue;
      const T odds = logits[label] - norm + comeFrom(reading, label);
      if (!isWanted(odds))
        continue;
      if (at == reading.longer.end())
        at = reading.longer.emplace(label, &add(&reading, label)).first;
      Reading<T> &longer = *at->second;
      longer.now = {odds, kImpossible<T>, odds};
      if (readings_.size() == width_) {
        Reading<T> &last = **readings_.rbegin();
        readings_.erase(std::prev(readings_.end()));
        last.now = {};
      }
      readings_.insert(&longer);
    }
  }

  size_t width_;
  int64_t classes_;
  std::deque<Reading<T>> all_;
  std::set<Reading<T> *, IsLikelier> readings_;
};

template <typename T> std::vector<int64_t> labelsOf(const Reading<T> *reading, bool merges) {
  std::vector<int64_t> labels;
  for (; reading->parent; reading = reading->parent)
    if (!merges || labels.empty() || labels.back() != reading->label)
      labels.push_back(reading->label);
  std::reverse(labels.begin(), labels.end());
  return labels;
}

template <typename T> Status searchRun(KernelCall &call) {
  const attributes::nn::CtcBeamSearch attributes(call);
  const auto paths = static_cast<size_t>(attributes.paths());
  SLUICE_RETURN_IF_ERROR(
      rowsOf(call.input(0).shape(), call.input(1).shape(), static_cast<int64_t>(paths)).status());
  const CtcSizes sizes(call.input(0).shape());
  SLUICE_RETURN_IF_ERROR(checkLengths(call.input(1), sizes.times));
  SLUICE_ASSIGN_OR_RETURN(
      call.output(1),
      Tensor::allocate(call.outputType(1), Shape{sizes.batch, static_cast<int64_t>(paths)}));
  std::vector<std::vector<int64_t>> labels(paths * static_cast<size_t>(sizes.batch));
  std::atomic<bool> hasAll = true;
  forPieces(sizes.batch, costOfAll(sizes.times, costOfAll(sizes.classes, kCostOfStep)),
            [&](int64_t begin, int64_t end) {
              for (int64_t i = begin; i < end; ++i) {
                Beam<T> beam(static_cast<size_t>(attributes.width()), sizes.classes);
                const int64_t length = call.input(1).data<int32_t>()[i];
                for (int64_t time = 0; time < length && !Cancellation::requestedHere(); ++time)
                  beam.step(call.input(0).data<T>() + (time * sizes.batch + i) * sizes.classes);
                auto found = beam.found();
                if (found.size() < paths) {
                  hasAll = false;
                  return;
                }
                for (size_t path = 0; path < paths; ++path) {
                  const auto row = path * static_cast<size_t>(sizes.batch) + static_cast<size_t>(i);
                  labels[row] = labelsOf(found[path], attributes.mergeRepeated());
                  call.output(1).data<T>()[static_cast<size_t>(i) * paths + path] =
                      found[path]->now.all;
                }
              }
            });
  if (Cancellation::requestedHere())
    return cancelledWork();
  if (!hasAll)
    return invalidArgument("Less leaves in the beam search than requested.");
  size_t longest = 0;
  for (const auto &row : labels)
    longest = std::max(longest, row.size());
  SLUICE_ASSIGN_OR_RETURN(call.output(0),
                          Tensor::allocate(DType::kI64, Shape{static_cast<int64_t>(labels.size()),
                                                              static_cast<int64_t>(longest)}));
  int64_t *to = call.output(0).data<int64_t>();
  std::fill(to, to + call.output(0).elements(), -1);
  for (size_t row = 0; row < labels.size(); ++row)
    std::copy(labels[row].begin(), labels[row].end(), to + row * longest);
  return okStatus();
}

uint64_t searchWork(const KernelCall &call) {
  constexpr uint64_t kPerElement = 200;
  return kPerElement * static_cast<uint64_t>(call.input(0).elements());
}
template <typename T> constexpr Kernel nn_ctc_beam_search_kernel() {
  return {searchShape, searchRun<T>, Kernel::kAllocates, nullptr, searchWork};
}

} // namespace

SLUICE_DEFINE_KERNELS(nn_ctc_beam_search, LONG_FLOAT)

} // namespace sluice::rt
