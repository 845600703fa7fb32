// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Figures: what launches, events, copies and graphs cost at best.
#include "test/gpu/card/sections.h"

#include <algorithm>

namespace sluice::test {

void measureFloors(CardSession &session) {
  Driver &d = session.driver;
  CardReport &report = session.report;
  Module module = session.module("floors.cubin");
  Function nothing = session.function(module, "nothing"),
           loop = session.function(module, "loop_in_block");
  Stream stream = session.stream(), other = session.stream();
  auto launchNothing = [&](unsigned blocks = 1, unsigned threads = 32) {
    session.must("cuLaunchKernel", d.cuLaunchKernel(nothing, blocks, 1, 1, threads, 1, 1, 0, stream,
                                                    nullptr, nullptr));
  };
  launchNothing();
  session.wait(stream);
  constexpr int kMany = 20000;
  report.figure("launch_ns", nanosecondsOf([&] {
                               for (int i = 0; i < kMany; ++i)
                                 launchNothing();
                               session.wait(stream);
                             }) / kMany);
  // The host's part alone, as long as the queue is not full.
  constexpr int kFew = 500;
  double enqueue = 1e30;
  for (int round = 0; round < 20; ++round) {
    enqueue = std::min(enqueue, nanosecondsOf(
                                    [&] {
                                      for (int i = 0; i < kFew; ++i)
                                        launchNothing();
                                    },
                                    1) /
                                    kFew);
    session.wait(stream);
  }
  report.figure("launch_enqueue_ns", enqueue);
  report.figure("launch_and_wait_ns", nanosecondsOf([&] {
                                        for (int i = 0; i < 1000; ++i) {
                                          launchNothing();
                                          session.wait(stream);
                                        }
                                      }) / 1000);
  Event event = session.event();
  report.figure("launch_and_query_event_ns", nanosecondsOf([&] {
                                               for (int i = 0; i < 1000; ++i) {
                                                 launchNothing();
                                                 d.cuEventRecord(event, stream);
                                                 while (d.cuEventQuery(event) == kNotReady) {
                                                 }
                                               }
                                             }) / 1000);
  report.figure("record_and_wait_event_ns", nanosecondsOf([&] {
                                              for (int i = 0; i < kFew; ++i) {
                                                d.cuEventRecord(event, stream);
                                                d.cuStreamWaitEvent(other, event, 0);
                                              }
                                              session.wait(stream);
                                              session.wait(other);
                                            }) / kFew);
  report.figure("launch_across_streams_ns", nanosecondsOf([&] {
                                              for (int i = 0; i < kFew; ++i) {
                                                launchNothing();
                                                d.cuEventRecord(event, stream);
                                                d.cuStreamWaitEvent(other, event, 0);
                                                d.cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, 0,
                                                                 other, nullptr, nullptr);
                                                d.cuEventRecord(event, other);
                                                d.cuStreamWaitEvent(stream, event, 0);
                                              }
                                              session.wait(stream);
                                              session.wait(other);
                                            }) / kFew /
                                                2);
  DevicePointer x = session.upload(std::vector<float>(1024, 1.0f));
  for (unsigned threads : {16u, 256u, 1024u}) {
    constexpr int kIterations = 1000000;
    report.figure("loop_in_a_block_of_" + std::to_string(threads) + "_ns_per_iteration",
                  nanosecondsOf([&] {
                    session.launch(loop, stream, 1, threads, x, 1.0f, kIterations);
                    session.wait(stream);
                  }) / kIterations);
  }
  report.figure("set_context_ns", nanosecondsOf([&] {
                                    for (int i = 0; i < kMany; ++i)
                                      d.cuCtxSetCurrent(session.context);
                                  }) / kMany);
}

