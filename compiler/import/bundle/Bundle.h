// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A checkpoint on disk: an index file that says which tensors there are, and files with their
// elements. The index is read and checked as a whole; of the elements only what is asked for, and
// each tensor's checksum is compared.
#pragma once

#include "compiler/import/TensorValue.h"
#include "compiler/import/bundle/DataShard.h"
#include "compiler/import/bundle/Region.h"
#include "compiler/import/bundle/SortedTable.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sluice::import {

class Bundle {
public:
  // From `prefix`.index; null after a diagnostic.
  static std::unique_ptr<Bundle> open(const std::string &prefix, const Limits &limits,
                                      DiagnosticList &diagnostics);
  // The same from bytes in memory; files with elements are looked for beside `prefix`.
  static std::unique_ptr<Bundle> parse(const std::string &prefix, std::string index,
                                       const Limits &limits, DiagnosticList &diagnostics);

  const std::string &prefix() const { return prefix_; }
  std::string indexPath() const { return prefix_ + ".index"; }
  // Names of tensors; what belongs to the format itself is left out.
  std::vector<llvm::StringRef> names() const;
  // The empty name is the header's.
  bool has(llvm::StringRef name) const { return !name.empty() && find(name) != nullptr; }

  struct Description {
    DataType type = graphdef::DT_INVALID;
    std::vector<int64_t> shape;
  };
  // Nothing, after a diagnostic, when there is no such tensor or its row makes no sense.
  std::optional<Description> describe(llvm::StringRef name, DiagnosticList &diagnostics);
  // The tensor, or a part of it as `part` says unless that is empty.
  std::optional<TensorValue> read(llvm::StringRef name, llvm::StringRef part,
                                  DiagnosticList &diagnostics);

private:
  struct Row {
    std::string name; // for messages
    graphdef::BundleEntry entry;
    std::vector<int64_t> shape;
    int64_t elements = 0;
  };

  Bundle(std::string prefix, std::string index, const Limits &limits)
      : prefix_(std::move(prefix)), index_(std::move(index)), limits_(limits) {}
  bool readHeader(DiagnosticList &diagnostics);
  const TableEntry *find(llvm::StringRef key) const;
  std::optional<Row> row(llvm::StringRef key, const std::string &name, DiagnosticList &diagnostics);
  bool fail(DiagnosticList &diagnostics, const std::string &name, const std::string &message) const;
  const DataShard *shard(int32_t number, DiagnosticList &diagnostics);
  // The stored elements of a row that has no regions of its own.
  bool readStored(const Row &row, TensorValue &value, DiagnosticList &diagnostics);
  bool decode(const Row &row, std::string &bytes, TensorValue &value, DiagnosticList &diagnostics);
  // Puts together what regions have of `wanted`.
  bool assemble(const Row &row, const Region &wanted, TensorValue &value,
                DiagnosticList &diagnostics);
  bool addRegion(const Row &row, int number, const Region &wanted, TensorValue &value,
                 int64_t &found, DiagnosticList &diagnostics);

  std::string prefix_, index_;
  Limits limits_;
  SortedTable table_;
  int32_t shards_ = 0;
  std::map<int32_t, std::unique_ptr<DataShard>> open_;
};

} // namespace sluice::import
