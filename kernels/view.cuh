// view<T>: a pointer with its length, as package gpu's View[T] passes it by value.
#ifndef METALAB_VIEW_CUH
#define METALAB_VIEW_CUH

template <class T>
struct view {
	T *data;
	long long len; // elements

	__device__ __forceinline__ T &operator[](long long i) const { return data[i]; }
};

static_assert(sizeof(view<float>) == 16, "gpu.View has 16 bytes");

#endif
