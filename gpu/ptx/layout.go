package ptx

import (
	"fmt"
	"reflect"
)

// Layout describes the memory layout of a type in the form of Param.Elem: its size in bytes, and
// the type and offset of each number in it. It returns an error for a type that no kernel accepts.
func Layout(t reflect.Type) (string, error) {
	s := fmt.Sprint(t.Size(), ":")
	var add func(t reflect.Type, off uintptr) error
	add = func(t reflect.Type, off uintptr) error {
		if name := Number(t.Kind()); name != "" {
			s += fmt.Sprintf(" %s@%d", name, off)
			return nil
		}
		switch t.Kind() {
		case reflect.Struct:
			for i := range t.NumField() {
				if err := add(t.Field(i).Type, off+t.Field(i).Offset); err != nil {
					return err
				}
			}
			return nil
		case reflect.Array:
			for i := range t.Len() {
				if err := add(t.Elem(), off+uintptr(i)*t.Elem().Size()); err != nil {
					return err
				}
			}
			return nil
		}
		return fmt.Errorf("a kernel takes no %s", t)
	}
	err := add(t, 0)
	return s, err
}

// Number returns the PTX type of a parameter of a kind. bool is bool, and the result is empty for a
// kind that is no number.
func Number(k reflect.Kind) string {
	switch k {
	case reflect.Bool:
		return "bool"
	case reflect.Int8:
		return "s8"
	case reflect.Int16:
		return "s16"
	case reflect.Int32:
		return "s32"
	case reflect.Int, reflect.Int64:
		return "s64"
	case reflect.Uint8:
		return "u8"
	case reflect.Uint16:
		return "u16"
	case reflect.Uint32:
		return "u32"
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return "u64"
	case reflect.Float32:
		return "f32"
	case reflect.Float64:
		return "f64"
	}
	return ""
}