void measureCopies(CardSession &session) {
  Driver &d = session.driver;
  CardReport &report = session.report;
  Stream stream = session.stream();
  constexpr size_t kLarge = size_t(256) << 20;
  void *host = nullptr;
  session.must("cuMemHostAlloc", d.cuMemHostAlloc(&host, kLarge, kHostAllocPortable));
  DevicePointer card = session.allocate(kLarge), second = session.allocate(kLarge);
  auto time = [&](size_t bytes, int times, auto copy) {
    return nanosecondsOf([&] {
             for (int i = 0; i < times; ++i)
               session.must("a copy", copy(bytes));
             session.wait(stream);
           }) /
           times;
  };
  auto in = [&](size_t bytes) { return d.cuMemcpyHtoDAsync(card, host, bytes, stream); };
  auto out = [&](size_t bytes) { return d.cuMemcpyDtoHAsync(host, card, bytes, stream); };
  auto within = [&](size_t bytes) { return d.cuMemcpyDtoDAsync(second, card, bytes, stream); };
  auto fill = [&](size_t bytes) { return d.cuMemsetD32Async(card, 0, bytes / 4, stream); };
  report.figure("copy_in_gb_per_s", kLarge / time(kLarge, 4, in));
  report.figure("copy_out_gb_per_s", kLarge / time(kLarge, 4, out));
  report.figure("copy_within_read_and_written_gb_per_s", 2 * kLarge / time(kLarge, 20, within));
  report.figure("fill_gb_per_s", kLarge / time(kLarge, 20, fill));
  report.figure("copy_in_4_bytes_ns", time(4, 1000, in));
  report.figure("copy_out_4_bytes_ns", time(4, 1000, out));
  report.figure("copy_within_4_bytes_ns", time(4, 1000, within));
  report.figure("copy_out_4_bytes_and_wait_ns", nanosecondsOf([&] {
                                                  for (int i = 0; i < 1000; ++i) {
                                                    session.must("a copy", out(4));
                                                    session.wait(stream);
                                                  }
                                                }) / 1000);
  report.figure("pin_256_mib_ms",
                nanosecondsOf(
                    [&] {
                      void *more = nullptr;
                      session.must("cuMemHostAlloc",
                                   d.cuMemHostAlloc(&more, kLarge, kHostAllocPortable));
                      d.cuMemFreeHost(more);
                    },
                    2) /
                    1e6);
  report.figure("allocate_and_free_16_mib_us", nanosecondsOf([&] {
                                                 DevicePointer more = 0;
                                                 session.must("cuMemAlloc",
                                                              d.cuMemAlloc(&more, 16 << 20));
                                                 d.cuMemFree(more);
                                               }) / 1e3);
  report.figure("allocate_and_free_in_stream_order_ns",
                nanosecondsOf([&] {
                  for (int i = 0; i < 1000; ++i) {
                    DevicePointer more = 0;
                    session.must("cuMemAllocAsync", d.cuMemAllocAsync(&more, 1 << 16, stream));
                    d.cuMemFreeAsync(more, stream);
                  }
                  session.wait(stream);
                }) / 1000);
}

// ---- Graphs -------------------------------------------------------------------------------------

static double timeLaunch(CardSession &session, GraphExec exec) {
  Stream stream = session.stream();
  session.must("cuGraphUpload", session.driver.cuGraphUpload(exec, stream));
  session.wait(stream);
  return nanosecondsOf(
      [&] {
        session.must("cuGraphLaunch", session.driver.cuGraphLaunch(exec, stream));
        session.wait(stream);
      },
      10);
}

// `kernels` of a body in a row, beside the one that decides; `branches` of them in an IF each.
static double timeLoop(CardSession &session, Module module, int count, int kernels, int branches) {
  Counting k(session, module);
  GraphMaker maker(session);
  ConditionalHandle handle = maker.handle(maker.graph);
  GraphNode first = maker.kernel(maker.graph, k.reset, {}, k.counter, count, handle);
  Graph body = maker.conditional(maker.graph, kConditionalWhile, handle, {first})[0];
  std::vector<GraphNode> last;
  for (int i = 0; i < kernels; ++i)
    last = {maker.kernel(body, k.increment, last, k.total)};
  for (int i = 0; i < branches; ++i) {
    ConditionalHandle which = maker.handle(body);
    last = {maker.kernel(body, k.reset, last, k.inner, 1, which)};
    GraphNode added = nullptr;
    Graph taken = maker.conditional(body, kConditionalIf, which, last, 1, &added)[0];
    maker.kernel(taken, k.increment, {}, k.total);
    last = {added};
  }
  maker.kernel(body, k.countDown, last, k.counter, handle);
  return timeLaunch(session, maker.instantiate());
}

void measureGraphs(CardSession &session) {
  CardReport &report = session.report;
  Module module = session.module("count_down.cubin");
  Function increment = session.function(module, "increment");
  DevicePointer total = session.upload(std::vector<int>{0});
  for (int kernels : {1, 101}) {
    GraphMaker maker(session);
    std::vector<GraphNode> last;
    for (int i = 0; i < kernels; ++i)
      last = {maker.kernel(maker.graph, increment, last, total)};
    report.figure("graph_of_" + std::to_string(kernels) + "_kernels_ns",
                  timeLaunch(session, maker.instantiate()));
  }
  {
    double begun = nanosecondsOf(
        [&] {
          GraphMaker maker(session);
          std::vector<GraphNode> last;
          for (int i = 0; i < 1000; ++i)
            last = {maker.kernel(maker.graph, increment, last, total)};
          session.driver.cuGraphExecDestroy(maker.instantiate());
        },
        2);
    report.figure("make_and_instantiate_1000_nodes_ms", begun / 1e6);
  }
  constexpr int kCount = 10000;
  double base = timeLoop(session, module, 0, 0, 0);
  report.figure("while_without_iterations_ns", base);
  for (auto [kernels, branches] : {std::pair{0, 0}, {1, 0}, {4, 0}, {10, 0}, {0, 1}, {0, 4}})
    report.figure("while_with_" + std::to_string(kernels) + "_kernels_and_" +
                      std::to_string(branches) + "_branches_ns_per_iteration",
                  (timeLoop(session, module, kCount, kernels, branches) - base) / kCount);
}

} // namespace sluice::test
