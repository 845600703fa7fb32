// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices of a cluster, as cluster.json gives them (docs/reference/cluster.md).
//
// A device is one process; its rank is its position in the list.
#pragma once

#include "compiler/import/DeviceName.h"
#include "compiler/import/Diagnostic.h"
#include "compiler/import/Limits.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice::place {

struct ClusterDevice {
  import::DeviceName name; // full
  std::string host;        // without brackets
  uint16_t port = 0;       // 0: whoever starts the process chooses
  std::string target;      // DeviceTarget.h; empty: a CPU as for all others

  // "host:port", with brackets around an IPv6 address.
  std::string address() const;
};

class ClusterSpec {
public:
  // Nothing, after diagnostics, when the file cannot be read (exit code 3) or is wrong (1).
  static std::optional<ClusterSpec> read(const std::string &path,
                                         import::DiagnosticList &diagnostics,
                                         const import::Limits &limits = {});
  // As `read`, from text that is in memory already; `path` only names it in messages.
  static std::optional<ClusterSpec> parse(const std::string &path, llvm::StringRef text,
                                          import::DiagnosticList &diagnostics,
                                          const import::Limits &limits = {});
  // Devices of this machine, at least one, each of that target.
  static ClusterSpec ofLocalDevices(unsigned count, const std::string &target = "");

  llvm::ArrayRef<ClusterDevice> devices() const { return devices_; }
  // Sets `wire.devices` on a module, for the passes of this phase.
  void declareIn(mlir::ModuleOp module) const;

private:
  std::vector<ClusterDevice> devices_;
};

} // namespace sluice::place
