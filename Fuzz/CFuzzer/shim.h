// The entrance of libFuzzer for programs that have a main of their own; LLVM ships no header with it.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *count, char ***words, int (*test)(const uint8_t *bytes, size_t count));
