package datasets

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
)

// hasher feeds an instance's canonical form to SHA-256: strings with their
// length before them, numbers in little-endian order.
type hasher struct {
	h   hash.Hash
	buf []byte
}

func newHasher() *hasher {
	h := &hasher{h: sha256.New(), buf: make([]byte, 0, 1<<12)}
	h.str("metalab instance 1")
	return h
}

func (h *hasher) room(n int) {
	if len(h.buf)+n > cap(h.buf) {
		h.h.Write(h.buf) // a hash does not return errors
		h.buf = h.buf[:0]
	}
}

func (h *hasher) u64(v uint64) {
	h.room(8)
	h.buf = binary.LittleEndian.AppendUint64(h.buf, v)
}

func (h *hasher) str(s string) {
	h.u64(uint64(len(s)))
	for len(s) > 0 {
		h.room(1)
		n := min(len(s), cap(h.buf)-len(h.buf))
		h.buf = append(h.buf, s[:n]...)
		s = s[n:]
	}
}

// floats adds the bits of each value; -0 counts as 0, which no cost tells apart.
func (h *hasher) floats(v []float64) {
	for _, x := range v {
		h.u64(math.Float64bits(x + 0))
	}
}

func (h *hasher) ints(v []int32) {
	for _, x := range v {
		h.room(4)
		h.buf = binary.LittleEndian.AppendUint32(h.buf, uint32(x))
	}
}

func (h *hasher) sum() string {
	h.h.Write(h.buf)
	h.buf = h.buf[:0]
	return hex.EncodeToString(h.h.Sum(nil))
}
