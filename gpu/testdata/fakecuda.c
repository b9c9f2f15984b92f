/* A driver that is none: the calls of libcuda.so.1 that package gpu makes, played on the
 * host, so that the package's tests run everywhere and its error paths can be walked. The
 * tests compile it to a shared library and name that in METALAB_LIBCUDA.
 *
 * METALAB_FAKE chooses what it plays, at the first call:
 *   (unset)   two devices of 64 MiB each
 *   devices=N so many of them, 1 to 8
 *   nodevice  cuInit says there is none
 *   zero      cuInit is content, and there are 0 devices
 *   mismatch  cuInit says that library and kernel module differ
 * -DOLD leaves out calls that an old driver lacks, -DPLAIN those that came with CUDA 12.4;
 * -DANY finds kernels of any name, as which the first of the module serves; with -DPLAIN and a
 * module of the kernel nothing they take any arguments.
 *
 * Work is done when it is asked for. Memory is the host's, with bounds that are checked;
 * everything alive weighs on the device's memory, so cuMemGetInfo is also the balance.
 * Kernels are the C functions of the table below; an image holds those it names. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cuda.h"

enum { DEVICES = 8, TOTAL = 64 << 20, WEIGHT = 1024, CTX_WEIGHT = 1 << 20, SHARED = 48 << 10, SHARED_MAX = 200 << 10, SMS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct CUctx_st {
	int dev, refs;
	CUresult error; /* sticky */
	size_t used;
	int peer[DEVICES];
};
static struct CUctx_st ctxs[DEVICES] = {{.dev = 0}, {.dev = 1}, {.dev = 2}, {.dev = 3}, {.dev = 4}, {.dev = 5}, {.dev = 6}, {.dev = 7}};
static __thread CUcontext cur;
static __thread struct CUstream_st *capturing;

struct mem {
	struct mem *next;
	char *p;
	size_t n;
	CUcontext ctx;
	int host;
};
static struct mem *mems;

struct op {
	struct op *next;
	const struct kernel *k;
	unsigned dim[6], shared;
	char args[512];
	void *dst;
	const void *src;
	unsigned value;
	size_t n;
	int kind; /* 0 kernel, 1 copy, 2 fill with bytes, 3 with words, 4 mark, 5 fill with half words */
};
struct CUstream_st { CUcontext ctx; int busy, spoilt; struct op *first, **last; };
struct CUevent_st { CUcontext ctx; int recorded, timing; struct timespec at; };
struct CUgraph_st { struct op *first; };
struct CUgraphExec_st { CUcontext ctx; struct op *first; };
struct CUmod_st { CUcontext ctx; struct CUfunc_st *fn[16]; int n; };
struct CUfunc_st { const struct kernel *k; struct CUmod_st *mod; int limit; };

/* Kernels. a[i] points to argument i. */
struct view { char *p; long long n; };
struct mixed { double a; int b; float c; struct view v; signed char d; };
typedef CUresult (*body)(void **a, const unsigned *dim, unsigned shared);

static CUresult saxpy(void **a, const unsigned *dim, unsigned shared) {
	(void)shared;
	float *y = *(float **)a[0], *x = *(float **)a[1], f = *(float *)a[2];
	int n = *(int *)a[3];
	for (int i = 0; i < n && i < (int)(dim[0] * dim[3]); i++) y[i] += f * x[i];
	return 0;
}
static CUresult sum_view(void **a, const unsigned *dim, unsigned shared) {
	(void)dim, (void)shared;
	struct view v = *(struct view *)a[0];
	double s = 0;
	for (long long i = 0; i < v.n; i++) s += ((float *)v.p)[i];
	**(double **)a[1] = s;
	return 0;
}
static CUresult mixed(void **a, const unsigned *dim, unsigned shared) {
	(void)dim, (void)shared;
	struct mixed m = *(struct mixed *)a[0];
	**(double **)a[1] = m.a + m.b + m.c + m.d + ((float *)m.v.p)[m.v.n - 1];
	return 0;
}
static CUresult small(void **a, const unsigned *dim, unsigned shared) {
	(void)dim;
	**(long long **)a[0] = *(signed char *)a[1] + *(unsigned short *)a[2] + *(unsigned char *)a[3] + *(long long *)a[4] + shared;
	return 0;
}
static CUresult illegal(void **a, const unsigned *d, unsigned s) { (void)a, (void)d, (void)s; return 700; }
static CUresult assertion(void **a, const unsigned *d, unsigned s) { (void)a, (void)d, (void)s; return 710; }
static CUresult unplug(void **a, const unsigned *d, unsigned s) { (void)a, (void)d, (void)s; return 999; }
static CUresult nothing(void **a, const unsigned *d, unsigned s) { (void)a, (void)d, (void)s; return 0; }

