/*
arith.h: the arithmetic of package solvers/arith, for CUDA and for C.

Every function here gives, bit for bit, what the Go function of the same name gives; a
test compiles this file with a C compiler and compares. Build with -fmad=false (nvcc) or
-ffp-contract=off (gcc, clang): a fused product and sum stands only where FMA is written.
*/
#ifndef METALAB_ARITH_H
#define METALAB_ARITH_H

#include <stdint.h>

#ifdef __CUDACC__
#define ML_FN static __device__ __forceinline__
#define ML_CLZ(x) __clz((int)(x))
#define ML_F2U(x) __float_as_uint(x)
#define ML_FMA32(x, y, z) __fmaf_rn((x), (y), (z))
#define ML_D2U(x) ((uint64_t)__double_as_longlong(x))
#define ML_U2D(x) __longlong_as_double((long long)(x))
#define ML_MULHI(a, b) __umulhi((a), (b))
#define ML_SQRT(x) __dsqrt_rn(x)
#define ML_LEADING(x) \
	__uint_as_float(__funnelshift_r(__float_as_uint(__uint2float_rz(x)), 0x4B000000u >> 9, 23))
#define ML_CONST static __device__ const
#else
#include <math.h>
#include <string.h>
#define ML_FN static inline
#define ML_CLZ(x) __builtin_clz(x)
#define ML_FMA32(x, y, z) fmaf((x), (y), (z))
#define ML_MULHI(a, b) ((uint32_t)(((uint64_t)(a) * (b)) >> 32))
#define ML_SQRT(x) sqrt(x)
#define ML_CONST static const
static inline uint32_t ML_F2U(float x) { uint32_t u; memcpy(&u, &x, 4); return u; }
static inline float ML_LEADING(uint32_t x) { return (float)(x ? 8388766 - ML_CLZ(x) : 8388608); }
static inline uint64_t ML_D2U(double x) { uint64_t u; memcpy(&u, &x, 8); return u; }
static inline double ML_U2D(uint64_t u) { double x; memcpy(&x, &u, 8); return x; }
#endif

typedef struct { uint32_t x, y, z, w; } ml_u4;

/* One round of Philox4x32; k0 and k1 are the round's keys. */
ML_FN ml_u4 ml_philox_round(ml_u4 c, uint32_t k0, uint32_t k1) {
	ml_u4 r;
	r.x = ML_MULHI(0xCD9E8D57u, c.z) ^ c.y ^ k0;
	r.y = 0xCD9E8D57u * c.z;
	r.z = ML_MULHI(0xD2511F53u, c.x) ^ c.w ^ k1;
	r.w = 0xD2511F53u * c.x;
	return r;
}

/* arith.Philox4x32. */
ML_FN ml_u4 ml_philox(uint64_t key, ml_u4 c) {
	uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
	for (int i = 0; i < 10; i++) {
		c = ml_philox_round(c, k0, k1);
		k0 += 0x9E3779B9u;
		k1 += 0xBB67AE85u;
	}
	return c;
}

/* arith.Mix64. */
ML_FN uint64_t ml_mix64(uint64_t x) {
	x ^= x >> 30;
	x *= 0xBF58476D1CE4E5B9ull;
	x ^= x >> 27;
	x *= 0x94D049BB133111EBull;
	return x ^ x >> 31;
}

/* arith.Expo32. */
ML_FN float ml_expo32(uint32_t u) {
	u |= 1u;
	int lz = ML_CLZ(u);
	uint32_t m = u << lz;
	float t, k = (float)lz;
	if (m >= 0xAAAAAAABu) {
		t = ML_FMA32((float)~m, 0x1p-32f, 0x1p-33f);
	} else {
		t = -ML_FMA32((float)(m & 0x7FFFFFFFu), 0x1p-31f, 0x1p-32f);
		k += 1.0f;
	}
	float p = 0x1.ee035cp-3f;
	p = ML_FMA32(p, t, 0x1.1e9140p-2f);
	p = ML_FMA32(p, t, 0x1.256540p-2f);
	p = ML_FMA32(p, t, 0x1.6f02ccp-2f);
	p = ML_FMA32(p, t, 0x1.ec780ep-2f);
	p = ML_FMA32(p, t, 0x1.7158a2p-1f);
	p = ML_FMA32(p, t, 0x1.715476p+0f);
	return ML_FMA32(t, p, k);
}

/* One round of Philox4x32 by products of 64 bits, which on a device are one instruction each:
 * ml_philox_round. */
ML_FN ml_u4 ml_philox_wide(ml_u4 c, uint32_t k0, uint32_t k1) {
	const uint64_t p = (uint64_t)0xCD9E8D57u * c.z, q = (uint64_t)0xD2511F53u * c.x;
	ml_u4 r;
	r.x = (uint32_t)(p >> 32) ^ c.y ^ k0;
	r.y = (uint32_t)p;
	r.z = (uint32_t)(q >> 32) ^ c.w ^ k1;
	r.w = (uint32_t)q;
	return r;
}

