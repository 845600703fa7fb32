// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Precompiled header of what writes machine code.
#pragma once

#include "dialects/interfaces/pch.h"

#include "dialects/flow/Flow.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
