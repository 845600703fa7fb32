// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the place phase.
#ifndef SLUICE_PLACE_PASSES
#define SLUICE_PLACE_PASSES

include "mlir/Pass/PassBase.td"

def PlaceOnDevices : Pass<"place-on-devices", "::mlir::ModuleOp"> {
  let summary = "give every op a device that its node asks for";
  let description = [{
    Ops that cannot be apart form groups (`docs/rationale/placement.md`). A group goes to a device
    that fits what all of its nodes ask for in `wire.requested`; where none does, the pass fails and
    says which nodes disagree and what ties them together. A group that has a choice goes where the
    nearest placed op is, counted in edges; feeds and fetches, which belong to the first device,
    count as placed. So a graph that asks for nothing stays on the first device. What steers a loop
    variable comes along with it. Then groups with a choice move to where fewer messages are sent.

    *Requires* `wire.devices` on the module, or the option `devices`; does nothing otherwise. Ops
    may have `wire.requested`, a full or partial device name, and `wire.colocate`, the name of a set
    of ops that stay together. *Produces* `wire.device`, the position of a device in the list, on
    every declaration and every op of a graph but `nd.constant` and `flow.start`; the other two
    attributes are gone.
  }];
  let dependentDialects = ["::sluice::wire::WireDialect"];
  let options = [
    Option<"devices", "devices", "unsigned", "0",
           "declare this many CPU devices of this machine first">,
  ];
  let statistics = [
    Statistic<"numGroups", "groups", "groups of ops that cannot be apart">,
    Statistic<"numDevices", "devices-used", "devices that have at least one op">,
  ];
}

def PlaceAtRandom : Pass<"place-at-random", "::mlir::ModuleOp"> {
  let summary = "give every op a device by lot, to test partitioning";
  let description = [{
    Ops that cannot be apart form groups (`docs/rationale/placement.md`), which go to a device each,
    all equally likely. The same seed and graph give the same placement everywhere. Feeds and
    fetches go to the first device; gates, joins, triggers, afters and targets follow the ops whose
    order they make. What nodes ask for in `wire.requested` is ignored.

    *Requires* what `place-on-devices` does. *Produces* what it does.
  }];
  let dependentDialects = ["::sluice::wire::WireDialect"];
  let options = [
    Option<"seed", "seed", "uint64_t", "0", "chooses the placement">,
    Option<"devices", "devices", "unsigned", "0",
           "declare this many CPU devices of this machine first">,
  ];
  let statistics = [
    Statistic<"numGroups", "groups", "groups of ops that cannot be apart">,
    Statistic<"numDevices", "devices-used", "devices that have at least one op">,
  ];
}

#endif
