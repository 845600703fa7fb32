// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the card; loads kernels.
#include "test/gpu/card/card_session.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace sluice::test {

[[noreturn]] static void giveUp(const CardReport &report) {
  report.finish(nullptr);
  std::exit(1);
}

CardSession::CardSession(CardReport &report, std::string kernels)
    : report(report), kernels_(std::move(kernels)) {
  const char *library = std::getenv("CARD_CHECK_DRIVER");
  auto found = loadDriver(library ? library : "libcuda.so.1");
  if (!found.ok()) {
    report.failed("driver", found.status().toString());
    giveUp(report);
  }
  driver = *found;
  must("cuDevicePrimaryCtxRetain", driver.cuDevicePrimaryCtxRetain(&context, 0));
  must("cuCtxSetCurrent", driver.cuCtxSetCurrent(context));
}

std::string CardSession::text(Result result) const {
  const char *name = nullptr;
  driver.cuGetErrorName(result, &name);
  return std::to_string(result) + " (" + (name ? name : "no name") + ")";
}

void CardSession::must(const char *call, Result result) {
  if (result == kSuccess)
    return;
  report.failed(call, text(result));
  giveUp(report);
}

int CardSession::attribute(DeviceAttribute which) {
  int value = 0;
  must("cuDeviceGetAttribute", driver.cuDeviceGetAttribute(&value, which, 0));
  return value;
}

std::string CardSession::fileText(const std::string &file) const {
  std::ostringstream text;
  text << std::ifstream(kernels_ + "/" + file, std::ios::binary).rdbuf();
  return text.str();
}

Module CardSession::module(const std::string &file) {
  Module module = nullptr;
  must(("cuModuleLoadData of " + file).c_str(),
       driver.cuModuleLoadData(&module, fileText(file).c_str()));
  return module;
}

Function CardSession::function(Module module, const char *name) {
  Function function = nullptr;
  must("cuModuleGetFunction", driver.cuModuleGetFunction(&function, module, name));
  return function;
}

Stream CardSession::stream() {
  Stream stream = nullptr;
  must("cuStreamCreate", driver.cuStreamCreate(&stream, kStreamNonBlocking));
  return stream;
}

Event CardSession::event(unsigned flags) {
  Event event = nullptr;
  must("cuEventCreate", driver.cuEventCreate(&event, flags));
  return event;
}

DevicePointer CardSession::allocate(size_t bytes) {
  DevicePointer pointer = 0;
  must("cuMemAlloc", driver.cuMemAlloc(&pointer, bytes));
  return pointer;
}

} // namespace sluice::test
