package solvers

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"math"
	"os"

	"metalab/solvers/record"
)

// The file of a state is, in little-endian order:
//
//	"metalab\x00state\x00\x00\x00"   16 bytes
//	length of the head (uint32), the head: JSON of StateHead
//	sections until the end, each: length of the name (uint8), name, type (uint8),
//	  count (uint64), count items of 1, 4 or 8 bytes
//	CRC-64 (ECMA) of everything before it (uint64)
//
// The types are 'B' bytes, 'i' int32, 'l' int64, 'u' uint64, 'f' float32, 'd' float64.
// Sections are read in the order in which they were written.
const stateMagic = "metalab\x00state\x00\x00\x00"

var crcTable = crc64.MakeTable(crc64.ECMA)

// ErrState is wrapped by every error about a state that cannot be read.
var ErrState = errors.New("not a usable state")

// A StateHead identifies the run and the iteration of a state.
type StateHead struct {
	Version  int           `json:"version"`
	Solver   string        `json:"solver"`
	Variant  string        `json:"variant"`
	Revision int           `json:"revision"`
	SHA256   string        `json:"instance"` // of the instance
	Seed     uint64        `json:"seed"`
	Iter     int64         `json:"i"`
	Digest   uint64        `json:"digest"`          // chained, after Iter
	Evals    int64         `json:"evals,omitempty"` // after Iter
	Params   record.Values `json:"params"`          // at Iter
}

// A Writer stores the state of an algorithm as named arrays.
type Writer struct{ buf []byte }

// newWriter begins a state of about size bytes after its head: a large one is not copied as it
// grows.
func newWriter(h StateHead, size int64) (*Writer, error) {
	head, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	const most = 1 << 10 // what else there is
	w := &Writer{buf: make([]byte, 0, size+int64(len(stateMagic)+len(head)+most))}
	w.buf = append(w.buf, stateMagic...)
	w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(len(head)))
	w.buf = append(w.buf, head...)
	return w, nil
}

// bytes ends the state with its checksum.
func (w *Writer) bytes() []byte {
	return binary.LittleEndian.AppendUint64(w.buf, crc64.Checksum(w.buf, crcTable))
}

func (w *Writer) section(name string, kind byte, n int) {
	if len(name) > 255 {
		panic("solvers: the name of a section has more than 255 bytes: " + name)
	}
	w.buf = append(w.buf, byte(len(name)))
	w.buf = append(w.buf, name...)
	w.buf = append(w.buf, kind)
	w.buf = binary.LittleEndian.AppendUint64(w.buf, uint64(n))
}

// Bytes writes v.
func (w *Writer) Bytes(name string, v []byte) {
	w.section(name, 'B', len(v))
	w.buf = append(w.buf, v...)
}

// Int32s writes v.
func (w *Writer) Int32s(name string, v []int32) {
	w.section(name, 'i', len(v))
	for _, x := range v {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(x))
	}
}

// Int64s writes v.
func (w *Writer) Int64s(name string, v ...int64) {
	w.section(name, 'l', len(v))
	for _, x := range v {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, uint64(x))
	}
}

// Float32s writes v, bit for bit.
func (w *Writer) Float32s(name string, v []float32) {
	w.section(name, 'f', len(v))
	for _, x := range v {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, math.Float32bits(x))
	}
}

// Float64s writes v, bit for bit.
func (w *Writer) Float64s(name string, v ...float64) {
	w.section(name, 'd', len(v))
	for _, x := range v {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(x))
	}
}

// A Reader returns what a Writer stored, in the same order. After the first error all reads return
// nil; Err returns that error.
type Reader struct {
	Head   StateHead
	Params record.Values // the parameters under which the state was written
	rest   []byte
	err    error
}

// NewReader checks a state and its checksum. Errors wrap ErrState.
func NewReader(b []byte) (*Reader, error) {
	fail := func(why string) (*Reader, error) {
		return nil, fmt.Errorf(
			"state: %s: %w", why, ErrState,
		)
	}
	if len(b) < len(stateMagic)+4+8 || string(b[:len(stateMagic)]) != stateMagic {
		return fail("it does not begin as a state of metalab")
	}
	body, sum := b[:len(b)-8], binary.LittleEndian.Uint64(b[len(b)-8:])
	if crc64.Checksum(body, crcTable) != sum {
		return fail("its checksum is wrong: it was cut short or damaged")
	}
	rest := body[len(stateMagic):]
	n := binary.LittleEndian.Uint32(rest)
	rest = rest[4:]
	if uint64(n) > uint64(len(rest)) {
		return fail("its head is cut short")
	}
	r := &Reader{rest: rest[n:]}
	if err := json.Unmarshal(rest[:n], &r.Head); err != nil {
		return fail("its head is not readable: " + err.Error())
	}
	if r.Head.Version != stateVersion {
		return fail(
			fmt.Sprintf(
				"it is of version %d and this program reads version %d", r.Head.Version, stateVersion,
			),
		)
	}
	r.Params = r.Head.Params
	return r, nil
}

