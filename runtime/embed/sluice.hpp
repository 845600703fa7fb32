// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the classes of compiled models have in common: a model, a call, and the error of the last
// thing that failed. One object is used by one thread at a time.
#ifndef SLUICE_HPP
#define SLUICE_HPP

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>

namespace sluice {

class CompiledFunction {
public:
  enum class AllocMode {
    // The object brings memory for arguments of known size.
    ARGS_VARIABLES_RESULTS_PROFILES_AND_TEMPS,
    // The caller gives memory for all arguments.
    RESULTS_PROFILES_AND_TEMPS_ONLY,
  };

  CompiledFunction(const CompiledFunction &) = delete;
  CompiledFunction &operator=(const CompiledFunction &) = delete;
  ~CompiledFunction() {
    sluice_call_free(call_);
    if (ownsModel_)
      sluice_model_free(model_);
    delete[] args_;
    delete[] variables_;
  }

  // False if it fails, also if the object could not be made; `error` says why. It fails after so
  // many seconds, if any are given.
  bool Run(double seconds = 0) {
    return moveVariables(/*writes=*/true) &&
           sluice_call_run(call_, seconds, &error_) == SLUICE_OK && moveVariables(/*writes=*/false);
  }
  // Ends a run that is under way; from any thread.
  void Cancel() {
    if (call_)
      sluice_call_cancel(call_);
  }
  bool Save(const char *path) {
    return moveVariables(/*writes=*/true) && sluice_model_save(model_, path, &error_) == SLUICE_OK;
  }
  bool Load(const char *path) {
    return call_ && sluice_model_load(model_, path, &error_) == SLUICE_OK &&
           moveVariables(/*writes=*/false);
  }

  const sluice_error &error() const { return error_; }
  std::string error_msg() const {
    return error_.node[0] ? "node '" + std::string(error_.node) + "': " + error_.message
                          : std::string(error_.message);
  }
  // Null if it could not be made. Other objects may share it.
  sluice_model *model() const { return model_; }

  int num_args() const { return signature_ ? static_cast<int>(signature_->num_feeds) : 0; }
  int num_results() const { return signature_ ? static_cast<int>(signature_->num_fetches) : 0; }
  const char *arg_name(size_t index) const { return signature_->feeds[index]->name; }
  const char *result_name(size_t index) const { return signature_->fetches[index]->name; }

  // The caller's elements of an argument of known size, or of such dims; they are read by each Run.
  bool set_arg_data(size_t index, const void *data) {
    return set_arg_data(index, data, nullptr, 0);
  }
  bool set_arg_data(size_t index, const void *data, const int64_t *dims, int rank) {
    sluice_tensor value{};
    if (!call_)
      return false;
    const sluice_port &port = *signature_->feeds[index];
    value.dtype = port.dtype;
    value.rank = dims ? rank : port.rank;
    value.dims = dims ? dims : port.dims;
    value.data = data;
    value.bytes = sizeOf(port.dtype);
    for (int i = 0; i < value.rank; ++i)
      value.bytes *= static_cast<size_t>(value.dims[i]);
    if (sluice_call_feed(call_, index, &value, &error_) != SLUICE_OK)
      return false;
    args_[index] = const_cast<void *>(data);
    return true;
  }
  // Memory of an argument, the object's or the caller's; null if there is none.
  void *arg_data(size_t index) { return args_ ? args_[index] : nullptr; }
  const void *arg_data(size_t index) const { return args_ ? args_[index] : nullptr; }
  // The object's memory for an argument of such dims.
  void *arg_memory(size_t index, const int64_t *dims) {
    void *data = nullptr;
    if (call_ && sluice_call_feed_memory(call_, index, dims, &data, &error_) == SLUICE_OK)
      args_[index] = data;
    return data;
  }
  // Of the last Run, until the next one; without data if that has failed.
  sluice_tensor result(size_t index) const {
    sluice_tensor value{};
    if (call_)
      (void)sluice_call_fetch(call_, index, &value, nullptr);
    return value;
  }
  void *result_data(size_t index) const { return const_cast<void *>(result(index).data); }

protected:
  CompiledFunction(sluice_entry entry, sluice_context *context, sluice_model *model,
                   const char *signature, AllocMode mode)
      : model_(model), ownsModel_(!model) {
    error_.code = SLUICE_OK;
    error_.node[0] = error_.message[0] = 0;
    const sluice_library *library = nullptr;
    if (entry(SLUICE_API_VERSION, &library, &error_) != SLUICE_OK)
      return;
    if (model_ && sluice_model_check(model_, library, &error_) != SLUICE_OK) {
      model_ = nullptr;
      return;
    }
    const size_t position = sluice_find_signature(library->program, signature);
    if (!model_ && sluice_model_create(library, context, nullptr, &model_, &error_) != SLUICE_OK)
      return;
    if (sluice_call_create(model_, position, &call_, &error_) != SLUICE_OK)
      return;
    signature_ = library->program->signatures[position];
    args_ = new (std::nothrow) void *[signature_->num_feeds + 1]();
    numVariables_ = library->program->num_variables;
    variables_ = new (std::nothrow) BoundVariable[numVariables_ + 1]();
    program_ = library->program;
    if (!args_ || !variables_) {
      sluice_set_error(&error_, SLUICE_RESOURCE_EXHAUSTED, "out of memory");
      sluice_call_free(call_);
      call_ = nullptr;
    } else if (mode == AllocMode::ARGS_VARIABLES_RESULTS_PROFILES_AND_TEMPS) {
      for (size_t i = 0; i < signature_->num_feeds; ++i)
        if (isOfKnownSize(*signature_->feeds[i]))
          arg_memory(i, nullptr);
    }
  }

