// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks: images, kernels, graphs that steer themselves, order of streams, error codes.
#include "test/gpu/card/sections.h"

#include <cstring>

namespace sluice::test {

static const char *const kKernelFiles[] = {"axpy",         "block_sum", "count_down",
                                           "halve",        "histogram", "matmul",
                                           "partial_sums", "transpose", "floors"};

void describeCard(CardSession &session) {
  char name[256] = "";
  session.must("cuDeviceGetName", session.driver.cuDeviceGetName(name, sizeof name, 0));
  std::printf("card: %s, CUDA driver %d\n", name, session.driver.version);
#define FUNCTION(name, version, parameters)                                                        \
  if (session.driver.name)                                                                         \
    session.report.passed(#name " is there");                                                      \
  else                                                                                             \
    session.report.skipped(#name, "the driver has none of version " #version);
#include "runtime/device/cuda/cuda_functions.def"
#undef FUNCTION
  for (auto [attribute, text] : {std::pair{kComputeCapabilityMajor, "compute_capability_major"},
                                 {kComputeCapabilityMinor, "compute_capability_minor"},
                                 {kMultiprocessorCount, "multiprocessors"},
                                 {kMaxThreadsPerBlock, "threads_per_block"},
                                 {kMaxThreadsPerMultiprocessor, "threads_per_multiprocessor"},
                                 {kMaxSharedPerBlock, "shared_bytes_per_block"},
                                 {kMaxSharedPerBlockOptIn, "shared_bytes_per_block_if_asked_for"},
                                 {kMaxSharedPerMultiprocessor, "shared_bytes_per_multiprocessor"},
                                 {kMaxRegistersPerBlock, "registers_per_block"},
                                 {kL2CacheSize, "l2_cache_bytes"},
                                 {kClockRate, "clock_khz"},
                                 {kMemoryClockRate, "memory_clock_khz"},
                                 {kMemoryBusWidth, "memory_bus_bits"},
                                 {kAsyncEngineCount, "copy_engines"},
                                 {kMemoryPoolsSupported, "memory_pools"}})
    session.report.figure(text, session.attribute(attribute));
  size_t free = 0, total = 0;
  session.must("cuMemGetInfo", session.driver.cuMemGetInfo(&free, &total));
  session.report.figure("free_bytes", double(free));
  session.report.figure("total_bytes", double(total));
}

void loadImages(CardSession &session) {
  for (const char *file : kKernelFiles)
    for (const char *kind : {".cubin", ".ptx"}) {
      std::string name = file + std::string(kind);
      std::string image = session.fileText(name);
      if (image.empty()) {
        session.report.failed(name, "the file is missing");
        continue;
      }
      Module module = nullptr;
      Result result = session.driver.cuModuleLoadData(&module, image.c_str());
      session.report.check(result == kSuccess, "load " + name, session.text(result));
    }
}

void runKernels(CardSession &session) {
  Stream stream = session.stream();
  for (const char *kind : {".cubin", ".ptx"}) {
    constexpr int kCount = 1000;
    std::vector<float> x(kCount), y(kCount), want(kCount);
    for (int i = 0; i < kCount; ++i) {
      x[i] = float(i);
      y[i] = float(3 * i);
      want[i] = y[i] + 2 * x[i];
    }
    Function axpy = session.function(session.module("axpy" + std::string(kind)), "axpy");
    DevicePointer to = session.upload(y);
    session.launch(axpy, stream, 8, 128, to, session.upload(x), 2.0f, kCount);
    session.wait(stream);
    session.report.check(session.download<float>(to, kCount) == want,
                         "axpy" + std::string(kind) + " computes", "other values");

    constexpr int kSide = 64;
    std::vector<float> a(kSide * kSide), b(a.size()), c(a.size());
    for (size_t i = 0; i < a.size(); ++i) {
      a[i] = float(i % 7);
      b[i] = float(i % 5);
    }
    for (int i = 0; i < kSide; ++i)
      for (int j = 0; j < kSide; ++j)
        for (int k = 0; k < kSide; ++k)
          c[i * kSide + j] += a[i * kSide + k] * b[k * kSide + j];
    Function matmul = session.function(session.module("matmul" + std::string(kind)), "matmul");
    DevicePointer product = session.allocate(4 * a.size()), left = session.upload(a),
                  right = session.upload(b);
    int side = kSide;
    void *parameters[] = {&product, &left, &right, &side};
    session.must("cuLaunchKernel",
                 session.driver.cuLaunchKernel(matmul, kSide / 16, kSide / 16, 1, 16, 16, 1, 0,
                                               stream, parameters, nullptr));
    session.wait(stream);
    session.report.check(session.download<float>(product, c.size()) == c,
                         "matmul" + std::string(kind) + " computes", "other values");
  }
}

// ---- Conditions ---------------------------------------------------------------------------------

static void runLoop(CardSession &session, Module module, int count) {
  Counting k(session, module);
  GraphMaker maker(session);
  ConditionalHandle handle = maker.handle(maker.graph);
  GraphNode first = maker.kernel(maker.graph, k.reset, {}, k.counter, count, handle);
  Graph body = maker.conditional(maker.graph, kConditionalWhile, handle, {first})[0];
  GraphNode counted = maker.kernel(body, k.increment, {}, k.total);
  maker.kernel(body, k.countDown, {counted}, k.counter, handle);
  maker.run(2);
  int got = session.download<int>(k.total, 1)[0];
  session.report.check(got == 2 * count, "WHILE of " + std::to_string(count) + " iterations, twice",
                       "expected " + std::to_string(2 * count) + " but got " + std::to_string(got));
}

static void runNested(CardSession &session, Module module) {
  constexpr int kOuter = 10, kInner = 3;
  Counting k(session, module);
  GraphMaker maker(session);
  ConditionalHandle outerHandle = maker.handle(maker.graph);
  GraphNode first = maker.kernel(maker.graph, k.reset, {}, k.counter, kOuter, outerHandle);
  Graph body = maker.conditional(maker.graph, kConditionalWhile, outerHandle, {first})[0];
  ConditionalHandle innerHandle = maker.handle(body);
  GraphNode again = maker.kernel(body, k.reset, {}, k.inner, kInner, innerHandle), loop;
  Graph innermost = maker.conditional(body, kConditionalWhile, innerHandle, {again}, 1, &loop)[0];
  GraphNode count = maker.kernel(innermost, k.increment, {}, k.total);
  maker.kernel(innermost, k.countDown, {count}, k.inner, innerHandle);
  maker.kernel(body, k.countDown, {loop}, k.counter, outerHandle);
  maker.run(2);
  int got = session.download<int>(k.total, 1)[0];
  session.report.check(got == 2 * kOuter * kInner, "a WHILE in a WHILE, twice",
                       "got " + std::to_string(got));
}

static void runBranch(CardSession &session, Module module, int taken) {
  Counting k(session, module);
  GraphMaker maker(session);
  ConditionalHandle handle = maker.handle(maker.graph);
  GraphNode first = maker.kernel(maker.graph, k.reset, {}, k.counter, taken, handle);
  std::vector<Graph> bodies = maker.conditional(maker.graph, kConditionalIf, handle, {first}, 2);
  maker.kernel(bodies[0], k.increment, {}, k.total);
  maker.kernel(bodies[1], k.increment, {}, k.inner);
  maker.run(1);
  session.report.check(session.download<int>(k.total, 1)[0] == taken &&
                           session.download<int>(k.inner, 1)[0] == !taken,
                       taken ? "IF takes its branch" : "IF takes the other branch", "it does not");
}

void runConditions(CardSession &session) {
  for (const char *file : {"count_down.cubin", "count_down.ptx"}) {
    Module module = session.module(file);
    for (int count : {0, 1, 10, 100000})
      runLoop(session, module, count);
    runNested(session, module);
    runBranch(session, module, 1);
    runBranch(session, module, 0);
  }
}

// ---- Streams ------------------------------------------------------------------------------------

void orderStreams(CardSession &session) {
  Function late = session.function(session.module("floors.cubin"), "late");
  Stream first = session.stream(), second = session.stream();
  for (bool waits : {true, false}) {
    DevicePointer place = session.upload(std::vector<int>{1});
    Event event = session.event();
    session.launch(late, first, 1, 1, place, 2, 100000);
    session.must("cuEventRecord", session.driver.cuEventRecord(event, first));
    if (waits)
      session.must("cuStreamWaitEvent", session.driver.cuStreamWaitEvent(second, event, 0));
    DevicePointer copy = session.upload(std::vector<int>{0});
    session.must("cuMemcpyDtoDAsync", session.driver.cuMemcpyDtoDAsync(copy, place, 4, second));
    session.wait(second);
    session.wait(first);
    int got = session.download<int>(copy, 1)[0];
    session.report.check(got == (waits ? 2 : 1),
                         waits ? "a stream waits for an event"
                               : "without the event it is ahead, so that the check can fail",
                         "got " + std::to_string(got));
  }

  DevicePointer pooled = 0;
  session.must("cuMemAllocAsync", session.driver.cuMemAllocAsync(&pooled, 1 << 20, first));
  session.launch(late, first, 1, 1, pooled, 5, 10);
  std::vector<int> got(1);
  session.must("cuMemcpyDtoHAsync", session.driver.cuMemcpyDtoHAsync(got.data(), pooled, 4, first));
  session.must("cuMemFreeAsync", session.driver.cuMemFreeAsync(pooled, first));
  session.wait(first);
  session.report.check(got[0] == 5, "memory in the order of a stream",
                       "got " + std::to_string(got[0]));

  Function increment = session.function(session.module("count_down.cubin"), "increment");
  DevicePointer place = session.upload(std::vector<int>{0});
  Event fork = session.event(), join = session.event();
  session.must("cuStreamBeginCapture",
               session.driver.cuStreamBeginCapture(first, kCaptureThreadLocal));
  session.launch(increment, first, 1, 1, place);
  session.must("cuEventRecord", session.driver.cuEventRecord(fork, first));
  session.must("cuStreamWaitEvent", session.driver.cuStreamWaitEvent(second, fork, 0));
  session.launch(increment, second, 1, 1, place);
  session.must("cuEventRecord", session.driver.cuEventRecord(join, second));
  session.must("cuStreamWaitEvent", session.driver.cuStreamWaitEvent(first, join, 0));
  session.launch(increment, first, 1, 1, place);
  Graph graph = nullptr;
  GraphExec exec = nullptr;
  session.must("cuStreamEndCapture", session.driver.cuStreamEndCapture(first, &graph));
  session.must("cuGraphInstantiateWithFlags",
               session.driver.cuGraphInstantiateWithFlags(&exec, graph, 0));
  for (int i = 0; i < 2; ++i)
    session.must("cuGraphLaunch", session.driver.cuGraphLaunch(exec, first));
  session.wait(first);
  int total = session.download<int>(place, 1)[0];
  session.report.check(total == 6, "two streams captured, launched twice",
                       "got " + std::to_string(total));
}

// ---- Error codes --------------------------------------------------------------------------------

void showErrorCodes(CardSession &session) {
  Driver &d = session.driver;
  auto show = [&](const char *what, Result result) {
    std::printf("code: %s: %s\n", what, session.text(result).c_str());
  };
  Module module = session.module("axpy.cubin");
  Function axpy = session.function(module, "axpy"), none = nullptr;
  Stream stream = session.stream();
  DevicePointer memory = session.allocate(4096), pointer = 0;
  float factor = 1;
  int count = 0;
  void *parameters[] = {&memory, &memory, &factor, &count};
  show("a kernel that the module lacks", d.cuModuleGetFunction(&none, module, "nobody"));
  show("an image of zeros", d.cuModuleLoadData(&module, std::string(64, '\0').c_str()));
  show("an image that is no PTX", d.cuModuleLoadData(&module, ".version 8.0\nnonsense\n"));
  show("no image", d.cuModuleLoadData(&module, nullptr));
  show("a block of 1025 threads",
       d.cuLaunchKernel(axpy, 1, 1, 1, 1025, 1, 1, 0, stream, parameters, nullptr));
  show("a block without threads",
       d.cuLaunchKernel(axpy, 1, 1, 1, 0, 1, 1, 0, stream, parameters, nullptr));
  show("a grid without blocks",
       d.cuLaunchKernel(axpy, 0, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
  show("a grid of 65536 in y",
       d.cuLaunchKernel(axpy, 1, 65536, 1, 1, 1, 1, 0, stream, parameters, nullptr));
  show("too much shared memory",
       d.cuLaunchKernel(axpy, 1, 1, 1, 32, 1, 1, 1 << 20, stream, parameters, nullptr));
  show("64 KiB of shared memory without asking",
       d.cuLaunchKernel(axpy, 1, 1, 1, 32, 1, 1, 64 << 10, stream, parameters, nullptr));
  show("no function", d.cuLaunchKernel(nullptr, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr));
  show("an allocation of 0 bytes", d.cuMemAlloc(&pointer, 0));
  show("an allocation of 1 PB", d.cuMemAlloc(&pointer, size_t(1) << 50));
  show("to free what was never allocated", d.cuMemFree(0x1234567800));
  show("to free nothing", d.cuMemFree(0));
  show("device 99", d.cuDeviceGet(&count, 99));
  show("a copy of 0 bytes", d.cuMemcpyHtoDAsync(memory, &factor, 0, stream));
  show("a fill beyond the end", d.cuMemsetD8Async(memory, 0, size_t(1) << 40, stream));
  show("a wait for no event", d.cuStreamWaitEvent(stream, nullptr, 0));
  Event event = session.event();
  show("a query of an event that was not recorded", d.cuEventQuery(event));
  show("a wait for an event that was not recorded", d.cuStreamWaitEvent(stream, event, 0));
  float milliseconds = 0;
  show("the time between events without times", d.cuEventElapsedTime(&milliseconds, event, event));
  Graph graph = nullptr;
  show("the end of a capture that nobody began", d.cuStreamEndCapture(stream, &graph));
  d.cuStreamBeginCapture(stream, kCaptureThreadLocal);
  show("a synchronization while capturing", d.cuStreamSynchronize(stream));
  show("the end of a capture that was broken", d.cuStreamEndCapture(stream, &graph));
  std::vector<float> host(1024);
  show("to give back memory that is not pinned", d.cuMemFreeHost(host.data()));
  GraphMaker maker(session);
  maker.conditional(maker.graph, kConditionalIf, maker.handle(maker.graph), {});
  GraphExec exec = nullptr;
  show("a branch without a body", d.cuGraphInstantiateWithFlags(&exec, maker.graph, 0));
  // The last, since it breaks the context.
  int many = 1 << 30;
  void *wild[] = {&memory, &memory, &factor, &many};
  show("a kernel that writes out of bounds, launched",
       d.cuLaunchKernel(axpy, 1 << 20, 1, 1, 256, 1, 1, 0, stream, wild, nullptr));
  show("a kernel that writes out of bounds, awaited", d.cuStreamSynchronize(stream));
  show("a call after that", d.cuMemAlloc(&pointer, 16));
}

} // namespace sluice::test
