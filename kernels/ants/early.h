/* A quick lower bound of ml_expo32, for races of clocks. It compiles as C, too: a test compares. */
#ifndef METALAB_ANTS_EARLY_H
#define METALAB_ANTS_EARLY_H

#include "../arith.h"

#ifdef __CUDACC__
#define ONE_AND(u) __uint_as_float(__funnelshift_r((u), 0x7Fu, 9))
#else
/* The float of [1, 2) whose fraction is the upper 23 bits of u. */
static inline float ONE_AND(uint32_t u) {
	float x;
	u = 0x3F800000u | u >> 9;
	memcpy(&x, &u, 4);
	return x;
}
#endif

/* early(u) <= EARLY ml_expo32(u), as -log2 U >= (1 - U) / ln 2; at least 0. The bound holds with
   1 % to spare, so that a product of it with a float that is no subnormal may be rounded. */
#define EARLY 0.7f
ML_FN float early(uint32_t u) { return 0x1.fffffep+0f - ONE_AND(u); }

#endif
