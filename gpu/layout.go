package gpu

import (
	"fmt"
	"reflect"
	"sync"
)

var layouts sync.Map // reflect.Type → error or nil

// checkLayout says whether values of type t have the same bytes in Go and in CUDA C: the
// numbers of a fixed size, bools, and arrays and structures of those. Go and C lay such
// structures out alike on 64-bit Linux.
func checkLayout(t reflect.Type) error {
	if v, ok := layouts.Load(t); ok {
		err, _ := v.(error)
		return err
	}
	err := layout(t, t.String())
	layouts.Store(t, err)
	return err
}

func layout(t reflect.Type, place string) error {
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return nil
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		return fmt.Errorf("%s has no fixed size: write int32 or int64 (C's int is Go's int32)", place)
	case reflect.Array:
		return layout(t.Elem(), "an element of "+place)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if err := layout(f.Type, place+"."+f.Name); err != nil {
				return err
			}
		}
		return nil
	default:
		return fmt.Errorf(
			"%s is a Go %s, which means nothing on a device: use numbers, bools, and arrays and structs "+
				"of them",
			place, t.Kind(),
		)
	}
}
