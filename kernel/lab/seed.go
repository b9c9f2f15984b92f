package lab

import (
	"math"
	"reflect"
)

// Seed sets the seed of the random numbers, a whole number from 0 on, of any type. Without it Open
// uses 1, and Fork the parent's.
func Seed(seed any) Option {
	s := whole("Seed", seed)
	return func(o *options) { o.seed = &s }
}

// whole is a number from 0 on of any type.
func whole(what string, x any) uint64 {
	v := reflect.ValueOf(x)
	switch {
	case v.CanUint():
		return v.Uint()
	case v.CanInt() && v.Int() >= 0:
		return uint64(v.Int())
	case v.CanFloat() && v.Float() >= 0 && v.Float() < 1<<64 && v.Float() == math.Trunc(v.Float()):
		return uint64(v.Float())
	case v.CanInt() || v.CanFloat():
		failWith("lab: %s: %v, want a whole number from 0 to %d", what, x, uint64(math.MaxUint64))
	}
	failWith("lab: %s: %#v is a %T, want a whole number from 0 to %d", what, x, x,
		uint64(math.MaxUint64))
	return 0
}
