// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context on the first card, and short forms of the calls that checks make.
#pragma once

#include "runtime/device/cuda/driver.h"
#include "test/gpu/card/report.h"

#include <chrono>
#include <string>
#include <vector>

namespace sluice::test {

using namespace sluice::rt::cuda;

class CardSession {
public:
  // Ends the process, with what is missing, if there is no driver or no card.
  CardSession(CardReport &report, std::string kernels);

  // The file of the kernels' folder, loaded. Ends the process if the driver refuses it.
  Module module(const std::string &file);
  Function function(Module module, const char *name);
  Stream stream();
  Event event(unsigned flags = kEventDisableTiming);
  DevicePointer allocate(size_t bytes);
  template <typename T> DevicePointer upload(const std::vector<T> &values) {
    DevicePointer to = allocate(values.size() * sizeof(T));
    must("cuMemcpyHtoD", driver.cuMemcpyHtoD(to, values.data(), values.size() * sizeof(T)));
    return to;
  }
  template <typename T> std::vector<T> download(DevicePointer from, size_t count) {
    std::vector<T> values(count);
    must("cuMemcpyDtoH", driver.cuMemcpyDtoH(values.data(), from, count * sizeof(T)));
    return values;
  }
  template <typename... Parameters>
  void launch(Function function, Stream stream, unsigned blocks, unsigned threads,
              Parameters... values) {
    void *parameters[] = {&values..., nullptr};
    must("cuLaunchKernel", driver.cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream,
                                                 parameters, nullptr));
  }
  void wait(Stream stream) { must("cuStreamSynchronize", driver.cuStreamSynchronize(stream)); }
  // Ends the process with the call's name.
  void must(const char *call, Result result);
  std::string text(Result result) const;
  std::string fileText(const std::string &file) const;
  int attribute(DeviceAttribute which);

  CardReport &report;
  Driver driver;
  Context context = nullptr;

private:
  std::string kernels_;
};

// Nanoseconds that the work takes, the least of some rounds.
template <typename Work> double nanosecondsOf(Work work, int rounds = 5) {
  double least = 1e30;
  for (int i = 0; i < rounds; ++i) {
    auto begin = std::chrono::steady_clock::now();
    work();
    std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    least = took.count() < least ? took.count() : least;
  }
  return least;
}

// A graph under construction.
class GraphMaker {
public:
  GraphMaker(CardSession &session) : session_(session) {
    session.must("cuGraphCreate", session.driver.cuGraphCreate(&graph, 0));
  }
  template <typename... Parameters>
  GraphNode kernel(Graph to, Function function, std::vector<GraphNode> after,
                   Parameters... values) {
    void *parameters[] = {&values..., nullptr};
    GraphNodeParameters node = {};
    node.type = kNodeKernel;
    node.kernel.function = function;
    node.kernel.gridX = node.kernel.gridY = node.kernel.gridZ = 1;
    node.kernel.blockX = node.kernel.blockY = node.kernel.blockZ = 1;
    node.kernel.parameters = parameters;
    return add(to, node, after);
  }
  ConditionalHandle handle(Graph of, unsigned initial = 0, unsigned flags = 0) {
    ConditionalHandle handle = 0;
    session_.must("cuGraphConditionalHandleCreate",
                  session_.driver.cuGraphConditionalHandleCreate(&handle, of, session_.context,
                                                                 initial, flags));
    return handle;
  }
  std::vector<Graph> conditional(Graph to, ConditionalType type, ConditionalHandle handle,
                                 std::vector<GraphNode> after, unsigned size = 1,
                                 GraphNode *added = nullptr) {
    GraphNodeParameters node = {};
    node.type = kNodeConditional;
    node.conditional.handle = handle;
    node.conditional.type = type;
    node.conditional.size = size;
    node.conditional.context = session_.context;
    GraphNode result = add(to, node, after);
    if (added)
      *added = result;
    return std::vector<Graph>(node.conditional.bodies, node.conditional.bodies + size);
  }
  // Launched so often, and awaited.
  void run(int launches) {
    GraphExec exec = instantiate();
    Stream stream = session_.stream();
    for (int i = 0; i < launches; ++i)
      session_.must("cuGraphLaunch", session_.driver.cuGraphLaunch(exec, stream));
    session_.wait(stream);
  }
  GraphExec instantiate() {
    GraphExec exec = nullptr;
    session_.must("cuGraphInstantiateWithFlags",
                  session_.driver.cuGraphInstantiateWithFlags(&exec, graph, 0));
    return exec;
  }
  Graph graph = nullptr;

private:
  GraphNode add(Graph to, GraphNodeParameters &node, const std::vector<GraphNode> &after) {
    GraphNode added = nullptr;
    session_.must("cuGraphAddNode", session_.driver.cuGraphAddNode(&added, to, after.data(),
                                                                   nullptr, after.size(), &node));
    return added;
  }
  CardSession &session_;
};

// The kernels of count_down.ll, and numbers that they count in.
struct Counting {
  Counting(CardSession &session, Module module)
      : reset(session.function(module, "reset")), increment(session.function(module, "increment")),
        countDown(session.function(module, "count_down")) {
    for (DevicePointer *number : {&counter, &inner, &total})
      *number = session.upload(std::vector<int>{0});
  }
  Function reset, increment, countDown;
  DevicePointer counter = 0, inner = 0, total = 0;
};

} // namespace sluice::test
