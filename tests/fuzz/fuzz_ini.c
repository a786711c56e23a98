#include "document.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_document(bytes, size, LILYQ_INPUT_INI);
    return 0;
}
