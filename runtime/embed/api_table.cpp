// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function of the interface turns handles into objects and statuses into errors.
#include "runtime/embed/api_table.h"

#include "runtime/embed/error.h"
#include "runtime/embed/prepared_call.h"
#include "runtime/embed/variable_value.h"

namespace sluice::rt {

namespace {

Model &modelOf(sluice_model *model) { return *static_cast<Model *>(model); }
PreparedCall &callOf(sluice_call *call) { return *static_cast<PreparedCall *>(call); }

// Options of callers that know fewer of them: those they do not know are zeros.
template <typename T> T optionsOf(const T *given, T standard) {
  if (given)
    std::memcpy(&standard, given, std::min(given->size, sizeof standard));
  return standard;
}

template <typename T> sluice_code give(Result<T> result, T *to, sluice_error *error) {
  if (!result.ok())
    return tell(result.status(), error);
  *to = *result;
  return SLUICE_OK;
}

// ---- Contexts

sluice_code createContext(const sluice_context_options *given, sluice_context **context,
                          sluice_error *error) {
  *context = nullptr;
  sluice_context_options standard{};
  standard.threads = -1;
  auto options = optionsOf(given, standard);
  return give(rt::createContext(options.threads, options.memory_limit), context, error);
}

sluice_code setLimit(sluice_context *context, const char *name, uint64_t value,
                     sluice_error *error) {
  return tell(rt::setLimit(*context, name, value), error);
}

void tellMemory(const sluice_context *context, uint64_t *held, uint64_t *peak) {
  if (held)
    *held = context->memory.held;
  if (peak)
    *peak = context->memory.peak;
}

void freeContext(sluice_context *context) {
  if (context)
    releaseContext(*context);
}

// ---- Models

Model::Print printerOf(const sluice_model_options &options) {
  if (!options.print)
    return nullptr;
  return [print = options.print, user = options.user](std::string_view text) {
    print(user, text.data(), text.size());
  };
}

sluice_code createModel(const sluice_library *library, sluice_context *context,
                        const sluice_model_options *given, sluice_model **model,
                        sluice_error *error) {
  *model = nullptr;
  auto options = optionsOf<sluice_model_options>(given, {});
  DeviceChoice device;
  if (options.device) {
    std::optional<DeviceChoice> known = DeviceChoice::parse(options.device);
    if (!known)
      return tell(invalidArgument("device: expected " + std::string(kDeviceChoices) + " but got '" +
                                  options.device + "'"),
                  error);
    device = *known;
  }
  sluice_context *own = nullptr;
  if (!context) {
    if (sluice_code code = createContext(nullptr, &own, error))
      return code;
    context = own;
  }
  Result<Model *> made =
      Model::create(static_cast<const Library &>(*library), *context, printerOf(options), device);
  freeContext(own);
  if (!made.ok())
    return tell(made.status(), error);
  *model = *made;
  return SLUICE_OK;
}

void freeModel(sluice_model *model) { modelOf(model).release(); }

sluice_code save(sluice_model *model, const char *path, sluice_error *error) {
  return tell(modelOf(model).save(path), error);
}

sluice_code load(sluice_model *model, const char *path, sluice_error *error) {
  return tell(modelOf(model).load(path), error);
}

sluice_code read(sluice_model *model, size_t variable, void *data, size_t room,
                 sluice_tensor *value, int64_t *dims, sluice_error *error) {
  return tell(readVariable(modelOf(model), variable, {data, room, dims}, *value), error);
}

sluice_code write(sluice_model *model, size_t variable, const sluice_tensor *value,
                  sluice_error *error) {
  return tell(writeVariable(modelOf(model), variable, *value), error);
}

// ---- Calls

sluice_code createCall(sluice_model *model, size_t signature, sluice_call **call,
                       sluice_error *error) {
  *call = nullptr;
  Result<PreparedCall *> made = PreparedCall::create(modelOf(model), signature);
  if (made.ok())
    *call = *made;
  return tell(made.status(), error);
}

void freeCall(sluice_call *call) { delete &callOf(call); }

sluice_code feed(sluice_call *call, size_t index, const sluice_tensor *value, sluice_error *error) {
  return tell(callOf(call).feed(index, *value), error);
}

sluice_code feedMemory(sluice_call *call, size_t index, const int64_t *dims, void **data,
                       sluice_error *error) {
  *data = nullptr;
  return give(callOf(call).feedMemory(index, dims), data, error);
}

sluice_code run(sluice_call *call, double seconds, sluice_error *error) {
  return tell(callOf(call).run(seconds), error);
}

void cancel(sluice_call *call) { callOf(call).cancel(); }

sluice_code fetch(sluice_call *call, size_t index, sluice_tensor *value, sluice_error *error) {
  return tell(callOf(call).fetch(index, *value), error);
}

constexpr sluice_api kTable = {
    .version = SLUICE_API_VERSION,
    .size = sizeof(sluice_api),
    .context_create = createContext,
    .context_set_limit = setLimit,
    .context_memory = tellMemory,
    .context_free = freeContext,
    .model_create = createModel,
    .model_free = freeModel,
    .model_save = save,
    .model_load = load,
    .model_read = read,
    .model_write = write,
    .call_create = createCall,
    .call_free = freeCall,
    .call_feed = feed,
    .call_feed_memory = feedMemory,
    .call_run = run,
    .call_cancel = cancel,
    .call_fetch = fetch,
};

} // namespace

const sluice_api &apiTable() { return kTable; }

} // namespace sluice::rt
