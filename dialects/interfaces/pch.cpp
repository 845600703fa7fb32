// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Owner of the precompiled header; deliberately empty.
