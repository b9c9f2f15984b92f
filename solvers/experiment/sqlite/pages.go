package sqlite

import (
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
)

// A dump is the pages of a file that SQLite may not be able to read any more, each in its newest
// state that is whole: as the file has it, or the log beside it (FILE-wal). The layout of both is
// that of https://www.sqlite.org/fileformat2.html.
type dump struct {
	file, log io.ReaderAt
	size      int64 // of the file, in bytes
	page      int   // bytes of a page
	usable    int   // bytes of a page that hold content
	count     int   // pages, with those that neither has; they are numbered from 1 on
	there     []int // the numbers of those that one of both has, in ascending order
	logged    map[int]int64
	free      map[int]bool // pages that hold nothing any more
	spilled   map[int]bool // pages that hold the ends of rows that were read
}

const (
	magic      = "SQLite format 3\x00"
	headSize   = 100 // bytes of the file's header, which stands before page 1
	logHead    = 32
	frameHead  = 24
	logMagic   = 0x377f0682 // the last bit says that checksums use big-endian words
	lockByte   = 1 << 30    // the page with this byte of the file is never used
	commonPage = 4096
)

// newDump reads what there is to know of a file before its pages.
func newDump(file io.ReaderAt, size int64, log io.ReaderAt, logSize int64) *dump {
	d := &dump{
		file: file, log: log, size: size, free: map[int]bool{}, spilled: map[int]bool{},
	}
	head := make([]byte, headSize)
	_, _ = file.ReadAt(head, 0) // what is not there is zero
	d.page = commonPage
	if n := int(binary.BigEndian.Uint16(head[16:])); pageSize(n) && string(head[:16]) == magic {
		d.page = n
		if n == 1 {
			d.page = 1 << 16
		}
	}
	d.usable = d.page
	if string(head[:16]) == magic && int(head[20]) <= d.page/4 {
		d.usable -= int(head[20])
	}
	d.count = int((size + int64(d.page) - 1) / int64(d.page))
	d.logged, _ = readLog(log, logSize, d.page)
	for n := range d.count {
		d.there = append(d.there, n+1)
	}
	// A log may say that it has page 2,000,000,000: what lies between is not looked for.
	for _, n := range slices.Sorted(maps.Keys(d.logged)) {
		if n > d.count {
			d.count = n
			d.there = append(d.there, n)
		}
	}
	if b := d.get(1); b != nil && string(b[:16]) == magic {
		d.readFree(int(binary.BigEndian.Uint32(b[32:])))
	}
	return d
}

// pageSize reports whether n is the size of a page as a header has it, where 1 is 65,536.
func pageSize(n int) bool { return n == 1 || n >= 512 && n <= 1<<15 && n&(n-1) == 0 }

// get is a page, with zeros for what the file lacks of it; nil where there is none.
func (d *dump) get(n int) []byte {
	if n < 1 || d.has(n) == 0 {
		return nil
	}
	b := make([]byte, d.page)
	from, at := d.file, int64(n-1)*int64(d.page)
	if x, ok := d.logged[n]; ok {
		from, at = d.log, x
	}
	if got, err := from.ReadAt(b, at); err != nil && !errors.Is(err, io.EOF) {
		clear(b[got:])
	}
	return b
}

// has is how many bytes of a page there are: the last one may be cut.
func (d *dump) has(n int) int {
	if _, ok := d.logged[n]; ok {
		return d.page
	}
	return int(min(max(d.size-int64(n-1)*int64(d.page), 0), int64(d.page)))
}

// readLog finds the newest state of each page in a log, as of the last transaction that is whole in
// it: pages are the places of their content. The checksum of a frame goes on from the one before,
// which is written in that: so frames after a damaged one can be checked too. lost is the first
// frame that is damaged and has whole transactions behind it, counted from 1 on; 0: there is none.
func readLog(log io.ReaderAt, size int64, page int) (pages map[int]int64, lost int) {
	pages = map[int]int64{}
	head := make([]byte, logHead)
	if n, _ := log.ReadAt(head, 0); n < logHead {
		return pages, 0
	}
	var order binary.ByteOrder = binary.LittleEndian
	m := binary.BigEndian.Uint32(head)
	if m == logMagic|1 {
		order = binary.BigEndian
	}
	sum := checksum(order, [2]uint32{}, head[:24])
	known := m&^1 == logMagic && sum == sumAt(head[24:]) &&
		int(binary.BigEndian.Uint32(head[8:])) == page
	salts := string(head[16:24])
	frame := make([]byte, frameHead+page)
	pending, bad := map[int]int64{}, 0
	for at := int64(logHead); at+int64(len(frame)) <= size; at += int64(len(frame)) {
		if _, err := log.ReadAt(frame, at); err != nil {
			break
		}
		if !known && at == logHead {
			salts = string(frame[8:16]) // a frame whose checksum cannot be checked: it gives the next's
		}
		got := checksum(order, checksum(order, sum, frame[:8]), frame[frameHead:])
		sum = sumAt(frame[16:])
		n := int(binary.BigEndian.Uint32(frame))
		if got != sum || string(frame[8:16]) != salts || !known && at == logHead || n < 1 ||
			n > 1<<31-2 { // damaged, or of before the log was begun anew
			if bad == 0 {
				bad = int((at-logHead)/int64(len(frame))) + 1
			}
			continue
		}
		pending[n] = at + frameHead
		if all := binary.BigEndian.Uint32(frame[4:]); all > 0 { // the end of a transaction
			maps.Copy(pages, pending)
			clear(pending)
			lost = bad
		}
	}
	return pages, lost
}

// checksum goes on with a checksum of the log over b, a multiple of 8 bytes.
func checksum(order binary.ByteOrder, s [2]uint32, b []byte) [2]uint32 {
	for ; len(b) >= 8; b = b[8:] {
		s[0] += order.Uint32(b) + s[1]
		s[1] += order.Uint32(b[4:]) + s[0]
	}
	return s
}

func sumAt(b []byte) [2]uint32 {
	return [2]uint32{binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])}
}

// readFree notes the pages that hold nothing any more: they still have the rows of before.
func (d *dump) readFree(trunk int) {
	for !d.free[trunk] {
		b := d.get(trunk)
		if b == nil || b[0] != 0 { // the number of the next one; that of a b-tree is not
			return
		}
		d.free[trunk] = true
		n := min(int(binary.BigEndian.Uint32(b[4:])), len(b)/4-2)
		for i := range n {
			d.free[int(binary.BigEndian.Uint32(b[8+4*i:]))] = true
		}
		trunk = int(binary.BigEndian.Uint32(b))
	}
}

// isUsed reports whether a page may hold rows.
func (d *dump) isUsed(n int) bool {
	return !d.free[n] && n != lockByte/d.page+1
}

// sizeOf is the size of a file; 0 where there is none.
func sizeOf(path string) (int64, error) {
	st, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}
