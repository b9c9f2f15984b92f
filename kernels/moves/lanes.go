package moves

import (
	"metalab/gpu"
)

// lanes are arrays of the same length, one for each walk, in one buffer of the device: solutions or
// memories.
type lanes[T any] struct {
	buf  *gpu.Buffer[T]
	each int
}

// room makes room for walks arrays of each elements, zeros at first, unless err is not nil. (Some
// kernels read ahead, and do not use what they read.)
func (l *lanes[T]) room(d *gpu.Device, walks, each int, err error) error {
	if err == nil {
		err = l.buf.Free()
	}
	l.buf, l.each = nil, each
	if err == nil {
		l.buf, err = gpu.Alloc[T](d, walks*each)
	}
	if err == nil {
		err = l.buf.Zero(nil)
	}
	return err
}

// put copies the array of a walk to the device; a shorter one is filled with zeros.
func (l *lanes[T]) put(a int, row []T) error {
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
	l.buf = nil
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
