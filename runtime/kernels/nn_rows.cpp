// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers windows of images as rows of a matrix.
#include "runtime/kernels/nn_rows.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

template <typename T>
WindowRows<T>::WindowRows(const T *images, int64_t batch, std::array<RowAxis, 3> axes,
                          int64_t allChannels, int64_t channel, int64_t channels,
                          int64_t mostColumns)
    : images_(images), batch_(batch), axes_(std::move(axes)), allChannels_(allChannels),
      channel_(channel), channels_(channels) {
  if (channels == 0)
    return;
  for (int64_t first : axes_[0].offsets)
    for (int64_t second : axes_[1].offsets)
      addSegments(first, second, mostColumns);
}

template <typename T> void WindowRows<T>::addSegment(const RowSegment &segment, int64_t most) {
  if (chunks_.empty() || chunks_.back().columns + segment.columns() > most)
    chunks_.push_back({segments_.size(), segments_.size(), columns_, 0});
  segments_.push_back(segment);
  chunks_.back().end = segments_.size();
  chunks_.back().columns += segment.columns();
  columns_ += segment.columns();
}

template <typename T>
void WindowRows<T>::addSegments(int64_t first, int64_t second, int64_t mostColumns) {
  const std::vector<int64_t> &last = axes_[2].offsets;
  if (last.empty())
    return;
  const auto taps = static_cast<int64_t>(last.size());
  const bool areNeighbours = last.back() - last.front() == taps - 1;
  if (areNeighbours && channels_ == allChannels_ && taps <= mostColumns / channels_)
    return addSegment({{first, second, last.front()}, taps, channel_, channels_}, mostColumns);
  for (int64_t third : last)
    for (int64_t c = 0; c < channels_; c += mostColumns)
      addSegment({{first, second, third}, 1, channel_ + c, std::min(mostColumns, channels_ - c)},
                 mostColumns);
}

template <typename T> const T *WindowRows<T>::plain() const {
  for (const RowAxis &axis : axes_)
    if (axis.rows != axis.size || axis.step != 1 || axis.offsets != std::vector<int64_t>{0})
      return nullptr;
  return images_ + channel_;
}

template <typename T> typename WindowRows<T>::Place WindowRows<T>::placeOf(int64_t row) const {
  Place place{};
  for (size_t dim = 3; dim-- > 0; row /= axes_[dim].rows)
    place.at[dim] = row % axes_[dim].rows;
  place.image = row;
  return place;
}

template <typename T> void WindowRows<T>::next(Place &place) const {
  for (size_t dim = 3; dim-- > 0;) {
    if (++place.at[dim] < axes_[dim].rows)
      return;
    place.at[dim] = 0;
  }
  ++place.image;
}

// Most segments are so short that a call would take longer than to copy them.
template <typename T> static void copyFew(const T *from, int64_t count, T *to) {
  constexpr int64_t kSome = 32 / sizeof(T), kFew = 8 * kSome;
  if (count > kFew) {
    std::memcpy(to, from, static_cast<size_t>(count) * sizeof(T));
    return;
  }
  if (count < kSome) {
    for (int64_t i = 0; i < count; ++i)
      to[i] = from[i];
    return;
  }
  for (int64_t i = 0; i + kSome < count; i += kSome)
    __builtin_memcpy(to + i, from + i, 32);
  __builtin_memcpy(to + count - kSome, from + count - kSome, 32); // some of them again
}

// What lies outside an image is zero.
template <typename T>
void WindowRows<T>::gatherRow(const Place &place, const RowChunk &chunk, T *to) const {
  for (size_t i = chunk.begin; i < chunk.end; ++i) {
    const RowSegment &segment = segments_[i];
    const int64_t columns = segment.columns(), channels = segment.channels;
    const int64_t first = place.at[0] * axes_[0].step + segment.offsets[0];
    const int64_t second = place.at[1] * axes_[1].step + segment.offsets[1];
    const int64_t third = place.at[2] * axes_[2].step + segment.offsets[2];
    const int64_t begin = std::clamp<int64_t>(-third, 0, segment.taps);
    const int64_t end = std::clamp<int64_t>(axes_[2].size - third, begin, segment.taps);
    if (first < 0 || first >= axes_[0].size || second < 0 || second >= axes_[1].size ||
        begin == end) {
      std::fill_n(to, columns, T(0));
    } else {
      const int64_t line = (place.image * axes_[0].size + first) * axes_[1].size + second;
      const T *from =
          images_ + (line * axes_[2].size + third + begin) * allChannels_ + segment.channel;
      if (begin > 0)
        std::fill_n(to, begin * channels, T(0));
      copyFew(from, (end - begin) * channels, to + begin * channels);
      if (end < segment.taps)
        std::fill_n(to + end * channels, (segment.taps - end) * channels, T(0));
    }
    to += columns;
  }
}

template <typename T>
void WindowRows<T>::gather(int64_t row, int64_t rows, const RowChunk &chunk, T *to) const {
  Place place = placeOf(row);
  for (int64_t i = 0; i < rows; ++i, next(place))
    gatherRow(place, chunk, to + i * chunk.columns);
}

template class WindowRows<float>;
template class WindowRows<double>;

} // namespace sluice::rt