  // The caller's memory, or null for some of our own. What it has is written before each Run and
  // Save unless it is what was read last, so that others may change the variable; it is read after
  // each Run and Load.
  bool bindVariable(size_t index, void *memory) {
    if (!variables_)
      return false;
    const sluice_port &port = *program_->variables[index];
    size_t bytes = sizeOf(port.dtype);
    for (int i = 0; i < port.rank; ++i)
      bytes *= static_cast<size_t>(port.dims[i]);
    BoundVariable &variable = variables_[index];
    if (!memory) {
      variable.own.assign(bytes, '\0');
      memory = &variable.own[0];
      sluice_tensor value;
      if (bytes && sluice_model_read(model_, index, memory, bytes, &value, nullptr, nullptr))
        std::memset(memory, 0, bytes); // it has no value yet
    }
    variable.memory = memory;
    variable.bytes = bytes;
    variable.wasRead = !variable.own.empty() && memory == &variable.own[0];
    if (variable.wasRead)
      variable.read = variable.own;
    return true;
  }
  void *variableData(size_t index) {
    if (!variables_ || (!variables_[index].memory && !bindVariable(index, nullptr)))
      return nullptr;
    return variables_[index].memory;
  }
  // Null if nobody has asked for it before.
  const void *variableData(size_t index) const {
    return variables_ ? variables_[index].memory : nullptr;
  }

private:
  struct BoundVariable {
    void *memory = nullptr;
    size_t bytes = 0;
    std::string own;
    std::string read; // what it had when it was read last
    bool wasRead = false;

    bool hasWhatWasRead() const { return wasRead && std::memcmp(memory, read.data(), bytes) == 0; }
  };

  static bool isOfKnownSize(const sluice_port &port) {
    bool known = port.rank >= 0 && port.dtype != SLUICE_STRING;
    for (int i = 0; i < port.rank; ++i)
      known = known && port.dims[i] >= 0;
    return known;
  }
  static size_t sizeOf(sluice_dtype dtype) {
    constexpr unsigned char kSizes[] = {0, 2, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1, 8, 16};
    return dtype == SLUICE_STRING ? sizeof(sluice_string) : kSizes[dtype];
  }

  bool moveVariables(bool writes) {
    if (!call_)
      return false;
    for (size_t i = 0; i < numVariables_; ++i) {
      BoundVariable &variable = variables_[i];
      if (!variable.memory || (writes && variable.hasWhatWasRead()))
        continue;
      const sluice_port &port = *program_->variables[i];
      sluice_tensor value{};
      value.dtype = port.dtype;
      value.rank = port.rank;
      value.dims = port.dims;
      value.data = variable.memory;
      value.bytes = variable.bytes;
      const sluice_code code = writes ? sluice_model_write(model_, i, &value, &error_)
                                      : sluice_model_read(model_, i, variable.memory,
                                                          variable.bytes, &value, nullptr, &error_);
      if (code == SLUICE_FAILED_PRECONDITION && !writes)
        continue; // it has no value
      if (code != SLUICE_OK)
        return false;
      variable.read.assign(static_cast<const char *>(variable.memory), variable.bytes);
      variable.wasRead = true;
    }
    return true;
  }

  sluice_model *model_ = nullptr;
  bool ownsModel_;
  sluice_call *call_ = nullptr;
  const sluice_program *program_ = nullptr;
  const sluice_signature *signature_ = nullptr;
  void **args_ = nullptr;
  size_t numVariables_ = 0;
  BoundVariable *variables_ = nullptr;
  sluice_error error_;
};

} // namespace sluice

#endif
