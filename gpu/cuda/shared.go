package cuda

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Shared returns an array that the block's threads share. n is a constant, and the call comes
// before the kernel's first branch or loop. E is a number, a bool, or an array or structure of
// those. All such arrays of a kernel together have at most 48 KB.
func Shared[E any](t T, n int) []E {
	return shared[E](t, n)
}

// SharedAtLaunch returns the array whose size the launch sets ([Shape.Shared], in bytes), with as
// many elements as fit. A kernel can have only one.
func SharedAtLaunch[E any](t T) []E {
	return shared[E](t, t.b.shape.Shared/int(max(1, unsafe.Sizeof(*new(E)))))
}

func shared[E any](t T, n int) []E {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	k := *t.asked
	*t.asked++
	if k == len(t.b.shared) {
		s := make([]E, n)
		scribble(s)
		t.b.shared = append(t.b.shared, s)
	}
	s, ok := t.b.shared[k].([]E)
	if !ok || len(s) != n {
		panic(fmt.Sprintf(
			"thread %d asks for %d elements as shared array %d, others for %T of %d", t.Thread(), n, k,
			t.b.shared[k], reflect.ValueOf(t.b.shared[k]).Len(),
		))
	}
	return s
}

// scribble fills s with what no kernel expects, as the memory of a GPU would hold.
func scribble[E any](s []E) {
	if plain(reflect.TypeFor[E]()) && len(s) > 0 {
		size := len(s) * int(unsafe.Sizeof(s[0]))
		b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), size)
		for i := range b {
			b[i] = 0xA5
		}
	}
}

// plain tells whether any bytes are a value of the type: not for bools and pointers.
func plain(t reflect.Type) bool {
	switch k := t.Kind(); {
	case k == reflect.Array:
		return plain(t.Elem())
	case k == reflect.Struct:
		for i := range t.NumField() {
			if !plain(t.Field(i).Type) {
				return false
			}
		}
		return true
	default:
		return k >= reflect.Int && k <= reflect.Float64 && k != reflect.Uintptr
	}
}
