# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
. "$ROOT/test/docs/setup/model.sh"
