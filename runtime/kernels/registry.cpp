// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of all kernels, expanded from the families' lists.
#include "runtime/kernels/registry.h"

#include "runtime/kernels/kernel_symbols.h"

#include <algorithm>
#include <string>
#include <vector>

namespace sluice::rt {

namespace {
// nd_add -> "nd.add"; only the first underscore separates dialect and op.
std::string opName(std::string_view identifier) {
  std::string name(identifier);
  name[name.find('_')] = '.';
  return name;
}

struct Table {
  std::vector<KernelEntry> entries;
  std::vector<std::unique_ptr<std::string>> names;

  void add(std::string_view identifier, KernelKey key, DType dtype, std::string_view symbol,
           const Kernel *kernel) {
    names.push_back(std::make_unique<std::string>(opName(identifier)));
    entries.push_back({*names.back(), key, dtype, symbol, kernel});
  }

  Table() {
#define SLUICE_ENTRY(OP, KEY, E, N)                                                                \
  add(#OP, KernelKey::KEY, DType::E, "sluice_kernel_" #OP "_" #N, &SLUICE_KERNEL_SYMBOL(OP, N));
#define SLUICE_LIST_KERNEL(OP, SET, KEY) SLUICE_EXPAND_KERNEL_SET_##SET(SLUICE_ENTRY, OP, KEY)
#include "runtime/kernels/kernels.def"
#undef SLUICE_LIST_KERNEL
#undef SLUICE_ENTRY
    std::sort(entries.begin(), entries.end(), [](const KernelEntry &a, const KernelEntry &b) {
      return a.op != b.op ? a.op < b.op : a.dtype < b.dtype;
    });
  }
};
} // namespace

std::span<const KernelEntry> allKernels() {
  static const Table table;
  return table.entries;
}

const KernelEntry *findKernel(std::string_view op, std::span<const DType> inputs,
                              std::span<const DType> outputs) {
  auto entries = allKernels();
  auto it =
      std::lower_bound(entries.begin(), entries.end(), op,
                       [](const KernelEntry &e, std::string_view name) { return e.op < name; });
  for (; it != entries.end() && it->op == op; ++it) {
    switch (it->key) {
    case KernelKey::kAny:
      return &*it;
    case KernelKey::kInput0:
      if (!inputs.empty() && inputs[0] == it->dtype)
        return &*it;
      break;
    case KernelKey::kInput1:
      if (inputs.size() > 1 && inputs[1] == it->dtype)
        return &*it;
      break;
    case KernelKey::kOutput0:
      if (!outputs.empty() && outputs[0] == it->dtype)
        return &*it;
      break;
    }
  }
  return nullptr;
}

} // namespace sluice::rt
