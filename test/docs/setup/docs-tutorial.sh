# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
cp "$ROOT/examples/collatz/collatz.pbtxt" .
