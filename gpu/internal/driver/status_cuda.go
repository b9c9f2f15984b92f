//go:build cuda && cgo && linux

package driver

// #cgo CFLAGS: -I${SRCDIR}/include -Wall -Wextra
// #cgo LDFLAGS: -L${SRCDIR}/lib -ldl -lpthread
// #include "loader.h"
import "C"

// Read loads the driver, the first time, and says how that went.
func Read() Status {
	c := C.metalab_driver_status()
	s := Status{
		Path:    C.GoString(&c.path[0]),
		Detail:  C.GoString(&c.detail[0]),
		Init:    int(c.init),
		Version: int(c.version),
	}
	switch c.state {
	case C.METALAB_DRIVER_LOADED:
		s.State = Loaded
	case C.METALAB_DRIVER_INIT_FAILED:
		s.State = InitFailed
	default:
		s.State = NotFound
	}
	for i := 0; ; i++ {
		p := C.metalab_driver_missing(C.int(i))
		if p == nil {
			return s
		}
		s.Missing = append(s.Missing, C.GoString(p))
	}
}

// Thread returns a number that no two living threads share, never 0.
func Thread() uintptr { return uintptr(C.metalab_thread()) }
