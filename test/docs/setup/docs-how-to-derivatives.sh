# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
cp "$ROOT/test/bench/while_scalar.pbtxt" loop.pbtxt
