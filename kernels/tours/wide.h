/*
wide.h: distances between cities with large whole coordinates, as solvers/tours.Space computes
them. A C compiler takes it too: a test compares it with Go.
*/
#ifndef METALAB_WIDE_H
#define METALAB_WIDE_H

#include "../rounds/plane.h"

/*
EUC_2D, or with up CEIL_2D, between whole coordinates, exactly what float64 gives, without float64.
With s = dx*dx + dy*dy < 2^42 the rounded root is the e with e*e - e < s <= e*e + e, and the root
rounded up the least e with s <= e*e. The estimate errs by less than 2^-22.4 of the root, below 0.4,
so that rounded it is the result or one beside it.
*/
ML_FN int ml_dist_wide(int dx, int dy, int up) {
	const float x = (float)dx, y = (float)dy;
	const int e = (int)(ml_root_approx(x * x + y * y) + 0.5f);
	const int64_t s = (int64_t)dx * dx + (int64_t)dy * dy, m = (int64_t)e * e;
	const int64_t most = up ? m : m + e, least = up ? m - 2 * e + 1 : m - e;
	return s > most ? e + 1 : e - (e > 0 && s <= least);
}

#endif