// headIn reads the head of the state in a file, of any version.
func headIn(path string) (h StateHead, err error) {
	f, err := os.Open(path)
	if err != nil {
		return h, err
	}
	defer f.Close()
	first := make([]byte, len(stateMagic)+4)
	if _, err := io.ReadFull(f, first); err != nil || string(first[:len(stateMagic)]) != stateMagic {
		return h, fmt.Errorf("%s: %w", path, ErrState)
	}
	n := binary.LittleEndian.Uint32(first[len(stateMagic):])
	return h, json.NewDecoder(io.LimitReader(f, int64(n))).Decode(&h)
}

const stateVersion = 1

// Err returns the error of the first failed read.
func (r *Reader) Err() error { return r.err }

var itemSize = map[byte]int{'B': 1, 'i': 4, 'f': 4, 'l': 8, 'u': 8, 'd': 8}

// section returns the bytes of the next section, which must have the name and type.
// A length n >= 0 is checked.
func (r *Reader) section(name string, kind byte, n int) []byte {
	if r.err != nil {
		return nil
	}
	fail := func(why string, args ...any) []byte {
		r.err = fmt.Errorf("state: section %q: %s: %w", name, fmt.Sprintf(why, args...), ErrState)
		return nil
	}
	b := r.rest
	if len(b) < 1 || len(b) < 1+int(b[0])+9 {
		return fail("the state ends before it")
	}
	got := string(b[1 : 1+int(b[0])])
	b = b[1+int(b[0]):]
	k, count := b[0], binary.LittleEndian.Uint64(b[1:])
	b = b[9:]
	if got != name || k != kind {
		return fail("section %q of type %c stands in its place", got, k)
	}
	size := uint64(itemSize[kind])
	if count > uint64(len(b))/size {
		return fail("it says %d items and %d bytes are left", count, len(b))
	}
	if n >= 0 && count != uint64(n) {
		return fail("it has %d items, want %d", count, n)
	}
	r.rest = b[count*size:]
	return b[:count*size]
}

// Bytes reads a section of n bytes (any number when n < 0).
func (r *Reader) Bytes(name string, n int) []byte {
	return append([]byte(nil), r.section(name, 'B', n)...)
}

// Int32s reads a section of n items (any number when n < 0).
func (r *Reader) Int32s(name string, n int) []int32 {
	b := r.section(name, 'i', n)
	v := make([]int32, len(b)/4)
	for i := range v {
		v[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

// Int64s reads a section of n items (any number when n < 0). After an error it returns n zeros, so
// that the caller may name items before it asks Err.
func (r *Reader) Int64s(name string, n int) []int64 {
	b := r.section(name, 'l', n)
	v := make([]int64, max(len(b)/8, n))
	for i := range len(b) / 8 {
		v[i] = int64(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return v
}

// Float32s reads a section of n items (any number when n < 0).
func (r *Reader) Float32s(name string, n int) []float32 {
	b := r.section(name, 'f', n)
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

// Float64s reads a section of n items (any number when n < 0); see Int64s.
func (r *Reader) Float64s(name string, n int) []float64 {
	b := r.section(name, 'd', n)
	v := make([]float64, max(len(b)/8, n))
	for i := range len(b) / 8 {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return v
}

// Take reads and returns the rest of the state, for an algorithm that holds its state elsewhere.
func (r *Reader) Take() ([]byte, error) {
	if r.err != nil {
		return nil, r.err
	}
	w, err := newWriter(r.Head, int64(len(r.rest)))
	if err != nil {
		return nil, err
	}
	w.buf = append(w.buf, r.rest...)
	r.rest = nil
	return w.bytes(), nil
}

// Copy writes the contents of a state, without its head.
func (w *Writer) Copy(state []byte) error {
	r, err := NewReader(state)
	if err != nil {
		return err
	}
	w.buf = append(w.buf, r.rest...)
	return nil
}
