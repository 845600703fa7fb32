// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The floor of a start: a static program that does nothing.
int main(void) { return 0; }
