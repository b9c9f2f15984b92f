package sqlite

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"sync"
	"testing"
)

// logOf is a log of one transaction: a page of this number.
func logOf(number uint32) []byte {
	head := make([]byte, logHead)
	for i, x := range []uint32{logMagic, 3007000, commonPage, 1, 7, 8} {
		binary.BigEndian.PutUint32(head[4*i:], x)
	}
	sum := checksum(binary.LittleEndian, [2]uint32{}, head[:24])
	put := func(b []byte) {
		binary.BigEndian.PutUint32(b, sum[0])
		binary.BigEndian.PutUint32(b[4:], sum[1])
	}
	put(head[24:])
	frame := make([]byte, frameHead+commonPage)
	binary.BigEndian.PutUint32(frame, number)
	binary.BigEndian.PutUint32(frame[4:], number)
	copy(frame[8:16], head[16:24])
	sum = checksum(binary.LittleEndian, checksum(binary.LittleEndian, sum, frame[:8]),
		frame[frameHead:])
	put(frame[16:])
	return append(head, frame...)
}

// A log with a page far behind all others makes no work for those between.
func TestFarPage(t *testing.T) {
	t.Parallel()
	const far = 2_000_000_000
	log := logOf(far)
	d := newDump(bytes.NewReader(make([]byte, 2*commonPage)), 2*commonPage, bytes.NewReader(log),
		int64(len(log)))
	if len(d.there) != 3 || d.there[2] != far || d.count != far {
		t.Errorf("%d pages are there, %v, of %d", len(d.there), d.there, d.count)
	}
	if d.get(far) == nil || d.get(far-1) != nil || d.get(3) != nil || d.get(2) == nil {
		t.Error("pages are there that are not, or the other way round")
	}
}

// The end of a row that leads back into itself is none.
func TestRing(t *testing.T) {
	t.Parallel()
	file := make([]byte, 4*commonPage)
	for n, next := range map[int]uint32{2: 3, 3: 2} {
		binary.BigEndian.PutUint32(file[(n-1)*commonPage:], next)
	}
	binary.BigEndian.PutUint32(file[commonPage-4:], 2)
	d := newDump(bytes.NewReader(file), int64(len(file)), bytes.NewReader(nil), 0)
	const size = 3 * commonPage
	least := (d.usable-12)*32/255 - 23
	here := least + (size-least)%(d.usable-4)
	if here > d.usable-35 {
		here = least
	}
	if _, ok := d.content(file[:commonPage], commonPage-4-here, size, true); ok {
		t.Error("a row is read round and round")
	}
}

// Copies that are made at the same time have names of their own.
func TestCopiesAtOnce(t *testing.T) {
	t.Parallel()
	s, err := Open(filepath.Join(t.TempDir(), "x.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var names sync.Map
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			p, err := s.copyBefore(1)
			if err != nil {
				t.Error(err)
			}
			if _, had := names.Swap(p, true); had {
				t.Errorf("%s is the copy of two", p)
			}
		})
	}
	all.Wait()
}
