package sqlite

import (
	"encoding/binary"
	"maps"
	"math"
)

// The kinds of pages of b-trees, as their first byte.
const (
	inIndex   = 2
	inTable   = 5
	leafIndex = 10
	leafTable = 13
)

// mostColumns is the greatest number of columns of the tables here, and some more.
const mostColumns = 64

// A cell is a row of a table, or of an index, with its columns: nil, int64, float64, string or
// []byte. A table's has no columns in pages that are no leaves.
type cell struct {
	row    int64 // the row's number, of a table's
	values []any
}

// cells reads the cells of a page. The kind is 0 for pages that are none of a b-tree; bad is how
// many cells cannot be read.
func (d *dump) cells(n int) (kind byte, out []cell, bad int) {
	b := d.get(n)
	if b == nil {
		return 0, nil, 0
	}
	at := 0
	if n == 1 {
		at = headSize
	}
	head := 8
	switch kind = b[at]; kind {
	case inIndex, inTable:
		head = 12
	case leafIndex, leafTable:
	default:
		return 0, nil, 0
	}
	b = b[:min(d.usable, d.has(n))]
	if at+head > len(b) {
		return kind, nil, 1
	}
	count := int(binary.BigEndian.Uint16(b[at+3:]))
	if at+head+2*count > d.usable || b[at+7] > 60 { // never more than 60 bytes are lost in pieces
		return 0, nil, 0
	}
	for i := range count {
		if at+head+2*i+2 > len(b) {
			return kind, out, bad + count - i
		}
		p := int(binary.BigEndian.Uint16(b[at+head+2*i:]))
		if p < at+head+2*count || p >= len(b) {
			bad++
			continue
		}
		if c, ok := d.cell(kind, b, p); ok {
			out = append(out, c)
		} else {
			bad++
		}
	}
	return kind, out, bad
}

// cell reads the cell at p of a page.
func (d *dump) cell(kind byte, b []byte, p int) (c cell, ok bool) {
	if kind == inIndex || kind == inTable {
		if p += 4; p >= len(b) {
			return c, false
		}
	}
	var size int64
	if kind != inTable {
		if size, p, ok = varint(b, p); !ok || size < 0 || size > int64(len(d.there))*int64(d.page) {
			return c, false
		}
	}
	if kind == inTable || kind == leafTable {
		if c.row, p, ok = varint(b, p); !ok {
			return c, false
		}
	}
	if kind == inTable {
		return c, true
	}
	content, ok := d.content(b, p, int(size), kind == leafTable)
	if !ok {
		return c, false
	}
	c.values, ok = columnsOf(content)
	return c, ok
}

// content is the content of a row, whose beginning is at p of a page, and whose end may be in pages
// of its own.
func (d *dump) content(b []byte, p, size int, table bool) ([]byte, bool) {
	u := d.usable
	most := (u-12)*64/255 - 23
	if table {
		most = u - 35
	}
	here := size
	if size > most {
		least := (u-12)*32/255 - 23
		if here = least + (size-least)%(u-4); here > most {
			here = least
		}
	}
	if p+here > len(b) {
		return nil, false
	}
	out := append(make([]byte, 0, min(size, 1<<20)), b[p:p+here]...)
	if here == size {
		return out, true
	}
	if p += here; p+4 > len(b) {
		return nil, false
	}
	seen := map[int]bool{}
	for next := int(binary.BigEndian.Uint32(b[p:])); len(out) < size; {
		page := d.get(next)
		if page == nil || seen[next] || d.free[next] || d.has(next) < d.page {
			return nil, false
		}
		seen[next] = true
		out = append(out, page[4:min(u, 4+size-len(out))]...)
		next = int(binary.BigEndian.Uint32(page))
	}
	maps.Copy(d.spilled, seen)
	return out, true
}

// varint reads a number of 1 to 9 bytes.
func varint(b []byte, p int) (v int64, next int, ok bool) {
	var x uint64
	for i := range 9 {
		if p+i >= len(b) {
			return 0, 0, false
		}
		c := b[p+i]
		if i == 8 {
			return int64(x<<8 | uint64(c)), p + 9, true
		}
		x = x<<7 | uint64(c&0x7f)
		if c < 0x80 {
			return int64(x), p + i + 1, true
		}
	}
	return 0, 0, false
}

// columnsOf reads the columns of a row.
func columnsOf(b []byte) (out []any, ok bool) {
	head, p, ok := varint(b, 0)
	if !ok || head < int64(p) || head > int64(len(b)) {
		return nil, false
	}
	at := int(head)
	for p < int(head) {
		var t int64
		if t, p, ok = varint(b[:head], p); !ok || t < 0 || len(out) == mostColumns {
			return nil, false
		}
		size := widths[min(t, 12)]
		if t >= 12 {
			if (t-12)/2 > int64(len(b)) {
				return nil, false
			}
			size = int(t-12) / 2
		}
		if t == 10 || t == 11 || at+size > len(b) {
			return nil, false
		}
		out = append(out, value(t, b[at:at+size]))
		at += size
	}
	return out, at == len(b)
}

// widths are the bytes of columns by their types up to 11.
var widths = [13]int{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0, 0}

// value is a column of a type.
func value(t int64, b []byte) any {
	switch {
	case t == 0:
		return nil
	case t <= 6:
		v := int64(int8(b[0]))
		for _, c := range b[1:] {
			v = v<<8 | int64(c)
		}
		return v
	case t == 7:
		return math.Float64frombits(binary.BigEndian.Uint64(b))
	case t <= 9:
		return t - 8
	case t%2 == 0:
		return b
	}
	return string(b)
}