static const struct kernel { const char *name; body f; int n, size[8]; } kernels[] = {
	{"saxpy", saxpy, 4, {8, 8, 4, 4}},
	{"sum_view", sum_view, 2, {16, 8}},
	{"mixed", mixed, 2, {sizeof(struct mixed), 8}},
	{"small", small, 5, {8, 1, 2, 1, 8}},
	{"illegal", illegal, 0, {0}},
	{"assertion", assertion, 0, {0}},
	{"unplug", unplug, 0, {0}},
	{"refused", nothing, 0, {0}}, /* cuLaunchKernel itself says out of resources */
	{"slow", nothing, 0, {0}},    /* the stream is busy for five looks */
	{"nothing", nothing, 0, {0}},
};

/* Every call that needs a context begins with this. */
#define BEGIN \
	if (!cur) return CUDA_ERROR_INVALID_CONTEXT; \
	if (cur->error) return cur->error;
#define NOT_WHILE_CAPTURING \
	if (capturing) { capturing->spoilt = 1; return 900; }

static CUresult weigh(long n) {
	CUresult r = 0;
	pthread_mutex_lock(&lock);
	if (n > 0 && cur->used + n > TOTAL) r = CUDA_ERROR_OUT_OF_MEMORY;
	else cur->used += n;
	pthread_mutex_unlock(&lock);
	return r;
}

static int inside(const void *p, size_t n, int host) {
	int ok = 0;
	pthread_mutex_lock(&lock);
	for (struct mem *m = mems; m; m = m->next)
		ok |= m->host == host && (char *)p >= m->p && (char *)p + n <= m->p + m->n;
	pthread_mutex_unlock(&lock);
	return ok;
}

static CUresult take(void **out, size_t n, int host) {
	if (n == 0) return CUDA_ERROR_INVALID_VALUE;
	CUresult r = weigh(host ? WEIGHT : (long)n);
	if (r) return r;
	struct mem *m = calloc(1, sizeof *m);
	*m = (struct mem){.p = malloc(n), .n = n, .ctx = cur, .host = host};
	memset(m->p, 0xa5, n);
	pthread_mutex_lock(&lock);
	m->next = mems, mems = m;
	pthread_mutex_unlock(&lock);
	*out = m->p;
	return 0;
}

static CUresult give(void *p, int host) {
	pthread_mutex_lock(&lock);
	for (struct mem **q = &mems; *q; q = &(*q)->next) {
		struct mem *m = *q;
		if (m->p != p || m->host != host) continue;
		*q = m->next;
		m->ctx->used -= host ? WEIGHT : m->n;
		pthread_mutex_unlock(&lock);
		free(m->p), free(m);
		return 0;
	}
	pthread_mutex_unlock(&lock);
	return CUDA_ERROR_INVALID_VALUE;
}

/* Start, devices. */
static const char *play(void) { const char *s = getenv("METALAB_FAKE"); return s ? s : ""; }

static int devices(void) {
	int n = 2;
	if (!strcmp(play(), "zero")) return 0;
	return sscanf(play(), "devices=%d", &n) == 1 && (n < 1 || n > DEVICES) ? DEVICES : n;
}

CUresult fake_cuInit(unsigned f) __asm__("cuInit");
CUresult fake_cuInit(unsigned f) {
	(void)f;
	if (!strcmp(play(), "nodevice")) return CUDA_ERROR_NO_DEVICE;
	if (!strcmp(play(), "mismatch")) return 803;
	return 0;
}
/* AS gives a function the symbol that the driver exports. */
#define AS(symbol, params) CUresult fake_##symbol params __asm__(#symbol); CUresult fake_##symbol params

