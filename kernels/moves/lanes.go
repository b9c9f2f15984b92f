package moves

import (
	"unsafe"

	"metalab/gpu"
)

// lanes are arrays of the same length, one for each walk, in one buffer of the device: solutions or
// memories.
//
// If many walks get new ones between two launches, because many climbs end there, a copy on the
// host collects them, and goes to the device as a whole before the next launch: a transfer takes
// longer than a row.
type lanes[T any] struct {
	buf  *gpu.Buffer[T]
	each int

	rows  int  // copied one by one since the last launch
	host  []T  // the copy
	holds bool // it is what the device has, or newer
	newer bool
}

// A row is copied alone unless so many were since the last launch; arrays of more bytes in all
// have no copy on the host.
const (
	fewRows    = 4
	mostCopied = 64 << 20
)

// mirrored is lanes that the host writes and reads.
type mirrored interface {
	flush() error // sends what the host has changed; before each launch
	launched()    // the device has changed them
}

func (l *lanes[T]) flush() error {
	if !l.newer {
		return nil
	}
	err := l.buf.Upload(l.host)
	l.newer = err != nil
	return err
}

func (l *lanes[T]) launched() { l.rows, l.holds, l.newer = 0, false, false }

// copied tells whether the next row is copied to or from the host's copy.
func (l *lanes[T]) copied() (bool, error) {
	if l.rows++; l.holds || l.rows <= fewRows {
		return l.holds, nil
	}
	var t T
	if int64(l.buf.Len())*int64(unsafe.Sizeof(t)) > mostCopied {
		return false, nil
	}
	if len(l.host) != l.buf.Len() {
		l.host = make([]T, l.buf.Len())
	}
	if err := l.buf.DownloadTo(l.host); err != nil {
		return false, err
	}
	l.holds = true
	return true, nil
}

// row is the array of a walk in the copy.
func (l *lanes[T]) row(a int) []T { return l.host[a*l.each : (a+1)*l.each] }

// room makes room for walks arrays of each elements, zeros at first, unless err is not nil. (Some
// kernels read ahead, and do not use what they read.)
func (l *lanes[T]) room(d *gpu.Device, walks, each int, err error) error {
	if err == nil {
		err = l.buf.Free()
	}
	*l = lanes[T]{each: each}
	if err == nil {
		l.buf, err = gpu.Alloc[T](d, walks*each)
	}
	if err == nil {
		err = l.buf.Zero(nil)
	}
	return err
}

// put copies the array of a walk to the device; a shorter one is filled with zeros, and none, of a
// search that has no such memory, leaves the zeros that are there.
func (l *lanes[T]) put(a int, row []T) error {
	if len(row) == 0 {
		return nil
	}
	copied, err := l.copied()
	if err != nil {
		return err
	}
	if copied {
		to := l.row(a)
		clear(to[copy(to, row):])
		l.newer = true
		return nil
	}
	if len(row) < l.each {
		row = append(append(make([]T, 0, l.each), row...), make([]T, l.each-len(row))...)
	}
	return l.of(a).Upload(row)
}

// get copies the array of a walk to row, unless row is empty.
func (l *lanes[T]) get(a int, row []T) error {
	if len(row) == 0 {
		return nil
	}
	copied, err := l.copied()
	if copied {
		copy(row, l.row(a))
	}
	if copied || err != nil {
		return err
	}
	return l.of(a).DownloadTo(row)
}

// of is the array of a walk.
func (l *lanes[T]) of(a int) *gpu.Buffer[T] { return l.buf.Slice(a*l.each, (a+1)*l.each) }

// at is the address of all.
func (l *lanes[T]) at() uint64 {
	if l.buf == nil {
		return 0
	}
	return l.buf.View().Ptr
}

func (l *lanes[T]) free() error {
	err := l.buf.Free()
	*l = lanes[T]{}
	return err
}

// grow makes room for at least n elements in b, unless it has it.
func grow[T any](d *gpu.Device, b **gpu.Buffer[T], n int) error {
	if *b != nil && (*b).Len() >= n {
		return nil
	}
	err := (*b).Free()
	if *b = nil; err == nil {
		*b, err = gpu.Alloc[T](d, n)
	}
	return err
}

// address uploads v and returns its address, 0 if it is empty, unless err is not nil.
func address[T any](d *gpu.Device, v []T, err error) (uint64, error) {
	if err != nil || len(v) == 0 {
		return 0, err
	}
	b, err := gpu.Upload(d, v)
	if err != nil {
		return 0, err
	}
	return b.View().Ptr, nil
}
