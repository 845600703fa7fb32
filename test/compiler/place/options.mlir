// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices can be declared once only, and not without end.
// RUN: not sluice-opt --place-on-devices=devices=2 %s 2>&1 | FileCheck %s
// RUN: not sluice-opt --place-at-random=devices=2 %s 2>&1 | FileCheck %s
// RUN: not sluice-opt --place-on-devices=devices=1025 %s 2>&1 | FileCheck %s --check-prefix=MANY

// CHECK: error: expected no option 'devices' for a module that declares its own
// MANY: error: expected at most 1024 devices but got 1025
module attributes {wire.devices = [{name = "/job:a/replica:0/task:0/device:CPU:0", address = "a:1"}]} {
}