/* arith.Clock32. ML_LEADING is 2^23 and, of u as a float, rounded down, the bits of the exponent:
   together they are the bits of a float, and the exponent of u = 0 is 0. */
ML_FN float ml_clock32(uint32_t u) {
	const float whole = ML_FMA32(ML_LEADING(u), -256.0f, 8388766.0f * 256),
							y = (float)(u * 0x144CBC89u);
	float p = ML_FMA32(0x1.fa56f2p-125f, y, 0x1.e58d2ep-94f);
	p = ML_FMA32(p, y, 0x1.7f3920p-59f);
	p = ML_FMA32(p, y, 0x1.7136ecp-25f);
	return ML_FMA32(p, y, whole);
}

/* arith.RaceKey. */
ML_FN uint32_t ml_race_key(float e, float reciprocal, uint32_t slot) {
	return (ML_F2U(e * reciprocal) & ~31u) | slot;
}

/* arith.Exp2. */
ML_FN double ml_exp2(double x) {
	if (x != x) return x;
	if (x > 1023) return ML_U2D(0x7FF0000000000000ull);
	if (x < -1022) return 0;
	double k = floor(x + 0.5);
	double f = x - k;
	double p = 1.36914888539041288808919140000000000e-12;
	p = p * f + 2.56784359934882051419948066206740000e-11;
	p = p * f + 4.44553827187081149759640856070166010e-10;
	p = p * f + 7.05491162080112332987503534105450460e-9;
	p = p * f + 0.000000101780860092396997274900075977446870;
	p = p * f + 0.00000132154867901443094884037582284880769;
	p = p * f + 0.0000152527338040598402800254390120096177;
	p = p * f + 0.000154035303933816099544370973327423449;
	p = p * f + 0.00133335581464284434234122219879962100;
	p = p * f + 0.00961812910762847716197907157365887052;
	p = p * f + 0.0555041086648215799531422637686218446;
	p = p * f + 0.240226506959100712333551263163332486;
	p = p * f + 0.693147180559945309417232121458176568;
	p = p * f + 1;
	return p * ML_U2D((uint64_t)((int64_t)k + 1023) << 52);
}

/* arith.Log2. */
ML_FN double ml_log2(double x) {
	if (x != x || x < 0) return ML_U2D(0x7FF8000000000001ull);
	if (x == 0) return ML_U2D(0xFFF0000000000000ull);
	if (x > 1.79769313486231570814527423731704356798070e+308) return x;
	int e = 0;
	if (x < 0x1p-1022) {
		x *= 0x1p54;
		e = -54;
	}
	uint64_t b = ML_D2U(x);
	e += (int)(b >> 52) - 1023;
	double m = ML_U2D((b & ((1ull << 52) - 1)) | 1023ull << 52);
	if (m > 1.41421356237309504880168872420969807856967187537694) {
		m *= 0.5;
		e++;
	}
	double s = (m - 1) / (m + 1);
	double z = s * s;
	double p = 1.0 / 23;
	p = p * z + 1.0 / 21;
	p = p * z + 1.0 / 19;
	p = p * z + 1.0 / 17;
	p = p * z + 1.0 / 15;
	p = p * z + 1.0 / 13;
	p = p * z + 1.0 / 11;
	p = p * z + 1.0 / 9;
	p = p * z + 1.0 / 7;
	p = p * z + 1.0 / 5;
	p = p * z + 1.0 / 3;
	double t = s + (s * z) * p;
	return (double)e + t * 2.88539008177792681471984936200378427;
}

/* arith.Pow. */
ML_FN double ml_pow(double x, double y) {
	if (y == 0) return 1;
	if (y == 1) return x;
	if (y == 2) return x * x;
	if (x == 0) return y > 0 ? 0 : ML_U2D(0x7FF0000000000000ull);
	return ml_exp2(y * ml_log2(x));
}

/* arith.PowInt. */
ML_FN double ml_pow_int(double x, int k) {
	double r = 1;
	for (; k > 0; k >>= 1) {
		if (k & 1) r *= x;
		x *= x;
	}
	return r;
}

/* The distances of EUC_2D, CEIL_2D and ATT (datasets.Metric 1, 3 and 9). */
ML_FN int ml_dist(int metric, double dx, double dy) {
	double s = dx * dx + dy * dy;
	if (metric == 9) {
		double r = ML_SQRT(s / 10);
		double t = floor(r + 0.5);
		return (int)(t < r ? t + 1 : t);
	}
	double r = ML_SQRT(s);
	if (metric == 3) return (int)ceil(r);
	return (int)(r + 0.5);
}

#endif
