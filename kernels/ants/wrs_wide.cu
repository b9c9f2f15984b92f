// The kernels of mmas/wrs with city numbers of 32 bits.
#define WIDE
#include "wrs.cu"
