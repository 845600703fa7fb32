// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// oneDNN beside our products. test/bench/products compiles this file when it is asked to.
#include "test/bench/product_case.h"

#include <dnnl.hpp>

#include <functional>
#include <memory>

using namespace sluice::bench;
using Tag = dnnl::memory::format_tag;

namespace {

dnnl::memory::desc matrix(int64_t rows, int64_t columns, Tag tag) {
  return {{rows, columns}, dnnl::memory::data_type::f32, tag};
}

// What the library calls a product with weights: it chooses their layout, and brings them there
// once.
std::function<void()> withWeights(const ProductCase &p, float *a, float *b, float *c) {
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  dnnl::inner_product_forward::primitive_desc product(
      {dnnl::prop_kind::forward_inference, matrix(p.m, p.k, Tag::ab), matrix(p.n, p.k, Tag::any),
       matrix(p.m, p.n, Tag::ab)},
      engine);
  dnnl::memory left(product.src_desc(), engine, a), out(product.dst_desc(), engine, c);
  dnnl::memory given(matrix(p.n, p.k, p.transposeB ? Tag::ab : Tag::ba), engine, b);
  dnnl::memory weights(product.weights_desc(), engine);
  dnnl::reorder(given, weights).execute(stream, given, weights);
  stream.wait();
  dnnl::inner_product_forward primitive(product);
  return [=]() mutable {
    primitive.execute(stream,
                      {{DNNL_ARG_SRC, left}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, out}});
    stream.wait();
  };
}

std::function<void()> asGiven(ProductCase p, const float *a, const float *b, float *c) {
  return [=] {
    dnnl_sgemm(p.transposeA ? 'T' : 'N', p.transposeB ? 'T' : 'N', p.m, p.n, p.k, 1, a,
               p.transposeA ? p.m : p.k, b, p.transposeB ? p.k : p.n, p.accumulate ? 1 : 0, c, p.n);
  };
}

} // namespace

extern "C" void *make_rival(const ProductCase *p, float *a, float *b, float *c) {
  return new std::function<void()>(p->packed ? withWeights(*p, a, b, c) : asGiven(*p, a, b, c));
}
extern "C" void run_rival(void *rival) { (*static_cast<std::function<void()> *>(rival))(); }