AS(cuDriverGetVersion, (int *v)) { *v = 12080; return 0; }
AS(cuGetErrorName, (CUresult c, const char **s)) { *s = c == 777 ? "CUDA_ERROR_FAKE" : NULL; return *s ? 0 : 1; }
AS(cuGetErrorString, (CUresult c, const char **s)) { *s = c == 777 ? "a code of the fake's own" : NULL; return *s ? 0 : 1; }
AS(cuDeviceGetCount, (int *n)) { *n = devices(); return 0; }
AS(cuDeviceGet, (CUdevice *d, int i)) { *d = i; return i < devices() ? 0 : CUDA_ERROR_INVALID_DEVICE; }
AS(cuDeviceGetName, (char *s, int n, CUdevice d)) { snprintf(s, n, "Fake GPU %c", 'A' + d); return 0; }
AS(cuDeviceTotalMem_v2, (size_t *n, CUdevice d)) { (void)d; *n = TOTAL; return 0; }
AS(cuDeviceGetUuid, (CUuuid *u, CUdevice d)) { memset(u, 0x10 + d, 16); return 0; }
AS(cuDeviceGetAttribute, (int *v, CUdevice_attribute a, CUdevice d)) {
	switch ((int)a) {
	case 1: *v = 1024; break;
	case 8: *v = SHARED; break;
	case 10: *v = 32; break;
	case 13: *v = 1000000; break;
	case 16: *v = SMS; break;
	case 33: *v = d + 1; break;
	case 38: *v = 1 << 20; break;
	case 39: *v = 2048; break;
	case 75: *v = 9; break;
	case 76: *v = 0; break;
	case 95: *v = 1; break;
	case 97: *v = SHARED_MAX; break;
	default: return CUDA_ERROR_INVALID_VALUE;
	}
	return 0;
}
AS(cuDeviceCanAccessPeer, (int *can, CUdevice a, CUdevice b)) { *can = a != b; return 0; }
AS(cuDevicePrimaryCtxRetain, (CUcontext *c, CUdevice d)) {
	if (d < 0 || d >= devices()) return CUDA_ERROR_INVALID_DEVICE;
	pthread_mutex_lock(&lock);
	if (ctxs[d].refs++ == 0) ctxs[d].used += CTX_WEIGHT;
	*c = &ctxs[d];
	pthread_mutex_unlock(&lock);
	return 0;
}
AS(cuDevicePrimaryCtxRelease_v2, (CUdevice d)) {
	pthread_mutex_lock(&lock);
	CUresult r = ctxs[d].refs > 0 ? 0 : CUDA_ERROR_INVALID_CONTEXT;
	if (!r && --ctxs[d].refs == 0) ctxs[d].used -= CTX_WEIGHT;
	pthread_mutex_unlock(&lock);
	return r;
}
AS(cuCtxSetCurrent, (CUcontext c)) { cur = c; return 0; }
AS(cuCtxEnablePeerAccess, (CUcontext c, unsigned f)) {
	(void)f;
	BEGIN
	if (cur->peer[c->dev]) return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
	cur->peer[c->dev] = 1;
	return 0;
}
AS(cuMemGetInfo_v2, (size_t *left, size_t *total)) { BEGIN *total = TOTAL; *left = TOTAL - cur->used; return 0; }

/* Memory. */
AS(cuMemAlloc_v2, (CUdeviceptr *p, size_t n)) { BEGIN NOT_WHILE_CAPTURING return take((void **)p, n, 0); }
AS(cuMemFree_v2, (CUdeviceptr p)) { BEGIN NOT_WHILE_CAPTURING return give((void *)p, 0); }
AS(cuMemHostAlloc, (void **p, size_t n, unsigned f)) { (void)f; BEGIN NOT_WHILE_CAPTURING return take(p, n, 1); }
AS(cuMemFreeHost, (void *p)) { BEGIN NOT_WHILE_CAPTURING return give(p, 1); }

static CUresult perform(struct op *o, CUcontext ctx) {
	switch (o->kind) {
	case 0: {
		void *a[8];
		size_t at = 0;
		for (int i = 0; i < o->k->n; i++) a[i] = o->args + at, at += (o->k->size[i] + 15) & ~15;
		ctx->error = o->k->f(a, o->dim, o->shared);
		break; /* reported by the next call that looks */
	}
	case 1: memmove(o->dst, o->src, o->n); break;
	case 2: memset(o->dst, (int)o->value, o->n); break;
	case 3: for (size_t i = 0; i < o->n; i++) ((unsigned *)o->dst)[i] = o->value; break;
	case 5: for (size_t i = 0; i < o->n; i++) ((unsigned short *)o->dst)[i] = (unsigned short)o->value; break;
	}
	return 0;
}

