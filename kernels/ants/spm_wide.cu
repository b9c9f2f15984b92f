// The kernels of acs/spm and acs/spm-alt with city numbers of 32 bits.
#define WIDE
#include "spm.cu"
