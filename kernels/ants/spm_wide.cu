// The kernels of acs/spm-sync and acs/spm with city numbers of 32 bits.
#define WIDE
#include "spm.cu"