static CUresult put(CUstream s, struct op o) {
	BEGIN
	if (!s || s->ctx != cur) return CUDA_ERROR_INVALID_HANDLE;
	if (capturing != s) return perform(&o, cur);
	struct op *c = malloc(sizeof *c);
	*c = o, c->next = NULL;
	*s->last = c, s->last = &c->next;
	return 0;
}
static CUresult copy(void *d, const void *s, size_t n, CUstream st, int dhost, int shost) {
	BEGIN
	if (dhost != 2 && !inside(d, n, dhost)) return CUDA_ERROR_INVALID_VALUE;
	if (shost != 2 && !inside(s, n, shost)) return CUDA_ERROR_INVALID_VALUE;
	if (capturing && ((dhost == 2 && !inside(d, n, 1)) || (shost == 2 && !inside(s, n, 1)))) { capturing->spoilt = 1; return 900; }
	return put(st, (struct op){.kind = 1, .dst = d, .src = s, .n = n});
}
AS(cuMemcpyHtoDAsync_v2, (CUdeviceptr d, const void *s, size_t n, CUstream st)) { return copy((void *)d, s, n, st, 0, 2); }
AS(cuMemcpyDtoHAsync_v2, (void *d, CUdeviceptr s, size_t n, CUstream st)) { return copy(d, (void *)s, n, st, 2, 0); }
AS(cuMemcpyDtoDAsync_v2, (CUdeviceptr d, CUdeviceptr s, size_t n, CUstream st)) { return copy((void *)d, (void *)s, n, st, 0, 0); }
AS(cuMemcpyPeerAsync, (CUdeviceptr d, CUcontext dc, CUdeviceptr s, CUcontext sc, size_t n, CUstream st)) {
	if (dc == sc) return CUDA_ERROR_INVALID_VALUE;
	return copy((void *)d, (void *)s, n, st, 0, 0);
}
static CUresult fill(CUdeviceptr d, unsigned v, size_t n, CUstream st, int kind, size_t width) {
	BEGIN
	if (!inside((void *)d, n * width, 0)) return CUDA_ERROR_INVALID_VALUE;
	return put(st, (struct op){.kind = kind, .dst = (void *)d, .value = v, .n = n});
}
AS(cuMemsetD8Async, (CUdeviceptr d, unsigned char v, size_t n, CUstream st)) { return fill(d, v, n, st, 2, 1); }
AS(cuMemsetD16Async, (CUdeviceptr d, unsigned short v, size_t n, CUstream st)) { return fill(d, v, n, st, 5, 2); }
AS(cuMemsetD32Async, (CUdeviceptr d, unsigned v, size_t n, CUstream st)) { return fill(d, v, n, st, 3, 4); }

/* Streams and events. */
AS(cuStreamCreate, (CUstream *s, unsigned f)) {
	(void)f;
	BEGIN
	CUresult r = weigh(WEIGHT);
	if (r) return r;
	*s = calloc(1, sizeof **s);
	(*s)->ctx = cur;
	return 0;
}
AS(cuStreamDestroy_v2, (CUstream s)) { BEGIN weigh(-WEIGHT); free(s); return 0; }
AS(cuStreamSynchronize, (CUstream s)) { BEGIN NOT_WHILE_CAPTURING s->busy = 0; return 0; }
AS(cuStreamQuery, (CUstream s)) { BEGIN NOT_WHILE_CAPTURING return s->busy > 0 && s->busy-- ? CUDA_ERROR_NOT_READY : 0; }
AS(cuStreamWaitEvent, (CUstream s, CUevent e, unsigned f)) { (void)s, (void)e, (void)f; BEGIN return 0; }
AS(cuEventCreate, (CUevent *e, unsigned f)) {
	BEGIN
	CUresult r = weigh(WEIGHT);
	if (r) return r;
	*e = calloc(1, sizeof **e);
	(*e)->timing = !(f & CU_EVENT_DISABLE_TIMING);
	return 0;
}
AS(cuEventDestroy_v2, (CUevent e)) { BEGIN weigh(-WEIGHT); free(e); return 0; }
AS(cuEventRecord, (CUevent e, CUstream s)) {
	BEGIN
	if (s && s->ctx != cur) return CUDA_ERROR_INVALID_HANDLE;
	e->recorded = 1;
	clock_gettime(CLOCK_MONOTONIC, &e->at);
	return put(s, (struct op){.kind = 4});
}
AS(cuEventQuery, (CUevent e)) { (void)e; BEGIN return 0; }
AS(cuEventSynchronize, (CUevent e)) { (void)e; BEGIN NOT_WHILE_CAPTURING return 0; }
AS(cuEventElapsedTime, (float *ms, CUevent a, CUevent b)) {
	BEGIN
	if (!a->recorded || !b->recorded || !a->timing || !b->timing) return CUDA_ERROR_INVALID_HANDLE;
	*ms = (b->at.tv_sec - a->at.tv_sec) * 1e3f + (b->at.tv_nsec - a->at.tv_nsec) * 1e-6f;
	return 0;
}

