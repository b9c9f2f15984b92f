// The kernels of acs/alt with city numbers of 32 bits.
#define WIDE
#include "alt.cu"
