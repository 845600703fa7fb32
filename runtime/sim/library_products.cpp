// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of the simulated cuBLASLt.
#include "runtime/sim/library_products.h"

#include "runtime/base/float_bits.h"
#include "runtime/sim/copies.h"
#include "runtime/sim/report.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace sluice::rt::sim {

namespace lt = cuda::lt;
using cuda::DevicePointer;
using lt::MatrixLayoutObject;

static size_t bytesOf(lt::ElementType element) {
  return element == lt::kF64 ? 8 : element == lt::kF32 ? 4 : 2;
}

// ---- What is a product --------------------------------------------------------------------------

static std::string faultOf(const char *name, const MatrixLayoutObject &x, const LibraryProduct &p) {
  if (x.rows == 0 || x.columns == 0)
    return text("%s has no elements", name);
  if (x.leading < int64_t(x.rows))
    return text("%s has columns of %llu elements but %lld from one to the next", name,
                static_cast<unsigned long long>(x.rows), static_cast<long long>(x.leading));
  if (x.batches < 1 || x.batches != p.d.batches || x.stride < 0)
    return text("%s has %d matrices and the result has %d", name, x.batches, p.d.batches);
  if (x.element != p.d.element)
    return text("%s has other elements than the result", name);
  return "";
}

static bool areTypesKnown(const LibraryProduct &p) {
  lt::ComputeType compute = p.form.compute;
  lt::ElementType scale = p.form.scale;
  switch (p.d.element) {
  case lt::kF64:
    return compute == lt::kComputeF64 && scale == lt::kF64;
  case lt::kF32:
    return (compute == lt::kComputeF32 || compute == lt::kComputeTF32) && scale == lt::kF32;
  case lt::kF16:
  case lt::kBF16:
    return compute == lt::kComputeF32 && scale == lt::kF32;
  }
  return false;
}

std::string faultOf(const LibraryProduct &p) {
  if (!areTypesKnown(p))
    return "no such combination of types";
  for (auto [name, layout] :
       {std::pair("A", &p.a), std::pair("B", &p.b), std::pair("C", &p.c), std::pair("D", &p.d)})
    if (std::string fault = faultOf(name, *layout, p); !fault.empty())
      return fault;
  bool ta = p.form.a == lt::kTransposed, tb = p.form.b == lt::kTransposed;
  uint64_t m = ta ? p.a.columns : p.a.rows, k = ta ? p.a.rows : p.a.columns;
  uint64_t n = tb ? p.b.rows : p.b.columns, ofB = tb ? p.b.columns : p.b.rows;
  if (k != ofB || p.d.rows != m || p.d.columns != n || p.c.rows != m || p.c.columns != n)
    return "sizes do not fit";
  int64_t extent = p.d.leading * (int64_t(n) - 1) + int64_t(m);
  if (p.d.batches > 1 && p.d.stride < extent)
    return "matrices of the result overlap";
  constexpr lt::Epilogue kKnown[] = {lt::kNoEpilogue, lt::kRelu, lt::kBias,
                                     lt::kReluBias,   lt::kGelu, lt::kGeluBias};
  if (std::ranges::find(kKnown, p.form.epilogue) == std::end(kKnown) ||
      (p.form.epilogue & lt::kBias && !p.form.bias) ||
      (p.form.epilogue != lt::kNoEpilogue && p.d.element == lt::kF64))
    return "no such epilogue";
  return "";
}

uint64_t fingerprintOf(const LibraryProduct &p) {
  uint64_t hash = 14695981039346656037u;
  auto add = [&](uint64_t value) { hash = (hash ^ value) * 1099511628211u; };
  for (int value :
       {int(p.form.compute), int(p.form.scale), int(p.form.a), int(p.form.b), int(p.form.epilogue)})
    add(uint64_t(value));
  for (const MatrixLayoutObject *x : {&p.a, &p.b, &p.c, &p.d})
    for (uint64_t value : {uint64_t(x->element), x->rows, x->columns, uint64_t(x->leading),
                           uint64_t(x->batches), uint64_t(x->stride)})
      add(value);
  return hash;
}

// ---- What it does -------------------------------------------------------------------------------

