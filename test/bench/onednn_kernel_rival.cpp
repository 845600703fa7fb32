// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// oneDNN beside our long kernels. test/bench/kernels compiles this file when it is asked to.
#include "test/bench/kernel_case.h"

#include <dnnl.hpp>

#include <functional>

using namespace sluice::bench;
using dnnl::algorithm;
using dnnl::memory;

extern "C" void omp_set_num_threads(int);

namespace {

memory::desc matrix(int64_t rows, int64_t columns) {
  return {{rows, columns}, memory::data_type::f32, memory::format_tag::ab};
}

std::function<void()> rivalOf(const KernelCase &c, float *x, float *y, float *out) {
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::desc whole = matrix(kBenchRows, kBenchColumns);
  memory left(whole, engine, x);
  if (c.isReduction()) {
    const memory::desc result =
        matrix(c.overRows ? 1 : kBenchRows, c.overColumns ? 1 : kBenchColumns);
    const algorithm how =
        c.op == KernelOp::kSum ? algorithm::reduction_sum : algorithm::reduction_max;
    dnnl::reduction primitive(
        dnnl::reduction::primitive_desc({how, whole, result, 0.0f, 0.0f}, engine));
    memory to(result, engine, out);
    return [=]() mutable {
      primitive.execute(stream, {{DNNL_ARG_SRC, left}, {DNNL_ARG_DST, to}});
      stream.wait();
    };
  }
  memory to(whole, engine, out);
  if (c.isBinary()) {
    const memory::desc second = matrix(kBenchRows, c.op == KernelOp::kAdd ? kBenchColumns : 1);
    const algorithm how = c.op == KernelOp::kAdd ? algorithm::binary_add : algorithm::binary_sub;
    dnnl::binary primitive(dnnl::binary::primitive_desc({how, whole, second, whole}, engine));
    memory right(second, engine, y);
    return [=]() mutable {
      primitive.execute(stream,
                        {{DNNL_ARG_SRC_0, left}, {DNNL_ARG_SRC_1, right}, {DNNL_ARG_DST, to}});
      stream.wait();
    };
  }
  const algorithm how = c.op == KernelOp::kExp ? algorithm::eltwise_exp : algorithm::eltwise_tanh;
  dnnl::eltwise_forward primitive(dnnl::eltwise_forward::primitive_desc(
      {dnnl::prop_kind::forward_inference, how, whole, 0.0f, 0.0f}, engine));
  return [=]() mutable {
    primitive.execute(stream, {{DNNL_ARG_SRC, left}, {DNNL_ARG_DST, to}});
    stream.wait();
  };
}

struct Rival {
  int threads;
  std::function<void()> run;
};

} // namespace

extern "C" void *make_rival(const KernelCase *c, int threads, float *x, float *y, float *out) {
  omp_set_num_threads(threads); // what is made divides its work among so many
  return new Rival{threads, rivalOf(*c, x, y, out)};
}
extern "C" void run_rival(void *rival) {
  auto *made = static_cast<Rival *>(rival);
  omp_set_num_threads(made->threads);
  made->run();
}