/* Modules and functions. */
AS(cuModuleLoadDataEx, (CUmodule *m, const void *image, unsigned n, CUjit_option *o, void **v)) {
	BEGIN
	NOT_WHILE_CAPTURING
	if (strstr(image, "mistake")) {
		for (unsigned i = 0; i < n; i++)
			if (o[i] == CU_JIT_ERROR_LOG_BUFFER) strcpy(v[i], "line 3: mistake");
		return 218;
	}
	if (strstr(image, "forother")) return 209;
	CUresult r = weigh(WEIGHT);
	if (r) return r;
	*m = calloc(1, sizeof **m);
	(*m)->ctx = cur;
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
		char entry[64];
		snprintf(entry, sizeof entry, ".entry %s(", kernels[i].name);
		if (!strstr(image, entry)) continue;
		struct CUfunc_st *f = (*m)->fn[(*m)->n++] = calloc(1, sizeof *f);
		*f = (struct CUfunc_st){.k = &kernels[i], .mod = *m, .limit = SHARED};
	}
	return 0;
}
AS(cuModuleLoadData, (CUmodule *m, const void *image)) { return fake_cuModuleLoadDataEx(m, image, 0, NULL, NULL); }
AS(cuModuleUnload, (CUmodule m)) {
	BEGIN
	weigh(-WEIGHT);
	for (int i = 0; i < m->n; i++) free(m->fn[i]);
	free(m);
	return 0;
}
AS(cuModuleGetFunction, (CUfunction *f, CUmodule m, const char *name)) {
	BEGIN
	for (int i = 0; i < m->n; i++)
		if (!strcmp(m->fn[i]->k->name, name)) { *f = m->fn[i]; return 0; }
#ifdef ANY
	if (m->n > 0) { *f = m->fn[0]; return 0; }
#endif
	return CUDA_ERROR_NOT_FOUND;
}
#ifndef PLAIN
AS(cuModuleGetFunctionCount, (unsigned *n, CUmodule m)) { BEGIN *n = m->n; return 0; }
AS(cuModuleEnumerateFunctions, (CUfunction *f, unsigned n, CUmodule m)) { BEGIN for (unsigned i = 0; i < n; i++) f[i] = m->fn[i]; return 0; }
AS(cuFuncGetName, (const char **s, CUfunction f)) { *s = f->k->name; return 0; }
AS(cuFuncGetParamInfo, (CUfunction f, size_t i, size_t *offset, size_t *size)) {
	BEGIN
	if ((int)i >= f->k->n) return CUDA_ERROR_INVALID_VALUE;
	*offset = 0, *size = f->k->size[i];
	return 0;
}
#endif
AS(cuFuncGetAttribute, (int *v, CUfunction_attribute a, CUfunction f)) {
	(void)f;
	BEGIN
	static const int values[] = {512, 64, 16, 8, 40, 75, 90};
	if ((unsigned)a > 6) return CUDA_ERROR_INVALID_VALUE;
	*v = values[a];
	return 0;
}
AS(cuFuncSetAttribute, (CUfunction f, CUfunction_attribute a, int v)) {
	BEGIN
	if (a != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || v > SHARED_MAX - 64) return CUDA_ERROR_INVALID_VALUE;
	f->limit = v;
	return 0;
}
AS(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *n, CUfunction f, int block, size_t shared)) {
	BEGIN
	if ((int)shared > f->limit) return CUDA_ERROR_INVALID_VALUE;
	*n = 2048 / block;
	if (shared && (int)(SHARED_MAX / shared) < *n) *n = SHARED_MAX / shared;
	return 0;
}
AS(cuOccupancyMaxPotentialBlockSize, (int *grid, int *block, CUfunction f, CUoccupancyB2DSize b2d, size_t shared, int limit)) {
	(void)f, (void)b2d, (void)shared;
	BEGIN
	*block = limit && limit < 512 ? limit : 512;
	*grid = SMS * 2048 / *block;
	return 0;
}
static CUresult launch(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream s, void **params) {
	BEGIN
	if (gx * gy * gz == 0 || bx * by * bz == 0 || bx * by * bz > 512 || (int)shared > f->limit) return CUDA_ERROR_INVALID_VALUE;
	if (!strcmp(f->k->name, "refused")) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
	struct op o = {.k = f->k, .dim = {gx, gy, gz, bx, by, bz}, .shared = shared};
	size_t at = 0;
	for (int i = 0; i < f->k->n; i++) memcpy(o.args + at, params[i], f->k->size[i]), at += (f->k->size[i] + 15) & ~15;
	if (!strcmp(f->k->name, "slow")) s->busy = 5;
	return put(s, o);
}
AS(cuLaunchKernel, (CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream s, void **params, void **extra)) {
	if (extra) return CUDA_ERROR_INVALID_VALUE;
	return launch(f, gx, gy, gz, bx, by, bz, shared, s, params);
}
#ifndef OLD
AS(cuLaunchCooperativeKernel, (CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream s, void **params)) {
	if (gx * gy * gz > SMS * (2048 / (bx * by * bz))) return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
	return launch(f, gx, gy, gz, bx, by, bz, shared, s, params);
}
#endif

