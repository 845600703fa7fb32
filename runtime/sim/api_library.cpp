// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the simulated cuBLASLt: a fake that computes, and says what the real one may not
// look at. It is there if SLUICE_SIM_CUBLASLT is 1.
#include "runtime/sim/capture.h"
#include "runtime/sim/entry.h"
#include "runtime/sim/library_products.h"

#include <cstring>

namespace sluice::rt::sim {

// Above this many sums the fake wants memory, so that programs have to bring some.
static constexpr uint64_t kFewSums = 64;
static constexpr size_t kWorkspaceBytes = 4096;
static constexpr uint64_t kMark = 0x5375'6c69'7465'4c54; // of algorithms that are its own

static lt::Answer wrong(lt::Answer answer, const char *function, const std::string &why) {
  say("%s: %s", function, why.c_str());
  return answer;
}

template <typename Body> static lt::Answer libraryEntry(const char *function, Body body) {
  Streams::Lock lock(driverLock());
  Driver &one = driver();
  if (Result refused = refusal(one, function, true))
    return refused == one.sticky ? lt::kExecutionFailed : lt::Answer(int(refused));
  lt::Answer answer = body(one);
  one.streams.pump();
  return answer;
}

template <typename T>
static lt::Answer destroy(const char *function, Handles<T> Driver::*kind, T *handle) {
  Streams::Lock lock(driverLock());
  Handles<T> &handles = driver().*kind;
  if (!handles.knows(handle))
    return wrong(lt::kInvalidValue, function, "expected a handle that it has made");
  handles.destroy(handle);
  return lt::kSuccess;
}

// ---- Handles ------------------------------------------------------------------------------------

lt::Answer cublasLtCreate(lt::Library *library) {
  return libraryEntry("cublasLtCreate", [=](Driver &driver) {
    *library = driver.libraries.create();
    (*library)->device = currentDevice();
    return lt::kSuccess;
  });
}

lt::Answer cublasLtDestroy(lt::Library library) {
  return destroy("cublasLtDestroy", &Driver::libraries, library);
}

lt::Answer cublasLtMatmulDescCreate(lt::ProductForm *form, lt::ComputeType compute,
                                    lt::ElementType scale) {
  return libraryEntry("cublasLtMatmulDescCreate", [=](Driver &driver) {
    *form = driver.productForms.create();
    (*form)->compute = compute;
    (*form)->scale = scale;
    return lt::kSuccess;
  });
}

lt::Answer cublasLtMatmulDescDestroy(lt::ProductForm form) {
  return destroy("cublasLtMatmulDescDestroy", &Driver::productForms, form);
}

lt::Answer cublasLtMatrixLayoutCreate(lt::MatrixLayout *layout, lt::ElementType element,
                                      uint64_t rows, uint64_t columns, int64_t leading) {
  return libraryEntry("cublasLtMatrixLayoutCreate", [=](Driver &driver) {
    *layout = driver.matrixLayouts.create();
    (*layout)->element = element;
    (*layout)->rows = rows;
    (*layout)->columns = columns;
    (*layout)->leading = leading;
    return lt::kSuccess;
  });
}

lt::Answer cublasLtMatrixLayoutDestroy(lt::MatrixLayout layout) {
  return destroy("cublasLtMatrixLayoutDestroy", &Driver::matrixLayouts, layout);
}

lt::Answer cublasLtMatmulPreferenceCreate(lt::Preference *preference) {
  return libraryEntry("cublasLtMatmulPreferenceCreate", [=](Driver &driver) {
    *preference = driver.preferences.create();
    return lt::kSuccess;
  });
}

lt::Answer cublasLtMatmulPreferenceDestroy(lt::Preference preference) {
  return destroy("cublasLtMatmulPreferenceDestroy", &Driver::preferences, preference);
}

// ---- Attributes ---------------------------------------------------------------------------------

// Sizes are those of the attribute's type, no larger ones.
template <typename T>
static lt::Answer set(const char *function, bool isKnown, T *to, const void *value, size_t bytes) {
  if (!isKnown)
    return wrong(lt::kInvalidValue, function, "expected a handle that it has made");
  if (!to || !value || bytes != sizeof(T))
    return wrong(lt::kInvalidValue, function,
                 text("no such attribute of %zu bytes is known here", bytes));
  memcpy(to, value, bytes);
  return lt::kSuccess;
}

lt::Answer cublasLtMatmulDescSetAttribute(lt::ProductForm form, lt::ProductAttribute attribute,
                                          const void *value, size_t bytes) {
  constexpr const char *kName = "cublasLtMatmulDescSetAttribute";
  return libraryEntry(kName, [=](Driver &driver) {
    bool isKnown = driver.productForms.knows(form);
    if (attribute == lt::kEpilogue)
      return set(kName, isKnown, &form->epilogue, value, bytes);
    if (attribute == lt::kBiasPointer)
      return set(kName, isKnown, &form->bias, value, bytes);
    return set(kName, isKnown,
               attribute == lt::kTransposeA   ? &form->a
               : attribute == lt::kTransposeB ? &form->b
                                              : nullptr,
               value, bytes);
  });
}

lt::Answer cublasLtMatrixLayoutSetAttribute(lt::MatrixLayout layout, lt::MatrixAttribute attribute,
                                            const void *value, size_t bytes) {
  constexpr const char *kName = "cublasLtMatrixLayoutSetAttribute";
  return libraryEntry(kName, [=](Driver &driver) {
    bool isKnown = driver.matrixLayouts.knows(layout);
    if (attribute == lt::kBatchCount)
      return set(kName, isKnown, &layout->batches, value, bytes);
    return set(kName, isKnown, attribute == lt::kBatchStride ? &layout->stride : nullptr, value,
               bytes);
  });
}

lt::Answer cublasLtMatmulPreferenceSetAttribute(lt::Preference preference,
                                                lt::PreferenceAttribute attribute,
                                                const void *value, size_t bytes) {
  constexpr const char *kName = "cublasLtMatmulPreferenceSetAttribute";
  return libraryEntry(kName, [=](Driver &driver) {
    bool isKnown = driver.preferences.knows(preference);
    if (attribute == lt::kMostWorkspaceBytes)
      return set(kName, isKnown, &preference->mostWorkspace, value, bytes);
    int which = attribute - lt::kLeastAlignmentA;
    return set(kName, isKnown, which >= 0 && which < 4 ? &preference->alignments[which] : nullptr,
               value, bytes);
  });
}

// ---- Products -----------------------------------------------------------------------------------

// Why it is no product, or empty.
static std::string describe(Driver &driver, lt::Library library, lt::ProductForm form,
                            std::initializer_list<lt::MatrixLayout> layouts,
                            LibraryProduct &product) {
  if (!driver.libraries.knows(library) || library->device != currentDevice())
    return "expected a library of the current context";
  if (!driver.productForms.knows(form))
    return "expected a form that was made";
  product.form = *form;
  lt::MatrixLayoutObject *fields[] = {&product.a, &product.b, &product.c, &product.d};
  size_t i = 0;
  for (lt::MatrixLayout layout : layouts) {
    if (!driver.matrixLayouts.knows(layout))
      return "expected layouts that were made";
    *fields[i++] = *layout;
  }
  return faultOf(product);
}

lt::Answer cublasLtMatmulAlgoGetHeuristic(lt::Library library, lt::ProductForm form,
                                          lt::MatrixLayout a, lt::MatrixLayout b,
                                          lt::MatrixLayout c, lt::MatrixLayout d,
                                          lt::Preference preference, int most,
                                          lt::Proposal *proposals, int *count) {
  constexpr const char *kName = "cublasLtMatmulAlgoGetHeuristic";
  return libraryEntry(kName, [=](Driver &driver) {
    *count = 0;
    LibraryProduct product;
    if (std::string fault = describe(driver, library, form, {a, b, c, d}, product); !fault.empty())
      return wrong(lt::kInvalidValue, kName, fault);
    if (!driver.preferences.knows(preference) || most < 1)
      return wrong(lt::kInvalidValue, kName, "expected a preference and room for a proposal");
    uint64_t sums = form->a == lt::kTransposed ? a->rows : a->columns;
    size_t bytes =
        sums > kFewSums && preference->mostWorkspace >= kWorkspaceBytes ? kWorkspaceBytes : 0;
    proposals[0] = {};
    uint64_t alignments = 0;
    for (uint32_t alignment : preference->alignments)
      alignments = alignments << 16 | (alignment & 0xffff);
    proposals[0].algorithm = {{kMark, fingerprintOf(product), alignments, bytes}};
    proposals[0].workspaceBytes = bytes;
    proposals[0].answer = lt::kSuccess;
    proposals[0].waves = 1;
    *count = 1;
    return lt::kSuccess;
  });
}

// The real one would read and write there all the same.
static bool isAligned(Driver &driver, const LibraryProduct &p, uint64_t alignments) {
  for (DevicePointer place : {p.atD, p.atC, p.atB, p.atA}) {
    if (place % (alignments & 0xffff)) {
      driver.fail(kMisalignedAddress,
                  text("a product of cuBLASLt: 0x%llx is not aligned to the %llu bytes that its "
                       "algorithm was chosen for",
                       place, static_cast<unsigned long long>(alignments & 0xffff)));
      return false;
    }
    alignments >>= 16;
  }
  return true;
}

lt::Answer cublasLtMatmul(lt::Library library, lt::ProductForm form, const void *alpha,
                          const void *a, lt::MatrixLayout layoutA, const void *b,
                          lt::MatrixLayout layoutB, const void *beta, const void *c,
                          lt::MatrixLayout layoutC, void *d, lt::MatrixLayout layoutD,
                          const lt::Algorithm *algorithm, void *workspace, size_t workspaceBytes,
                          Stream stream) {
  constexpr const char *kName = "cublasLtMatmul";
  return libraryEntry(kName, [=](Driver &driver) {
    LibraryProduct product;
    if (std::string fault =
            describe(driver, library, form, {layoutA, layoutB, layoutC, layoutD}, product);
        !fault.empty())
      return wrong(lt::kInvalidValue, kName, fault);
    if (!algorithm || algorithm->data[0] != kMark || algorithm->data[1] != fingerprintOf(product))
      return wrong(lt::kInvalidValue, kName, "the algorithm is for another product");
    auto pointer = [](const void *p) { return DevicePointer(reinterpret_cast<uintptr_t>(p)); };
    product.atA = pointer(a), product.atB = pointer(b);
    product.atC = pointer(c), product.atD = pointer(d);
    product.workspace = pointer(workspace);
    product.workspaceBytes = algorithm->data[3];
    if (workspaceBytes < product.workspaceBytes || product.workspace % 256)
      return wrong(lt::kInvalidValue, kName, "the workspace is too small, or not aligned");
    auto number = [&](const void *at) {
      return form->scale == lt::kF64 ? *static_cast<const double *>(at)
                                     : double(*static_cast<const float *>(at));
    };
    product.alpha = number(alpha), product.beta = number(beta);
    if (checkStream(driver, kName, stream) != kSuccess)
      return lt::kInvalidValue;
    if (!isAligned(driver, product, algorithm->data[2]))
      return lt::kExecutionFailed;
    submit(driver, stream, libraryProductWork(driver, product));
    return lt::kSuccess;
  });
}

} // namespace sluice::rt::sim

// Null: there is no such function, or no library.
extern "C" __attribute__((visibility("default"))) void *
sluice_sim_find_library_function(const char *name) {
  using namespace sluice::rt;
  {
    sim::Streams::Lock lock(sim::driverLock());
    if (!sim::driver().options.cublasLt)
      return nullptr;
  }
#define FUNCTION(function, parameters)                                                             \
  if (!strcmp(name, #function))                                                                    \
    return reinterpret_cast<void *>(static_cast<cuda::lt::function##Function>(&sim::function));
#include "runtime/device/cuda/cublaslt_functions.def"
#undef FUNCTION
  return nullptr;
}
