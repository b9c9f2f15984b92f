/*
plane.h: distances between cities on a plane, as solvers/tours.Space computes them.
A C compiler takes it too: a test compares it with Go.
*/
#ifndef METALAB_PLANE_H
#define METALAB_PLANE_H

#include "../arith.h"

#ifdef __CUDACC__
/* The square root within a relative error of 2^-23, in one instruction. */
ML_FN float ml_root_approx(float x) {
	float r;
	asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
	return r;
}
#elif !defined(ML_ROOT_APPROX)
#define ml_root_approx sqrtf
#else
#define ml_root_approx ML_ROOT_APPROX
#endif

/*
EUC_2D between whole coordinates, exactly what float64 gives, without float64: with
s = dx*dx + dy*dy < 2^31 the rounded root is the e with e*e - e < s <= e*e + e. The
estimate errs by less than 0.009 and half a unit in the last place of 0.002, so that
after subtracting 0.0125 its whole part is e or e - 1.
*/
ML_FN int ml_dist_whole(int dx, int dy) {
	uint32_t s = (uint32_t)(dx * dx + dy * dy);
	uint32_t e = (uint32_t)(int)(ml_root_approx((float)s) + 0.4875f);
	return (int)(e + (s > e * e + e));
}

#endif
