# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
cp -r "$ROOT/examples" try
cd try/gpu-lstm
