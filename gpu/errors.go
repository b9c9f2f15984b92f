package gpu

import (
	"errors"
	"fmt"
	"strings"
)

// The errors that an *Error may wrap, beside the driver's codes.
var (
	// ErrNoCUDA is wrapped by every error of a program that was built without CUDA.
	ErrNoCUDA = errors.New("this program was built without CUDA")
	// ErrNoDevice is wrapped if the program could use a GPU and there is none.
	ErrNoDevice = errors.New("no such GPU")
	// ErrDriverTooOld is wrapped if the installed driver lacks required calls.
	ErrDriverTooOld = errors.New("the NVIDIA driver is too old")
	// ErrClosed is wrapped if the device is closed.
	ErrClosed = errors.New("the device was closed")
	// ErrFreed is wrapped if a buffer, module, stream, event or graph is freed.
	ErrFreed = errors.New("it was freed")
	// ErrArgument is wrapped if the package refuses an argument, before it calls the driver.
	ErrArgument = errors.New("invalid argument")
)

// An Error is a failed operation: its device, the driver's result, and what to do about it. Kernels
// run asynchronously, so the first call that waits for a kernel returns the kernel's error.
type Error struct {
	Op     string // the operation, such as "launch saxpy" or "alloc 4096 bytes"
	Device int    // ordinal of the device; -1 if the error concerns none
	Code   int    // the driver's CUresult; 0 if the driver was not called
	Name   string // the driver's name of the code, such as CUDA_ERROR_OUT_OF_MEMORY
	Err    error  // the reason, never nil
	Hint   string // what to do, one sentence; may be empty
}

// Error returns all fields in one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("gpu: ")
	if e.Device >= 0 {
		fmt.Fprintf(&b, "device %d: ", e.Device)
	}
	fmt.Fprintf(&b, "%s: %v", e.Op, e.Err)
	if e.Name != "" {
		fmt.Fprintf(&b, " (%s, %d)", e.Name, e.Code)
	}
	if e.Hint != "" {
		b.WriteString("; ")
		b.WriteString(e.Hint)
	}
	return b.String()
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// LostDevice returns the ordinal of a device that this process can no longer use after the error.
// lost is false if the device still works.
func (e *Error) LostDevice() (ordinal int, lost bool) { return e.Device, IsSticky(e) }

// NoRoom reports whether the error is a lack of free memory.
func (e *Error) NoRoom() bool { return errors.Is(e.Err, ErrNoRoom) }

// IsSticky reports whether err made its context unusable: every later call on the device in this
// process fails in the same way. Save the data in the host's memory, restart the process and load
// it again. It is true for a lost device too.
func IsSticky(err error) bool {
	c, ok := codeOf(err)
	return ok && (codes[c].sticky || codes[c].lost)
}

// IsLost reports whether err says that the device itself is gone or broken (fallen off the bus, an
// uncorrectable memory error, removed). A new process may not find it again, so be ready to
// continue without it.
func IsLost(err error) bool {
	c, ok := codeOf(err)
	return ok && codes[c].lost
}

// IsOutOfMemory reports whether err says that the device's memory did not suffice. The device still
// works: free something, or request less.
func IsOutOfMemory(err error) bool {
	c, ok := codeOf(err)
	return ok && c == codeOutOfMemory
}

// IsUnavailable reports whether err says that no GPU is usable here, because the program was built
// without CUDA, or because there is no usable device or driver: use the CPU.
func IsUnavailable(err error) bool {
	return errors.Is(err, ErrNoCUDA) || errors.Is(err, ErrNoDevice) || errors.Is(err, ErrDriverTooOld)
}

func codeOf(err error) (int, bool) {
	var e *Error
	if errors.As(err, &e) && e.Code != 0 {
		return e.Code, true
	}
	return 0, false
}

// result is a driver's code as the backend returns it; never 0.
type result int

// Error returns the code's sentence.
func (r result) Error() string { return describe(int(r)) }

// wrap makes an *Error of what a backend's call returned; nil stays nil.
func wrap(op string, device int, err error) error {
	if err == nil {
		return nil
	}
	var already *Error
	if errors.As(err, &already) {
		return err
	}
	e := &Error{Op: op, Device: device, Err: err}
	var r result
	if errors.As(err, &r) {
		e.Code = int(r)
		e.Name, e.Hint = nameOf(e.Code), codes[e.Code].hint
	}
	return e
}

// refuse is an error of the caller's arguments.
func refuse(op string, device int, format string, args ...any) error {
	return &Error{
		Op: op, Device: device, Err: fmt.Errorf("%w: "+format, append([]any{ErrArgument}, args...)...),
	}
}