/* Graphs. */
static void discard(struct op *o) { while (o) { struct op *n = o->next; free(o); o = n; } }
AS(cuStreamBeginCapture_v2, (CUstream s, CUstreamCaptureMode mode)) {
	BEGIN
	if (capturing || mode != CU_STREAM_CAPTURE_MODE_THREAD_LOCAL) return CUDA_ERROR_ILLEGAL_STATE;
	capturing = s, s->first = NULL, s->last = &s->first, s->spoilt = 0;
	return 0;
}
AS(cuStreamEndCapture, (CUstream s, CUgraph *g)) {
	*g = NULL;
	BEGIN
	if (capturing != s) return CUDA_ERROR_ILLEGAL_STATE;
	capturing = NULL;
	if (s->spoilt) { discard(s->first); return 901; }
	CUresult r = weigh(WEIGHT);
	if (r) return r;
	*g = calloc(1, sizeof **g);
	(*g)->first = s->first;
	return 0;
}
AS(cuGraphGetNodes, (CUgraph g, CUgraphNode *nodes, size_t *n)) {
	(void)nodes;
	BEGIN
	*n = 0;
	for (struct op *o = g->first; o; o = o->next) *n += o->kind != 4;
	return 0;
}
AS(cuGraphDestroy, (CUgraph g)) { BEGIN weigh(-WEIGHT); discard(g->first); free(g); return 0; }
#ifndef OLD
AS(cuGraphInstantiateWithFlags, (CUgraphExec *e, CUgraph g, unsigned long long f)) {
	(void)f;
	BEGIN
	CUresult r = weigh(WEIGHT);
	if (r) return r;
	*e = calloc(1, sizeof **e);
	struct op **last = &(*e)->first;
	for (struct op *o = g->first; o; o = o->next) {
		*last = malloc(sizeof *o);
		**last = *o, (*last)->next = NULL, last = &(*last)->next;
	}
	return 0;
}
#endif
AS(cuGraphExecDestroy, (CUgraphExec e)) { BEGIN weigh(-WEIGHT); discard(e->first); free(e); return 0; }
AS(cuGraphLaunch, (CUgraphExec e, CUstream s)) {
	BEGIN
	if (capturing || !s) return CUDA_ERROR_ILLEGAL_STATE;
	for (struct op *o = e->first; o && !cur->error; o = o->next) perform(o, cur);
	return 0;
}