namespace {

float roundedToTf32(float x) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  bool isFinite = (bits & 0x7f800000) != 0x7f800000;
  return isFinite ? std::bit_cast<float>((bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu) : x;
}

template <typename T> T load(const char *at, lt::ElementType element) {
  uint16_t half = 0;
  float single = 0;
  double wide = 0;
  switch (element) {
  case lt::kF64:
    memcpy(&wide, at, 8);
    return T(wide);
  case lt::kF32:
    memcpy(&single, at, 4);
    return T(single);
  default:
    memcpy(&half, at, 2);
    return T(element == lt::kF16 ? floatOfHalf(Bits{half}) : floatOfBFloat16(Bits{half}));
  }
}

template <typename T> void store(char *at, lt::ElementType element, T value) {
  auto single = float(value);
  auto wide = double(value);
  if (element == lt::kF64)
    memcpy(at, &wide, 8);
  else if (element == lt::kF32)
    memcpy(at, &single, 4);
  else {
    Bits bits = element == lt::kF16 ? halfOfFloat(single) : bfloat16OfFloat(single);
    auto half = uint16_t(bits.value);
    memcpy(at, &half, 2);
  }
}

DevicePointer biasOf(const LibraryProduct &p) {
  return DevicePointer(reinterpret_cast<uintptr_t>(p.form.bias));
}

template <typename T> class Product {
public:
  Product(Driver &driver, const LibraryProduct &product) : driver_(driver), p_(product) {}

  void compute() {
    for (int64_t batch = 0; batch < p_.d.batches; ++batch)
      for (int64_t j = 0; j < int64_t(p_.d.columns); ++j)
        for (int64_t i = 0; i < int64_t(p_.d.rows); ++i)
          computeElement(batch, i, j);
  }

private:
  char *at(DevicePointer begin, const MatrixLayoutObject &x, int64_t batch, int64_t row,
           int64_t column) {
    auto offset = uint64_t(batch * x.stride + column * x.leading + row);
    return driver_.memory.copyView(begin + offset * bytesOf(x.element));
  }
  T factor(DevicePointer begin, const MatrixLayoutObject &x, int64_t batch, int64_t row,
           int64_t column, lt::Transposition transposition) {
    if (transposition == lt::kTransposed)
      std::swap(row, column);
    T value = load<T>(at(begin, x, batch, row, column), x.element);
    return p_.form.compute == lt::kComputeTF32 ? T(roundedToTf32(float(value))) : value;
  }
  void computeElement(int64_t batch, int64_t i, int64_t j) {
    auto k = int64_t(p_.form.a == lt::kTransposed ? p_.a.rows : p_.a.columns);
    T sum = 0;
    for (int64_t l = k - 1; l >= 0; --l)
      sum += factor(p_.atA, p_.a, batch, i, l, p_.form.a) *
             factor(p_.atB, p_.b, batch, l, j, p_.form.b);
    sum *= T(p_.alpha);
    if (p_.beta != 0)
      sum += T(p_.beta) * load<T>(at(p_.atC, p_.c, batch, i, j), p_.c.element);
    if (p_.form.epilogue & lt::kBias)
      sum += load<T>(driver_.memory.copyView(biasOf(p_) + uint64_t(i) * bytesOf(p_.d.element)),
                     p_.d.element);
    if (p_.form.epilogue & lt::kRelu)
      sum = sum > 0 ? sum : 0; // nobody promises what becomes of NaN
    if (p_.form.epilogue & lt::kGelu)
      sum *= T(0.5) + T(0.5) * std::tanh(T(0.7978845608) * (sum + T(0.044715) * sum * sum * sum));
    store(at(p_.atD, p_.d, batch, i, j), p_.d.element, sum);
  }

  Driver &driver_;
  const LibraryProduct &p_;
};

// Column by column: what lies between them is others'.
bool touchMatrices(Driver &driver, DevicePointer begin, const MatrixLayoutObject &x, bool write,
                   OperationId id) {
  size_t element = bytesOf(x.element);
  for (int64_t batch = 0; batch < (x.stride ? x.batches : 1); ++batch)
    for (int64_t column = 0; column < int64_t(x.columns); ++column)
      if (!touch(driver, begin + uint64_t(batch * x.stride + column * x.leading) * element,
                 x.rows * element, write, id))
        return false;
  return true;
}

} // namespace

Work libraryProductWork(Driver &driver, const LibraryProduct &product) {
  return {"a product of cuBLASLt", [product, &driver](OperationId id) {
            const LibraryProduct &p = product;
            if (!touchMatrices(driver, p.atA, p.a, false, id) ||
                !touchMatrices(driver, p.atB, p.b, false, id) ||
                (p.beta != 0 && !touchMatrices(driver, p.atC, p.c, false, id)) ||
                (p.form.epilogue & lt::kBias &&
                 !touch(driver, biasOf(p), p.d.rows * bytesOf(p.d.element), false, id)) ||
                !touchMatrices(driver, p.atD, p.d, true, id) ||
                (p.workspaceBytes && !touch(driver, p.workspace, p.workspaceBytes, true, id)))
              return;
            if (p.workspaceBytes)
              memset(driver.memory.copyView(p.workspace), 0xFF, p.workspaceBytes);
            if (p.form.scale == lt::kF64)
              Product<double>(driver, p).compute();
            else
              Product<float>(driver, p).compute();
          }};
}

} // namespace sluice::rt::sim
