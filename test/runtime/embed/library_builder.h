// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of tests as libraries, used through sluice.h alone.
#pragma once

#include "runtime/embed/library.h"
#include "runtime/embed/sluice.h"
#include "test/runtime/executor/graph_builder.h"

namespace sluice::rt {

class LibraryBuilder {
public:
  GraphBuilder graph;

  const sluice_library *library() {
    if (!library_) {
      auto loaded = Library::load(graph.makeImage(), graph.tables());
      EXPECT_TRUE(loaded.ok()) << loaded.status().toString();
      library_ = std::move(*loaded);
    }
    return library_.get();
  }
  // Of the program's only signature, as far as ports are concerned.
  PortDesc &feedPort(size_t i) { return graph.signature().feeds[i]; }
  PortDesc &fetchPort(size_t i) { return graph.signature().fetches[i]; }

private:
  std::unique_ptr<Library> library_;
};

// A model with one call of signature 0; both end with it.
class ModelUnderTest {
public:
  explicit ModelUnderTest(LibraryBuilder &builder, sluice_context *context = nullptr,
                          const sluice_model_options *options = nullptr) {
    EXPECT_EQ(sluice_model_create(builder.library(), context, options, &model, &error), SLUICE_OK)
        << error.message;
    EXPECT_EQ(sluice_call_create(model, 0, &call, &error), SLUICE_OK) << error.message;
  }
  ~ModelUnderTest() {
    sluice_call_free(call);
    sluice_model_free(model);
  }
  ModelUnderTest(const ModelUnderTest &) = delete;

  template <typename T>
  sluice_code feed(size_t index, const T *data, std::vector<int64_t> dims = {}) {
    size_t elements = 1;
    for (int64_t dim : dims)
      elements *= static_cast<size_t>(dim);
    sluice_tensor value{};
    value.dtype = static_cast<sluice_dtype>(DTypeOf<T>::value) + 1;
    value.rank = static_cast<int32_t>(dims.size());
    value.dims = dims.data();
    value.data = data;
    value.bytes = elements * sizeof(T);
    return sluice_call_feed(call, index, &value, &error);
  }
  sluice_code run(double seconds = 0) { return sluice_call_run(call, seconds, &error); }
  sluice_tensor fetch(size_t index) {
    sluice_tensor value{};
    EXPECT_EQ(sluice_call_fetch(call, index, &value, &error), SLUICE_OK) << error.message;
    return value;
  }
  template <typename T> std::vector<T> fetched(size_t index) {
    sluice_tensor value = fetch(index);
    const T *data = static_cast<const T *>(value.data);
    return {data, data + value.bytes / sizeof(T)};
  }

  sluice_model *model = nullptr;
  sluice_call *call = nullptr;
  sluice_error error{};
};

} // namespace sluice::rt
